### Words of the lesson: its scenes, each with a question, a guess, an answer, a view and one change.

scene = Scene
of = Scene { $n } of { $total } · { $minutes } min
guess = Your guess
first_guess = Guess first. The experiment opens after your guess.
first_vote = Vote first. The experiment opens after the vote.
carried = The change of the lesson's scene { $n }, “{ $title }”, is still active.
act_before = before
act_after = after
undo = Undo the change
before = Before: { $text }
after = After: { $text }
open = Open on its own page
previous = Back
next = Next
teacher = For the teacher
teacher_files = Files for you, so that nothing of this stands on the projector: open the notes on your own screen.
notes = Notes and answers for this scene
large = Large type
outline = Teacher's outline
worksheet = Worksheet to print
worksheet_all = Worksheets for all scenes
minutes = { $n } min
sheet_heading = Looking into a Transformer
sheet_name = Name
sheet_sentence = Our sentence
sheet_translation = The model's translation
sheet_intervened = Its translation with these changes: { $changes }
sheet_guess = My guess: … because …
sheet_saw = What I saw
sheet_changed = What the change did
sharpest = The most focused head of cross-attention: layer { $layer }, head { $head }. Its focus, the mean of each row's largest weight, is { NUMBER($share, style: "percent", maximumFractionDigits: 0) }.
sure = Average probability per token: { $before } → { $after }.
sure_whole = Probability of the whole translation: { $before } → { $after }.
need_own = This scene needs a model that loads as Regard's own Transformer. The model in use runs in its original code.

## Box

box_title = A black box translates
box_question = The model wrote the translation below your sentence. At which words of the sentence did it look while it wrote the last word?
box_options = At all, with different weights|Only at the last one of the sentence|Only at the one of the same meaning
box_answer = The model has two halves: the encoder reads the sentence (the source), and the decoder writes the translation token by token; a token is a word or part of a word. For each token, attention gives every word of the sentence a weight, and the mark at the end too. The model looks in many ways at once, called heads, each with weights of its own. The map shows the mean of all heads; a single head often looks at one word only. A weight says where the model looks, and an experiment says what it needs: with “{ $word }” hidden from the decoder, the probability of “{ $last }” goes from { $before } to { $after }; with any other word hidden, it is at least { $other }.
box_choose = Which word must the decoder see to write the last one? Vote, then hide it.
box_measured = Probability of “{ $last }”: { $before } → { $after }
average = In the frame: the row of “{ $row }”. Its largest weight is { NUMBER($most, style: "percent", maximumFractionDigits: 0) }, on “{ $word }”; its smallest is { NUMBER($least, style: "percent", maximumFractionDigits: 0) }.
box_look = Each row belongs to one word of the translation. The stronger the colour of a cell, the more the model looked at the word of its column while it wrote the word of its row.
box_map = The whole model. The path that predicts the last word is highlighted. Click a part to open it. The page Overview shows the same map for any token.
box_try = Hide this word from the decoder
box_done = The decoder can no longer look at “{ $word }”; the encoder has read it as before. How probable is the last word of the first translation now?
box_teacher = Let students point at words before anything is shown, and write two guesses on the board. Then let them vote for the word to hide, and hide a second one to compare. Aim: students see where the model looks, and that looking is not the same as needing. The page Overview shows the whole model on one screen; return to it at the end.
box_sheet = Draw a line from each word of the translation to the word of the sentence that you would look at.

## Pieces

pieces_title = What the model reads
pieces_question = How does the model read a word that was not in its training texts?
pieces_options = It skips the word and reads on|In smaller parts that it knows|Letter by letter, as we spell
pieces_answer = A frequent word is usually one token; a rare word is split into several. A token of its own, drawn as “end”, marks the end. Each token has a number in the vocabulary: the model reads these numbers, not letters. Each number stands for a vector, a list of learned numbers, called the token's embedding; all that follows is computed from it.
pieces_look = The tokens of the sentence and their numbers in the vocabulary. ▁ is the space before a word: “ball” with it and without it are two tokens.
pieces_try = Double the longest word
pieces_done = This word does not exist. Into which tokens was it split, and how did the model translate it?
pieces_teacher = Ask for a word that no dictionary contains and type it. Aim: a token is not a word. Note that the space before a word belongs to its first token.
pieces_sheet = Invent a word. Write one token into each box: above, how you think it will be split, below, how it was split.
pieces_guessed = as I think
pieces_split = as it was split

## Positions

