### Words of the pad on which a word is written by hand, in the application, on the site and on phones.

pad = A pad: write a word here with a finger, a pen or the mouse
pad_hint = Write a word here: letters of any hand, or drop a picture
pad_undo = Undo
pad_rub = Rub out
pad_clear = Clear
pad_choose = Picture …
pad_no_picture = There is no writing to be seen in this file. Choose a picture with dark writing on a light ground, or light on dark.
strip = strip { $text }
written_word = Written
read_word = Read
another = Write another word
translate = Read
nothing = Write a word first, or choose one below.
examples = Words to try
recent = Recent words
source_row = Strips of the written word
target_row = Letters that were read
only_words = This page works on the words of a sentence. With a written word, Explore, Decode, Inside and Causal show where the model looks.
reads_handwriting = reads handwriting
what = A Transformer reads your handwriting, and you see which strokes each of its attention heads looks at.
nothing_read = No letter was read.
take = Open it here
hide = Hide
send_away = Send the phone away
use = Use it here
