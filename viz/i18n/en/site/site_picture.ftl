### Words of the site for a model that reads handwriting, in place of those of site.ftl with the same names.

tagline = A small Transformer reads handwriting in this page. See where every attention head looks.
description = A small Transformer reads your handwriting in your browser, and you see which strokes it looks at for each letter.
stage = The written word and what the model reads
source_words = The written word, cut into strips
translation = What the model reads
the_end = the end of the word
line_end = To end the word, the decoder looks at { $seen }.
line_source_none = This head hardly looks at { $seen } for any letter.
candidates = What the next letter could be
press_word = Point at a letter: the ribbons show which strokes the model looks at.
try_own = Write your own word
changed = The reading has changed.
share_foot = See where a Transformer looks while it reads handwriting
matter_done = The fuller a square, the less probable this reading is without the head.
level_sentence = The word
level_head_hint = What the head of the ribbons computes for the chosen letter. Each key is a strip of the picture, numbered from the left.
level_heads_hint = Every attention weight of the model, for this word.
level_model_hint = The encoder reads the strips of the picture once. The decoder runs once for each letter, and reads what it has written so far.
level_break_hint = Change one thing and read what becomes of the word. The bars are the letters that the model weighs here: choose another one.
plan_says_loop = Round { $n }: the decoder writes “{ $word }” and starts again with it.
plan_says_end = The decoder has written the end token: the word is complete.
plan_says_still = One letter a second; the squares show how strongly each head looks at one strip.
questions = Six questions
ask_cross = Where does it look?
ask_cross_about = For each letter the decoder gives every strip of the picture a weight. Point at the letters and see the ribbons go along the word.
ask_positions = Does it matter where a strip stands?
ask_positions_about = The strips are told apart by a position code. Here it is reversed: the same strokes, counted from the other end.
ask_model = What happens between the picture and the word?
ask_words = Could it have read something else?
ask_words_about = At each step it weighs every letter that it knows. At a higher temperature it also takes less probable ones.
examples = Words to try
step_so_far =
    Reading: { $step } { $step ->
        [one] letter
       *[other] letters
    }, at most { $most }.
empty = Write a word first.
failed_source = This is no written word. Write one, or choose an example.
failed_memory = This device has too little free memory for the model. Close other tabs and reload the page. The words to try still show their stored readings.
cut = The reading did not end by itself and was cut.
hide = Hide strips
hide_about = Choose some: the decoder can no longer look at them.
hidden_chip = strip { $word } hidden
blocked_chip = strip { $word } hidden: { $kind } { $place }, row { $row }
positions = Order of the strips
positions_about = The strokes stay. What changes is the code that tells the encoder where each strip stands.
force_hint = In the open head, { $head }: the row looks at the strips that you choose, equally at each, and at no other.
unchanged = The reading stays the same. Its probability may have changed.