positions_title = Where each word stands
positions_question = Without the position of each word, can the model still translate “the man sees the dog” and “the dog sees the man” differently?
positions_options = Yes, it reads from left to right|No, it cannot tell their order|Yes, grammar tells who sees whom
positions_answer = Attention compares words two by two and does not ask where they stand. So a model has to be given the positions. The first Transformer added to each word a vector that encodes its position; T5 changes each comparison by a number that depends on the distance; most models since 2021 turn what is compared by an angle that grows with the position. When the positions are set to zero, both sentences give the encoder the same set of vectors, and the translations become identical.
positions_look = Two sentences of the same words. Compare their translations, then what one head looks at.
positions_try = Set all positions to zero
positions_done = The words are the same, but the model no longer gets their positions. Compare the two translations.
no_twin = Here the words cannot be put in a second order. Type a sentence of three or more different words, or use the sentence of this scene.
positions_teacher = Hand out the words on cards and shuffle them. Aim: order is information that has to be given to the model. A comparison: in a library without shelf numbers, two arrangements of the same books look alike.
positions_sheet = Write the model's translations into the table. Then write two other sentences with the same words and different meanings.

## Head

head_title = One head, computed by hand
head_question = From each word's vector a head computes two lists of numbers: a query q (what the word looks for) and a key k (how it can be found). How can the head compare a q with a k?
head_options = Multiply them pair by pair, then add up|Count in how many places they are equal|Compare only their two largest numbers
head_answer = A word's vector gives q, k and v in the same way: for each number of q, multiply every number of the vector by its own learned factor and add. The factors form three matrices, one for q, one for k and one for v. Think of a library: q is what you ask for, k is the label on a book, v is what the book says. Where q and k are both large and have the same sign, the product is large, so the sum says how well the label fits the request. It is divided by √d_k (d_k is how many numbers q has). The softmax turns the results into positive shares that add up to 1: 2, 1 and 0 become 0.67, 0.24 and 0.09 (e², e and 1, each divided by their sum). These shares are the weights. The head's result is the sum of the contents v, each times its weight. Why √d_k? A sum of d_k random products spreads √d_k times as widely as one of them: the division keeps scores of the same size however long q is. Without it one share can come close to 1, and training can then hardly change it.
head_look = Above: the weights of one word. Below: its query q, the key k of every source word, and their dot products q·k. The weights above are computed from these sums.
head_try = Leave out the division by √d_k
head_done = Compare the bars: which word gets more weight without the division, and how much is left for the others?
head_teacher = Let two students check one sum with a calculator. Aim: attention is arithmetic. Introduce the comparison with a library here and use it from now on: request, label, book.
head_sheet = q is the query of one word, k and k' are the keys of two words. Multiply number by number, add up (Σ) and divide by √4. Which key gets more weight?
head_picture = The row of “{ $word }”: its products q·k with every source token, divided by √d_k, and below them the weights after the softmax.

## Heads

heads_title = Many heads
heads_question = The decoder is a stack of layers. In each layer several heads look at the source (cross-attention), each with its own q, k and v. At which words do they look?
heads_options = Each at words of its own|All at the same, then they vote|In one layer all at the same
heads_answer = In a trained model some heads follow the order of the words, some put much of their weight on the final punctuation or on the token “end”, some spread it over several words. Nobody programmed this. Without the cross-attention of one layer the translation often stays as it is or changes in a few words, because the other layers read the source too.
heads_look = Every head of cross-attention: layers from top to bottom, heads from left to right. In each map the largest weight has the strongest colour, so compare patterns, not colours.
heads_try = Switch off one layer
heads_done = The cross-attention of layer { $layer } is off. Which words of the translation changed, and which stayed?
heads_teacher = Give each pair of students one head to describe in five words, then sort the heads by “diagonal” on the page Explore. Aim: heads differ.
heads_sheet = Choose one head and describe it in five words. Which other head resembles it?

## Layer

layer_title = One whole layer
layer_question = Attention gives each word a result: a vector as long as the word's own. What does the layer do with these two vectors?
layer_options = The result replaces the vector|The result is appended to it|The result is added to the vector
layer_reply = Then the layers above would no longer have what the vector held before.|Then the vector would have more numbers after each layer. It always has as many as before.|Yes, number by number.
layer_answer = A layer works in steps. Attention brings each word a result from the other words, and it is added to the word's vector. The sum is normalised, that is, brought to a common size. A feed-forward network (two learned matrices with a simple function between them) reads this vector alone and no other word. Its result is added too, and the next layer receives the sum. These sums, from the first layer to the last, are called the residual stream. If attention's result takes the vector's place, what came before is missing in all later layers, and the translation usually falls apart.
layer_look = One word on its way through a layer. Add the first two rows.
layer_followed = “{ $token }” in layer { $layer } of the encoder: the first { $n } of { $width } numbers.
step_starts = the word's vector
step_attended = + result of attention
step_summed = = sum
step_normalised = (normalised sum)
step_fed = + result of feed-forward
step_ends = = sum for the next layer
step_normalised_post = normalised sum
step_ends_post = = for the next layer, normalised again
layer_try = Replace instead of adding
layer_done = In layer { $layer } of the encoder, attention's result now takes the place of each word's vector. Is the sentence still there?
layer_teacher = Let the class add the first two rows with a calculator, then show that the third says the same. Aim: a layer adds to a vector. Only attention looks at other words.
layer_sheet = Add the first two rows, number by number, and write the sums into the third. Fill in the last row the same way.
layer_expect = It is added. The third row is the sum of the first two, the last row the sum of the third and the fifth, up to rounding. When the result replaces the vector, the translation makes no sense.
layer_mistake = “The feed-forward network mixes the words once more.” It works on one word's vector at a time. Only attention carries something from one word to another.

