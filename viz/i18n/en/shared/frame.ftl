### Words of what surrounds every page: navigation, pickers, keys, errors.

tagline = See what a Transformer attends to
page_explore = Explore
page_decode = Decode
page_causal = Causal
page_inside = Inside a head
page_positions = Positions
page_corpus = Corpus
page_laboratory = Laboratory
page_fine_tune = Fine-tune
page_checkpoints = Checkpoints
page_lesson = Lesson
page_room = Room
model = Model
model_choose = Model in use
target_language = Language of the translation
target_language_own = chosen by the model
model_shape =
    { $encoder }+{ $decoder } layers × { $heads } { $heads ->
        [one] head
       *[other] heads
    }
unfilled = “{ $page }” is not in the menu for this model:
unfilled_here = This page does not suit the model in use
alone = This model does not translate
model_shape_alone =
    { $layers } { $layers ->
        [one] layer
       *[other] layers
    } × { $heads } { $heads ->
        [one] head
       *[other] heads
    }
model_of_session = only in this browser session
model_unknown = This link was made with the model “{ $name }”. That model is open only on the page where it was trained or uploaded, until that page is closed or refreshed. You are looking at “{ $used }”, so numbers and heads differ. To see the same, open the model's file on the page Checkpoints. The file can be downloaded where the model is open.
model_waits = The link also names tokens of that model (a forced beginning, pinned or hidden tokens, a fork), or layers and heads that this one does not have. They have no effect here. They are applied again when that model is opened.
model_keep = Continue with “{ $used }”
guesses = Guessed for this model: { $names }
guesses_confirm = Confirm
none_model = There is no model to show
none_model_remedy = Start the application with “streamlit run app.py -- --checkpoint PATH”, or put a checkpoint in “pretrained/”.
language = Language
settings = View settings
presenter = Presenter mode
computing = Computing …
end_presenting = End presenting
presenter_help = Large type and folded controls, for a projector.
count_from = Number layers and heads from
keys = Shortcuts
keys_title = Keyboard shortcuts
keys_key = Key
keys_does = What it does
key_arrows = Move through layers and heads
key_tab = Go from token to token
key_enter = Pin the token; in the box, translate
key_escape = Unpin everything; close the dialog
key_shift = Add the head or the token to those that are chosen
key_shift_name = Shift + click
key_arrows_name = Arrows
error_limit = This is more than this server allows
error_model = The model could not be opened
error_text = This text cannot be translated
error_intervention = This change cannot be made
error_reading = This weighting is not possible
error_file = This file cannot be used
error_memory = There is not enough memory for this
error_memory_remedy = Shorten the sentence or choose a smaller model.
error_numbers = The model's output is not finite: its weights contain NaN or infinity, so the values drawn mean nothing. Choose another model.
in_force = Changed
more_changes = { $n } more changes
undo = Undo
undo_all = Undo all
change_off = { $kind } { $layer }·{ $head } off
change_even = { $kind } { $layer }·{ $head } uniform
change_force = { $kind } { $layer }·{ $head } row { $row } forced
prefix_fixed = begins with “{ $text }”
patch_text = { $name }{ $where } taken from “{ $text }”
patch_unread = changed { $name } (the file does not say by what)
patch_zero = { $name }{ $where } set to zero
patch_mean = { $name }{ $where } set to its mean
patch_noise = { $name }{ $where } with noise
patch_value = { $name }{ $where } given by hand
patch_add = { $name }{ $where } plus { $factor } × a vector
patch_scale = { $name }{ $where } times { $factor }
patch_project_out = { $name }{ $where } without one direction
patch_apply = { $name }{ $where } through a function
change_block = { $kind } key { $token } hidden
open_site = Open without a server
open_site_help = The same sentence, model, head and changes on a page where the model runs in your browser.
positions_zero = no positions
positions_shuffle = positions shuffled
positions_shift = positions shifted by { $amount }
positions_reverse = positions reversed
mask_lifted = causal mask removed
remove_help = Click to undo this change
kind_encoder_self = Encoder
kind_decoder_self = Decoder
kind_cross = Cross
kind_long_encoder_self = encoder self-attention
kind_long_decoder_self = decoder self-attention
kind_long_cross = cross-attention
menu_inside = Inside
menu_learn = Learn
menu_research = Research
menu_models = Models
page_overview = Overview
questions = Kind of question
questions_sentence = With your sentence
questions_machinery = The machinery
ask_overview = How is the whole model built?
ask_overview_line = Every layer and head on one screen, lit along the path to one predicted word.
ask_decode = How is each word chosen?
ask_decode_line = Step by step: the candidates, their probabilities, and what follows if you choose another.
ask_inside = What does one head compute?
ask_inside_line = From the vectors of the sentence to the weights and the head's output, with every number.
ask_causal = Which part of the model makes the difference?
ask_causal_line = Put activations of one sentence into another that differs from it in a word, and see what the model then predicts.
ask_corpus = What does a head do in other sentences?
ask_corpus_line = Every head, measured on many sentences: what it looks at, when, and whether the model needs it.
ask_positions = How does the model know the order of the words?
ask_positions_line = Positional encodings, and what they do in attention.
ask_laboratory = What if it were computed in another way?
ask_laboratory_line = Small calculations to change: scores, masks, training, BLEU.
ask_fine_tune = What should the model do differently?
ask_fine_tune_line = Train it further on sentence pairs, and see which heads change.
ask_checkpoints = Which model would you like to look into?
ask_checkpoints_line = Open a checkpoint: the file is read, and no code in it is run.
