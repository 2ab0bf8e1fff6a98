### Words of a model that reads a picture or a sound from a file.

choose_picture = Choose a picture …
choose_sound = Choose a WAV …
drop_picture = or drop a PNG or a JPEG here, at most 12 MB. The model's own processor makes it as large as the model reads.
drop_sound = or drop a WAV here, at most 24 MB. The model's own processor turns it into a spectrogram.
large_picture = This picture has more than 12 MB: choose a smaller one.
large_sound = This sound has more than 24 MB: choose a shorter one.
no_file = This file is neither a picture nor a sound: choose a PNG, a JPEG or a WAV.
empty_picture = Drop a picture: the patches that each word looks at are coloured on it.
empty_sound = Drop a WAV: the moments that each word looks at are coloured on its spectrogram.
lost = The file is not in the link, and this visit does not have it: drop it here again.
no_link = The link does not hold the file: send the file with it. Colours compare the patches with the one that is looked at most.
windows = The encoder's self-attention is not shown: its layers look within windows of a grid that shrinks, so there is no map of all patches.
token_picture = patch { $place } (row · column)
token_sound = frame at { $place }
written_word = Read from
read_word = Written
another = Another file
translate = Read
nothing = Choose a file first.
examples = Files to try
recent = Recent
source_row = Patches of the picture, or frames of the sound
target_row = What was written
only_words = This page works on the words of a sentence. With a file, Explore, Decode and Inside show where the model looks.
what_picture = A Transformer reads your picture, and you see which patches each of its attention heads looks at.
what_sound = A Transformer listens to your recording, and you see which moments each of its attention heads looks at.