## Encoder

encoder_title = Words take in their context
encoder_question = “watch” is the second word of “My watch is broken.” and of “I watch television every day.”, so in both it starts with the same vector. What does the vector of “watch” after the encoder depend on?
encoder_options = On all words of the sentence|On the word itself, nothing else|On the word and on its place
encoder_answer = Each layer adds something to the vector: information from the words that its heads looked at. So the same word has different vectors in different sentences. Something of the start remains, because a layer adds to the vector and does not replace it. A word that is hidden cannot pass on anything to the other source words; the decoder may still look at it directly.
encoder_look = How similar each word is to its starting vector after each layer: 1 is the same direction, 0 is no similarity.
encoder_mean = After the last layer: { NUMBER($mean, minimumFractionDigits: 2, maximumFractionDigits: 2) } on average.
encoder_start = start
encoder_layer = after layer { $layer }
encoder_try = Hide one word from the other words
encoder_done = In the encoder no other word can look at “{ $token }” any more; the decoder still can. Which words of the translation changed?
encoder_teacher = Compare two sentences in which one word has two meanings. Aim: a vector stands for a word in its sentence. Note that a cosine compares directions, not lengths.
encoder_sheet = Which word changed most between the first and the last layer? Give a reason.

## Mask

mask_title = Later words are hidden
mask_question = In training the decoder receives the whole correct translation. Why may it not look at the words that come later?
mask_options = Later words are of no use to it|The computation would take longer|It would only learn to copy them
mask_answer = A decoder that sees the next word learns to copy it and fails when translating, because then the next word does not exist yet. The mask sets all scores to the right of the diagonal to minus infinity, so their weights are 0. So all words of a translation can be learned in one pass, and each is predicted as if the rest were not yet written.
mask_look = One decoder head's self-attention: the translation looks at itself. With the mask, nothing lies to the right of the diagonal.
mask_try = Train a tiny model without the mask
mask_done = Two tiny models of { $n } numbers learned pairs such as “ich sehe hunde”, “i see dogs”, one with the mask and one without. In training both predict every next word correctly. Which can translate?
mask_teacher = Read a sentence aloud and stop; the class says the next word. Then show the rest and ask again: now it is too easy. Aim: with the mask, the model has the same task in training as when it translates.
mask_sheet = Colour the cells that the decoder may see while it predicts the third word. Then do the same for all rows.
mask_measured = Writing by itself, the model with the mask gets { $masked } of { $n } translations right, the one without { $unmasked }. With another source sentence that one still predicts { $copied } of the words shown: it copies.
mask_with = trained with the mask
mask_without = trained without the mask
mask_forced = right next words, as in training
mask_exchanged = the same, but with another sentence to translate
mask_written = translations written right by itself

## Loss

