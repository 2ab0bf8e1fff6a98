### The quiz before the lesson, and the one after it: the same ten ideas, asked in another way.

unknown = I do not know
tokens = Tokens
tokens_before = “unfoldable” is not in the model's vocabulary, but un, fold and able are. What does the model read?
tokens_before_options = un, fold and able|one unknown word|ten single letters
tokens_after = “unopened” is not in the model's vocabulary, but un, open and ed are. How many tokens does the model read?
tokens_after_options = 3|1|8
tokens_why = What the vocabulary lacks is read in the parts that it has. These parts are the tokens.
dot = Score q·k
dot_before = A query is q = (1, 2) and a key is k = (3, 1). What is their score q·k?
dot_before_options = 5|7|6
dot_after = A query is q = (2, 1) and a key is k = (1, 4). What is their score q·k?
dot_after_options = 6|8|9
dot_why = Multiply the first numbers, multiply the second numbers, and add: 1·3 + 2·1 = 5, and 2·1 + 1·4 = 6.
softmax = Softmax
softmax_before = Three words have the same score. Which weights does the softmax give them?
softmax_before_options = One third each|Each the full 1|Each the value 0
softmax_after = One of three words has a far higher score than the others. Which weights does the softmax give them?
softmax_after_options = Almost 1, 0 and 0|Almost 3, 0 and 0|One third to each
softmax_why = The softmax turns scores into positive shares that add up to 1: equal shares for equal scores, and nearly everything for a score that is far higher.
rest = Sum of a row
rest_before = One row of a map gives 0.6 to one word and 0.3 to a second. What is left for all the others together?
rest_before_options = 0.1|0.9|1.0
rest_after = One row of a map gives 0.25 to each of three words. What is left for all the others together?
rest_after_options = 0.25|0.75|1.00
rest_why = The weights of one row add up to 1.
mask = Mask
mask_before = What would a decoder learn in training if it saw the next word of the right translation?
mask_before_options = To copy that word|To translate faster|To avoid mistakes
mask_after = The decoder is about to write the third word of a translation. Which words of the translation may it look at?
mask_after_options = Those before it|Those after it|All except it
mask_why = A mask hides the later words: in training the next word is the answer, and in use it is not written yet.
cross = Cross-attention
cross_before = Cross-attention connects the encoder, which reads the sentence, and the decoder, which writes the translation. Which words look at which?
cross_before_options = Translation looks at sentence|Sentence looks at translation|Sentence looks at the sentence
cross_after = The model writes “chien” for “The dog sleeps”. Which kind of map shows whether it looked at “dog”?
cross_after_options = Cross-attention|Encoder self-attention|Decoder self-attention
cross_why = In cross-attention the queries come from the translation so far, the keys and values from the sentence.
order = Order of words
order_before = Without positions, “dog sees man” is given to an encoder in place of “man sees dog”. What does it compute for “dog”?
order_before_options = The same vector|The vector of man|A vector of zeros
order_after = An encoder is given no positions. Which pair is the same to it?
order_after_options = Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom
order_why = Attention itself does not know where a word stands. Without positions, the same words in another order are the same input.
beam = Beam search
beam_before = First word: A has 0.6, B has 0.4. After A the best second word has 0.3, after B it has 0.9. Which pair of words is more probable?
beam_before_options = The one with B|The one with A|Both equally
beam_after = First word: A has 0.5, B has 0.3. After A the best second word has 0.4, after B it has 0.8. Greedy decoding begins with A. What does it miss?
beam_after_options = A more probable pair|A more probable first word|Nothing, A is better
beam_why = The probabilities of a pair are multiplied: 0.6·0.3 = 0.18 is less than 0.4·0.9 = 0.36, and 0.5·0.4 = 0.20 is less than 0.3·0.8 = 0.24. A beam keeps several beginnings for that reason.
training = Training
training_before = What does training change in the model, step by step?
training_before_options = The learned numbers|The number of layers|The list of tokens
training_after = In training the model gives the right next word a probability of 0.1. What is that probability right after one step of training on this example?
training_after_options = Somewhat higher|Somewhat lower|Exactly the same
training_why = Each step changes the parameters a little, so that the right next word becomes more probable. Layers and vocabulary stay as they were made.
off = What a weight proves
off_before = A head puts 90% of its weight on one word. What do you know for certain?
off_before_options = The head reads that word|That word caused the output|Other words do not matter
off_after = You switch one head off, and the translation stays the same. What do you know for certain?
off_after_options = It was not needed here|It is never of any use|It looked at no word
off_why = A weight says where a head reads. Whether that matters, an experiment says, and only for the sentence that was tried.
