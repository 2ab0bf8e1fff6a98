### Words of the site for a model without an encoder, in place of those of site.ftl with the same names.

tagline = A small Transformer without an encoder continues a text in this page. See where every attention head looks.
stage = The text and its continuation
source_words = The text so far
translation = Continuation
the_start = the start token
line_end = To end the text, the decoder looks at { $seen }.
try_own = Try your own beginning
changed = The text has changed.
share_foot = See where a Transformer looks while it writes
heads_of_cross = Heads of the self-attention: layers down, heads across
heads_caption = Each square is one head of the self-attention.
matter_done = The fuller a square, the less probable this continuation is without the head.
level_sentence = The text
level_heads_hint = Every attention weight of the model, for this text.
level_model_hint = The same design, decoder only. It reads the text so far, writes one token, and starts again with it.
level_break_hint = Change one thing and read how the text goes on. The bars are the words that the model weighs here: choose another one.
plan_says_end = The decoder has written the end token: the text is complete.
questions = Five questions
ask_cross = How does it know what comes next?
ask_cross_about = For each new word the decoder gives every word so far a weight. Click the words that it wrote and follow the widest ribbon.
ask_model = What is left without an encoder?
ask_model_about = One stack of layers, and the loop: the decoder runs again for each word and reads what it has written.
placeholder = Type the beginning of an English sentence
translate = Continue
examples = Beginnings to try
step_so_far =
    Writing: { $step } { $step ->
        [one] token
       *[other] tokens
    }, at most { $most }.
empty = Type a beginning first.
failed_long = This text has { $n } tokens; the page takes { $most }. Shorten it.
failed_memory = This device has too little free memory for the model. Close other tabs and reload the page. The beginnings to try still show their stored continuations.
cut = The text did not end by itself and was cut.
long = This is far longer than the texts the model learned from.
unchanged = The continuation stays the same. Its probability may have changed.
said_chip = goes on with “{ $words }”