loss_title = What training reduces
loss_question = In training the decoder is given the right translation up to some word. The model gives the correct next word a probability of 0.2. Which quantity does training reduce?
loss_options = The share of wrong sentences|The number of wrong words|The surprise at this word
loss_reply = A whole sentence is not counted as right or wrong: each of its tokens is looked at.|A count of errors stays the same when the learned numbers change a little, so it shows no direction.|Yes. The surprise is −ln p: 1.6 for a probability of 0.2, and 0 for 1.
loss_answer = The decoder's last vector, times a learned matrix, gives each token of the vocabulary a score, and the softmax turns the scores into probabilities. The surprise at the right token is −ln p, the natural logarithm of its probability with the sign changed: 0 for 1, 0.7 for one half, 2.3 for one tenth; its unit is the nat. Its mean over all tokens is the loss, and training makes the loss smaller. Each row is given the right tokens so far, even where the model would have chosen another (teacher forcing); its right answer is the next one, which is hidden from it. The gradient says for each of the { NUMBER($n, useGrouping: "always") } learned numbers in which direction the loss falls. One small step lowers it here from { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } to { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
loss_look = Each row: the token that the decoder has just been given, the right next token, and the model's own first choice where it is another.
loss_head = given|right next token|model's own choice|p|−ln p
loss_head_after = p after|−ln p after
loss_said = Loss (mean of −ln p, in nats per token): { $before } → { $after }
loss_own = No person's translation of this sentence is stored: the model's own stands for the right one.
loss_try = Make one step of training
loss_done = A copy of the model has learned from this one pair of sentences; the model in use is unchanged. Which right token gained most?
loss_teacher = Read out the beginning of the right translation and ask for the next word. Several are good, but only the one in the data counts. Aim: training raises the probability of the right next token, step by step.
loss_sheet = The table has p and −ln p of each right token. Compute the mean of −ln p: it is the loss before the step. Which token adds most to it?
loss_expect = The surprise at the right word. On the sheet, the mean of the last column is the loss before the step, up to rounding; the token with the smallest p adds most.
loss_found = In this sentence the right token “{ $right }” gains most: from { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } to { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }. Before the step the model's own choice was “{ $own }”.
loss_mistake = “In training the model goes on from its own words.” It is given the right ones, also after a word that it would have chosen otherwise. Only when it translates does it read what it has written, its mistakes included, which it has never practised (exposure bias).
loss_smoothing = Why is p never exactly 1, even where the model is right? In its training the right token counted 0.9, and the remaining 0.1 was spread over all tokens (label smoothing), so that a p very close to 1 was a loss too.
loss_pair = given → right next token
loss_mean = mean
before_step = before the step
after_step = after the step

## Cross

cross_title = From the translation back to the source
cross_question = In cross-attention each row of the map is one step of the decoder: it reads a word and predicts the next. Should a row be labelled with the word read or with the word predicted?
cross_options = Only with the word that it reads|With either, it is the same step|Only with the word that it predicts
cross_answer = Here the query q comes from the decoder, the keys k and values v from the encoder: the decoder asks, and the source words answer. In the library: the request is written in the language of the translation, the labels and books are in that of the source. One step reads the word just written and predicts the next, so both labels are right. It is easy to read such a map one row off, so always check the label.
cross_look = Rows: the translation (q from the decoder). Columns: the source (k and v from the encoder). A large weight on “end” or the full stop often means that the head has little to pass on (an attention sink); in the last rows it can decide that the sentence ends.
cross_picture = Rows: the translation (q from the decoder). Columns: the source (k and v from the encoder).
cross_try = Label the rows the other way
cross_done = The cells are the same; the labels have moved by one row. With which labels does each word look at the source word of the same meaning?
cross_teacher = One student reads the rows, another the columns. Aim: know what a row means before drawing conclusions.
cross_sheet = For two words of the translation, write the two source words with the largest weights.

## Beam

beam_title = Choosing the words
beam_question = At each step the model gives every token a probability. Should it always take the most probable one?
beam_options = Yes, that makes the whole likeliest|No, a good start can have a bad end|It makes no difference to the text
beam_answer = The decoder's last vector, times a learned matrix, gives each token of the vocabulary a score (its logit), and the softmax turns the scores into probabilities. Greedy decoding takes the most probable token each time. Beam search keeps several unfinished translations. At every step it compares all their continuations and keeps the best few. It may therefore find a sentence that is more probable as a whole. Regard divides the logarithm of the probability by the length, so that long translations are not at a disadvantage; the winner may then be a little less probable.
beam_look = The most probable tokens at the step where the two translations first differ.
beam_same = Both methods translate this sentence alike. Here is the step at which the model was least certain.
beam_try = Keep four unfinished translations
beam_seen = Beam search keeps four unfinished translations. Does it choose another one?
beam_done = This is beam search with width four. Does it choose another translation? The page Decode shows the whole tree.
beam_teacher = Together, find the step where the model is least certain, and ask which token a person would choose. Aim: the search method is a choice separate from the model.
beam_sheet = A and B are the two translations from the token on at which they part. Multiply the probabilities of each. Which one does greedy decoding write, and which is more probable?
beam_product = product

## Explain

explain_title = Is it an explanation?
explain_question = One head of cross-attention is more focused than all others, so it looks important. If it is switched off, what happens to the translation?
explain_options = Its words stay as they are|One of its words is replaced|Its words become nonsense
explain_answer = A map shows where a head looks. Only switching it off shows what the translation loses without it. If nothing changes, the head may still have a role: the translation may become less probable although its words stay, the head may matter in other sentences, or other heads may pass on the same information. { $counted }
explain_count =
    Of the { $n_heads } heads of cross-attention, { $n_change } { $n_change ->
        [one] changes
       *[other] change
    } this translation when switched off one at a time.
