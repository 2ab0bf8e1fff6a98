### Words of what stands below the sentence when its translation cannot be trusted.

far = This sentence is unlike those that the model was trained on, so its attention may mean little.
unread_in = This model reads { $language }: most of this text is unknown to it.
unread = Most of this text is unknown to this model.
unread_other = The model { $name } reads it.
unread_none = No model that is open here reads it; one of your own can be opened under Models.
use_model = Use { $name }
split = Try it in shorter sentences.
plain = Try everyday words.
plain_in = Try everyday { $language } words.
whole = Try a whole sentence.
whole_in = Try a whole sentence in { $language }.
language_en = English
language_fr = French
language_de = German
language_zh = Chinese
loop = The translation repeated “{ $text }” again and again, so it was stopped.
loop_cut =
    The translation repeats “{ $text }” again and again, and was cut at the limit of { $n } { $n ->
        [one] token
       *[other] tokens
    }.
loop_ended = The translation repeats “{ $text }” again and again.
loop_alone = The continuation repeated “{ $text }” again and again, so it was stopped.
loop_cut_alone =
    The continuation repeats “{ $text }” again and again, and was cut at the limit of { $n } { $n ->
        [one] token
       *[other] tokens
    }.
loop_ended_alone = The continuation repeats “{ $text }” again and again.
capitals = The model knows few words that are written in capitals.
lower = Read it in lower case
