### Words of the sentence stage.

another = Type another sentence
glossary = Glossary
tour = Tour
tour_help = New here? 60 seconds
tools = Tools for the sentence
skip = Go to the sentence
skip_page = Skip to the page
nothing = Write a sentence first, or choose one below.
recent = Recent sentences
link = Link
link_help = Copy a link that restores everything on screen
copied = Copied
copy_from_bar = Copy it from the address bar
translate = Translate
box = Sentence to translate
surprise = Switch head { $head } off: “{ $before }” becomes “{ $after }”
undo_change = Undo
try_own = Try your own sentence
source_row = Source tokens
target_row = Translation tokens
scrolls = Wider than the screen: scroll with the arrow keys
examples = Sentences to try
source = Source
target = Translation
text = Text
prompt = Prompt
continuation = Continuation
next = Next token
language_en = English
language_fr = French
language_de = German
language_zh = Chinese
said = Translation: { $text }
verdict_same = The words stay the same, each as probable as before.
verdict_probability = The words stay the same; “{ $word }” is now { $after } probable instead of { $before }.
verdict_said = The translation is now: { $after }. Before: { $before }.
empty = Write a sentence, or choose an example.
cut = Too long: the first { $kept } of { $total } tokens are read. Shorten the text so that all of it is read.
long = A long text: this page reads it in blocks of tokens, the other pages read its first { $kept } tokens.
unknown = The model's vocabulary does not contain { $characters }; the model reads “unknown” instead.
bytes = The model's vocabulary does not contain { $characters }; the model reads their bytes one by one instead.
breaks = Line breaks are read as spaces.
no_link = This text is too long for a link: with the link, send the text too.
change_no_link = The link leaves out a change that holds too many numbers: make that change again where you open the link.
lost = The sentence of this link was too long for a link. Paste it with “Type another sentence”.
unfinished =
    The translation was stopped at { $n } { $n ->
        [one] token
       *[other] tokens
    }, before the model finished it.
unfinished_alone =
    The continuation was stopped at { $n } { $n ->
        [one] token
       *[other] tokens
    }, before the model ended it.
token = token { $piece }, id { $id }
token_probability = token { $piece }, id { $id }, probability { $probability }