explain_open = How many of the { $n_heads } heads of cross-attention change this translation? Try { $n } of them in the grid, then the number stands here.
explain_many = That is many. At its least certain step, the model gives the two most probable tokens nearly the same probability, { NUMBER($first, minimumFractionDigits: 2, maximumFractionDigits: 2) } and { NUMBER($second, minimumFractionDigits: 2, maximumFractionDigits: 2) }, so a small change is enough to swap them. Try a sentence of which the model is more certain.
heads_which = Of these three heads, one follows the words, one looks more at the end of the sentence than all others, and one spreads its weights most. Which is which?
heads_follows = { $head }: follows the words
heads_ends = { $head }: looks at the end
heads_spreads = { $head }: spreads its weights
meanings = “{ $word }” has the same embedding and the same place in both sentences. After the encoder the cosine of its two vectors is { NUMBER($apart, minimumFractionDigits: 2, maximumFractionDigits: 2) }. In “{ $one }” and “{ $same }”, where it means the same, the cosine is { NUMBER($alike, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
heads_found = These heads of cross-attention change the translation of this sentence when switched off one at a time (layer·head): { $heads }.
heads_none = No head of cross-attention changes the translation of this sentence when the heads are switched off one at a time.
explain_look = The most focused head. The button switches it off.
explain_try = Switch this head off
explain_done = Compare the two translations. Then look for a head that changes a word when it is switched off.
explain_teacher = The most important scene. Let the class vote before you press the button, then let groups hunt for a head that changes a word. Aim: seeing where a head looks is not an explanation.
explain_sheet = Write one thing that an attention map can tell you, and one that it cannot. Which heads did you try?

## Train

train_title = Watch heads form
train_question = Before training all parameters are random numbers. What do the attention maps look like then?
train_options = Already diagonal, but faint|Spread out over all the words|All on the very first word
train_answer = Random parameters give random scores, so the weights are spread out: in the untrained copy the largest weight of a row is { NUMBER($fresh, minimumFractionDigits: 2, maximumFractionDigits: 2) } on average, where a perfectly even row would have { NUMBER($even, minimumFractionDigits: 2, maximumFractionDigits: 2) }. In the same head of the trained model, its most focused one, it is { NUMBER($trained, minimumFractionDigits: 2, maximumFractionDigits: 2) }. Nobody programs these patterns. Training changes the parameters a little after each small group of sentences (a batch), so that the right next token becomes more probable.
train_look = The most focused head of the trained model. The button starts a tiny model that learns while you watch, and shows this head before training, with random parameters.
train_try = Train a tiny model to copy letters
train_seen = The same head before training and after it. How does each row spread its weight?
train_done = The tiny model learns to copy letters. Watch for the step at which a diagonal appears.
train_teacher = Start the training, then talk while it runs; it takes less than a minute on two cores. Aim: the patterns are learned, nobody programs them. The page Fine-tune offers more to train.
train_sheet = Colour the map of a head as you expect it: on the left before training, on the right after it.

## Share

share_title = Test a claim
share_question = Somebody shows you an attention map and says: “This head found the noun, so the translation needs it.” How do you check that?
share_options = See how strong the cell's colour is|Look at the head in a larger picture|Translate again without that head
share_answer = A claim about a head needs three things: which layer and head it is, what a row of the map means, and what happens when the head is switched off, in more than one sentence. The link contains the sentence, the head, the labels and your claim, so others can repeat your experiment.
share_look = Choose a head, write what you think it does, and test it on several sentences.
share_try = Test it: switch this head off
share_done = Which translations changed? Does the result support the claim?
share_teacher = Each student sends one link with one claim and its test. Aim: a claim comes with a way to check it. Then show the page Overview once more.
share_sheet = My claim, the head, the sentences, what changed, and the link.
vote = Guess
explain_now = Explain
same = The translation has not changed.
route = Route
route_short = 45 min
route_full = 90 min
timer_start = Start the timer
timer = { $spent } of { $total } min · this scene until minute { $until }
own_sentence = Use the sentence of this scene
kept = The link in the address bar keeps the scene and your guesses.
teacher_do = What to do.
teacher_expect = Expected answers.
teacher_mistake = Common misconception.
teacher_line = { $heading } { $text }
slides = Slides
worksheet_this = Worksheet for this scene
is_off = This head is switched off. Its weights are drawn faintly because they no longer affect the translation.
need_translation = This scene needs a model that translates. The model in use only reads text.
need_reader = This scene needs the model that reads handwriting, which is missing from this installation.
need_sentence = This scene works on a sentence. The model in use reads the pictures of words; the scene “It reads your handwriting” is about it.
need_decoder = This scene needs tiny-decoder, which is not in this installation. It belongs in pretrained/tiny-decoder.
need_scale = The model in use does not divide its scores by √d_k, so this scene has nothing to leave out.
need_words = This scene changes words. The model in use has no vocabulary and reads numbers.
tried_elsewhere = The lesson was made with the model en-fr. With this one an experiment may show something else, or nothing.
tried_here = The experiments were also tried on this model; the expected answers were measured on en-fr.
decoder_title = The same design, decoder only
decoder_about = Without the encoder and its cross-attention, what is left reads a text and predicts the next token, again and again. GPT and Llama are built like this. The model tiny-decoder has four such layers: watch it continue a sentence, switch its heads off, and compare with what you have seen in this lesson.
decoder_open = Open tiny-decoder
use_shipped = Use the translation model
off = off
with_scale = weights, divided by √d_k
without_scale = weights, not divided
twin = Sentence
with_positions = with positions
without_positions = without positions
hunt = Head hunt: click a head to switch it off. Heads tried: { $tried }. Heads that change the translation: { $changed }. The number is the change in log p, the natural logarithm of the probability of the first translation: −0.7 makes it half as probable.
hunt_cell = layer { $row }, head { $column }: log-probability of the translation changes by { $value } nats (natural logarithm: −0.7 halves the probability)
hunt_unknown = not tried yet
aligning = Layer { $layer }, head { $head }: of all heads of cross-attention, it puts the most weight on the source word that each written word depends on. (That is the source word without which its probability falls most.)
train_start = Train a tiny model to copy letters
train_again = Train again
train_left = trained
train_right = untrained
claim = Your claim about this head
claim_hint = This head finds the noun, so without it …
claim_on = head on
claim_off = head off
claim_sure = probability of the first one, per token
claim_said = { $changed } of { $total } translations changed.
link = Link to this claim
link_note = This link holds the sentence, the head and every change. The page Explore exports pictures, tables and a page that opens offline.
box_reply = Yes. Every word gets a weight, large or small.|Not only at the last: the two languages often put words in another order.|That word often has the largest weight, but every other word has some too.
box_expect = At all the words, with different weights. Most of them can be hidden and the last word stays almost as probable; without one of them it does not.
box_mistake = “It translates word by word.” Show a sentence whose words change order, and ask where the last word of the translation stands in the sentence.
pieces_reply = It does not skip it: the parts of the word are in the vocabulary.|Yes. These parts are called tokens.|Only where the vocabulary has no larger part that fits.
pieces_expect = In smaller parts. The doubled word becomes two or more tokens. Its translation may invent a word, repeat one, or stay as it was.
pieces_mistake = “What the vocabulary lacks cannot be read.” Type 猫: a character without a token of its own is read as its bytes, three tokens after ▁, which stands for the space. A vocabulary without tokens for bytes reads it as unknown. Reading a character is not the same as understanding it: look at the translation.
positions_reply = The encoder does not read from left to right: it receives all words at once.|Yes. Without positions both sentences are the same set of words.|In both sentences the words have the same forms: only their order tells who sees whom.
positions_expect = No. Without positions both sentences get the same translation. With the shuffled words, the largest change of any weight is 0 up to rounding.
positions_mistake = “It reads the words one after the other.” The encoder receives all words at the same time; only the decoder writes one after the other.
head_reply = Yes. This sum is called the dot product.|The numbers are decimals: almost none of them are ever equal.|One number would decide alone, and all others would be ignored.
head_expect = Multiply and add. On the sheet: q·k = 3, divided by √4 = 2 gives 1.5; q·k' = 8 gives 4. So the second key gets more weight.
head_mistake = “A large number in q means a large score.” A large number in only one of the lists adds little; both must be large.
heads_reply = Yes. Compare the small maps: hardly two are alike.|There is no vote: the results of all heads are placed side by side and combined by one more learned matrix, W_O.|Look at the rows of the grid: the heads differ in every layer.
heads_expect = Each at words of its own. Without one layer a tense or a pronoun may change, but the sentence usually keeps its meaning.
heads_mistake = “A head with a clear pattern is important.” A pattern shows where a head looks, not whether the translation needs it. “Is it an explanation?” tests that.
encoder_reply = Right. In each layer its heads bring it something from the other words of its sentence.|The embedding is the same. But in each layer something from the other words is added.|The position is the same. But the other words are not, and something from them is added.
encoder_expect = On all words of the sentence. Where “watch” has another meaning, its two vectors are less similar than where it has the same. The similarity to the start falls from layer to layer but does not reach 0. Characters read as bytes change more than words.
encoder_found = In this sentence “{ $most }” changes most between start and last layer, “{ $least }” least.
encoder_mistake = “A word has one fixed meaning in the model.” Only its embedding is fixed; after the first layer it depends on the sentence.
mask_reply = They would be of the greatest use: the next word is the answer itself.|In training the mask saves no time: all scores are computed, and some are then set to minus infinity. It is when the model writes that it saves time: the vectors of earlier words never change again, so they can be kept.|Yes. The next word is the answer that it has to predict.
mask_expect = It would only learn to copy. The tiny model trained without the mask looks at later words, and cannot translate a single sentence. On the sheet, the third row has three cells coloured (the begin token and two words).
mask_mistake = “More information always helps.” Only if the model was trained with it and will have it when it is used.
cross_reply = That is the word that the step reads, and it is one of two valid labels.|Yes. One step reads a word and predicts the next.|That is the word that the step predicts, and it is one of two valid labels.
cross_expect = With either: both name the same step. With the label “token predicted” most words stand beside the source word of the same meaning, on this head. Other heads fit the label “token read” better.
cross_mistake = “A strong colour on the full stop means that the full stop is important.” Often it is a sink: the head puts its weight there when it has little to pass on. Test it: hide the token and translate again.
beam_reply = Not always: the most probable first word can lead to improbable words later.|Right. The best sentence need not begin with the best word.|For many sentences it makes none. For others the beam finds a more probable translation.
beam_expect = No. Greedy decoding writes A, because its first token is the more probable one. On the scene's own sentence the product of A is 0.08 and that of B 0.12.
beam_mistake = “The most probable translation is the best one.” It is the one that the model finds most probable; people may prefer another.
explain_reply = Yes, in most sentences and for most heads. Look for an exception.|In some sentences, with some heads: look for one in the head hunt.|One head of many is rarely enough for that.
explain_expect = Often nothing changes. A map can tell where a head looks; it cannot tell whether the translation depends on it.
explain_mistake = “No change, so the head is useless.” One sentence and one head at a time prove little: try other sentences, and two heads together.
train_reply = Random numbers are very unlikely to give a diagonal: it is learned.|Yes, though not perfectly evenly.|Random numbers have no reason to choose the first word. Where one word gets more, that is chance.
train_expect = Spread over all words. After training on copying, a head of cross-attention shows a diagonal.
train_mistake = “The programmers decided what each head does.” They decided only how many heads there are; training did the rest.
share_reply = The colour shows where the head looks, not what the translation would be without it.|A larger picture shows the same weights.|Yes. That is an experiment, and anybody can repeat it.
share_expect = Switch the head off and translate again. A good claim names layer, head, sentences, and what changed.
share_mistake = “The model understands.” Ask which experiment would have another result if it did not.
shows = Measured: your sentence shows what this scene is about.
shows_not = Measured: your sentence does not show what this scene is about. The experiment can be made all the same, or take the sentence of this scene.
quiz_sheets = Quiz to print
in_code = In code
in_code_checked = The same lines, run on the queries, keys and values of this head: their weights differ from the network's by { $furthest } at most, which is rounding. The network computes all heads and a batch of sentences at once.
pattern = The feed-forward network works like a memory of patterns: its first matrix compares the vector with { $n } patterns, and each pattern that is found (its number is above 0) adds its own vector through the second matrix. In “{ $token }” { $above } of the { $n } are found. The strongest is number { $strongest }, with { $value }.
pattern_words = In the { NUMBER($n, useGrouping: "always") } sentences of the shipped corpus it is largest for { $words }.
costs = What this costs, and what a recurrent network does instead
costs_attention = self-attention
costs_recurrent = recurrent network (GRU)
costs_formula = multiplications in a layer, for n tokens of d numbers
costs_of = in millions, for n = { NUMBER($n, useGrouping: "always") } and d = { $d }
costs_steps = steps that must follow each other, for n = { $n }
costs_path = steps from the first token to the last, for n = { $n }
costs_said = Before 2017 a network read one token after the other and passed on one vector. Attention compares all pairs at once: in training all tokens are computed at the same time, and any token reaches any other in one step. The price is the n²: in a long text the pairs cost most.

## Handwriting

reader_title = It reads your handwriting
reader_question = A model gets the picture of a word, cut into narrow strips, and writes the word letter by letter. At which strokes does the model look while it writes the second letter?
reader_options = At the whole word, evenly|At part of the second letter|At the letter it wrote before
reader_reply = No: one head goes along the word. While a letter is written, almost all its weight lies on one or two strips.|Yes. One head goes along the word, letter by letter, as the finger did.|That letter is known already: the decoder has written it. The head has gone on to the right of it.
reader_answer = Head { $head } goes along the word: while “{ $second }” is written, one of the { $strips } strips gets { $share } of its weight. A strip takes the place of a word here: one linear layer makes a vector of its pixels, and from there on everything is as with words. That the letter depends on these strokes is shown only by painting them over: “{ $letter }” goes from { $before } to { $after }. { $outcome } The model has learned language too: without any look at the picture, after “{ $begun }” it finds “{ $expected }” most probable, with { $chance }.
reader_gap = It does not guess the letter: it reads the empty paper as a gap.
reader_read = It still writes the letter: what is left on the paper and the letters before are enough.
reader_other = It reads something else in what is left.
reader_look = Choose a letter. Coloured: the strips that one head looks at while that letter is written.
reader_picture = Coloured: the strips that one head looks at while the second letter is written.
reader_try = Paint a letter over
reader_done = “{ $letter }” is painted over with paper. What does the model write in its place: the letter, another one, or a gap?
reader_measured = Probability of “{ $letter }”: { $before } → { $after }. Now read: “{ $text }”. Language alone, after “{ $begun }”: “{ $expected }” with { $chance }.
reader_short = Write a word of at least two letters.
reader_letter = Letter to paint over
reader_whole = as written
reader_painted = painted over
reader_class = Words of the class
reader_teacher = Let somebody write a word, on the pad or on a phone (Room, “Write a word with a finger”). Before the experiment the class says what the model will write where the letter is missing. Aim: the same attention works on a picture, and where it looks is again a claim that has to be tested.
reader_sheet = Below each letter of the word draw a line to the strokes at which you would look to read it.
reader_expect = At part of the second letter. In “beauty”, without the u, the model writes a gap, although it expects the u after “bea”.
reader_mistake = “It guesses the missing letter.” It has learned which letters follow each other, but empty paper is something that it sees: a gap between two words.

## Since 2017

since_title = Since 2017
since_about = **No encoder.** One stack reads the text and continues it; cross-attention is gone.|**Rotary positions.** No vector is added: q and k are turned by an angle that grows with the position.|**RMSNorm.** A vector is divided by its own root mean square; no mean is subtracted.|**A gated feed-forward network.** One half of its numbers opens or closes the other half.|**Grouped keys.** Several heads share one k and one v.|**Experts.** The largest models have many feed-forward networks in a layer and use only a few of them for each token.
since_question = A language model has read ten tokens and adds one. For which tokens must its layers compute new vectors?
since_options = For none, it recalls the rest|For all eleven of them|For the token just added
since_reply = Each layer has a vector of its own for the new token: from it the next token is predicted.|That is what happens without a cache, and the vectors of the ten come out as before.|Yes. Of the other ten, k and v are kept from the steps before.
since_answer = The mask keeps a token from seeing later ones. So the k and v of earlier tokens never change again, and they can be kept: this is the cache. Of each token tiny-decoder needs { $layers } layers × { $keys } heads × { $width } numbers of k and v = { NUMBER($kept, useGrouping: "always") }. If all { $heads } heads had a k and a v of their own, it would be { NUMBER($whole, useGrouping: "always") }. In a long text this is what fills the memory, so several heads share one k and one v (grouped keys). The table shows what else has changed since 2017.
since_look = The model in use beside tiny-decoder, which is made as today's language models are.
since_try = Leave out the cache
since_done = tiny-decoder goes on from “{ $begun }”, with its cache and without it. Does it write other words, and how much more does it compute?
since_measured = Token vectors in each layer: { $cached } with the cache, { $uncached } without it. Written: “{ $text }”
since_axis = token vectors
since_teacher = Let the class add up the numbers from 1 to 10 before the experiment. Aim: the Transformer of 2017 is still there, and most of what has changed makes it cheaper or its training more stable.
since_sheet = For each model multiply layers × heads with a k and a v × numbers of both. How many numbers does it keep of a text of 1,000 tokens?
since_expect = For the one that was just added. Without the cache the words stay the same, and each token takes more work than the one before.
since_found = The products of the sheet: { $own }, and { $decoder } for tiny-decoder; for 1,000 tokens a thousand times as many.
since_mistake = “The cache keeps answers.” It keeps k and v of every token that was read. What comes next is computed each time.
since_layers = layers
since_layers_both = { $encoder } in the encoder, { $decoder } in the decoder
since_layers_alone = { $decoder }, decoder only
since_order = order of the words
since_order_added = a vector is added to each word's
since_order_turned = q and k are turned (rotary)
since_order_scores = a number is added to each score
since_order_none = not given
since_norm = norm
since_norm_mean = mean and size (LayerNorm)
since_norm_size = size alone (RMSNorm)
since_fed = feed-forward
since_fed_plain = { $n } numbers
since_fed_gated = { $n } numbers, gated
since_keys = heads with a k and a v
since_keys_of = { $keys } for { $heads } heads
since_width = numbers of a k and a v
since_kept = kept of each token
