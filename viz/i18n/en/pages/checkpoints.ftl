### Words of the checkpoints page: bringing a model, the doctor's report, its questions, the models that are open.

title = Bring your own checkpoint
lead = Drop the files of a trained Transformer. They stay in this browser session, and no code in them is run.
drop = Files of one checkpoint
drop_help = The weights, with their configuration and tokens if you have them, or the whole folder as .zip.
opens = What can be opened
opens_list =
    - this project's own folder, or `.safetensors` with `config.json`
    - attention-is-all-you-need-pytorch (`.chkpt`), the Annotated Transformer, Dive into Deep Learning, nlp-tutorial and its descendants (`.pt`, `.params`)
    - `torch.nn.Transformer` with embeddings and output under any names (`.pth`)
    - hkproj/pytorch-transformer, hyunwoongko/transformer and x-transformers (`.pt`)
    - fairseq (`.pt` with `dict.*.txt`), OpenNMT-py (`.pt`), Marian (`.npz` with `vocab.yml`)
    - CTranslate2 folders, zipped (`model.bin`, `config.json`, vocabularies), quantised or not
    - JoeyNMT (`.ckpt`, `config.yaml` and vocabularies)
    - nanoGPT, minGPT, llama2.c (`.pt`, `.bin`), LitGPT, and x-transformers' or PyTorch's encoders and decoders alone
    - Hugging Face folders: encoder-decoders from MarianMT, BART and T5 to T5Gemma; encoders from BERT to ModernBERT and decoders from GPT-2 to Llama, for their own kind of attention
    - TrOCR, Donut and other readers of pictures, Whisper and Speech2Text, as Hugging Face folders
    - any other encoder-decoder, decoder or encoder by a table of names: drop it, and a first version of the table is filled in
examining = Examining …
too_large = { $size } MB is more than the { $most } MB that this installation takes.
aside = { $old } is set aside for { $new }: one checkpoint is examined at a time.
aside_back = Back to { $old }
aside_add = Add { $names } to it
hub = Name on the Hugging Face hub
hub_ask = Ask for its size
hub_offer =
    { $name }, revision { $revision }: { $files } { $files ->
        [one] file
       *[other] files
    }, { $size } MB
hub_fetch = Fetch { $size } MB
hub_fetching = Fetching …
is = This is { $family }
known_by = Known by
family_own = this project's own checkpoint
family_jadore = a checkpoint of attention-is-all-you-need-pytorch
family_annotated = a checkpoint of the Annotated Transformer
family_d2l = a checkpoint of Dive into Deep Learning
family_graykode = a checkpoint in the style of nlp-tutorial
family_hkproj = a checkpoint of hkproj's pytorch-transformer
family_hyunwoongko = a checkpoint of hyunwoongko's transformer
family_fairseq = a fairseq checkpoint
family_opennmt = an OpenNMT-py checkpoint
family_ctranslate2 = a CTranslate2 model
family_marian = a model of Marian
family_xtransformers = an XTransformer of x-transformers
family_mapped = a checkpoint read by a mapping
family_named = an encoder-decoder with names of its own, read by them
family_named_alone = a decoder or an encoder alone, with names of its own, read by them
family_bentrevett = a model of bentrevett's sequence-to-sequence tutorial 6
family_aladdin = a model of Aladdin Persson's Transformer from scratch
told = Written in the file or beside it:
first = Answer this before its attention is drawn
first_lead = Each of these changes the maps, and the file does not say it. Likely values are filled in where there is a usual one: confirm them, or correct them from the code that the file comes from.
first_n_heads = The file does not say how many heads the model has. With a wrong number the maps look plausible and are wrong: look it up in the code or the paper that the file comes from.
first_fused_by_head = Queries, keys and values share one matrix here. Nothing in the file tells whether all queries come first, or whether each head has its query, key and value together. Read the wrong way, the maps look plausible and are wrong: the code tells, at its reshape and chunk.
ask_fused_by_head = Fused projections head by head
because_fused_rows = how much worse it explains the lengths of the fused rows, nats
score_fused_rows = rows of the fused matrix: { $value } nats behind the best
first_choose = Choose one of the answers first.
score_head_rows = rows of the projections: { $value } nats behind the best
score_head_entropy = entropy of the heads: { $value } nats
score_text_loss = loss of plain sentences: { $value } per token
score_own_loss = loss of its own translations: { $value } per token
score_given_loss = loss of your translation: { $value } per token
score_none = not tried
waits = Not drawn before its question is answered
because_head_rows = how much worse it explains the lengths of the projections' rows, nats
because_ends_tried = begin, end { $answer }: { $ended } of the translations end, { $empty } are empty
family_torch = a torch.nn.Transformer with its embeddings and output layer
family_gpt = a GPT that its author trained from scratch (nanoGPT, minGPT and their kin)
family_llama = a Llama by its authors' names (llama2.c, Meta)
family_litgpt = a LitGPT model
family_xtransformers_alone = a decoder or an encoder of x-transformers
family_annotated_alone = the Annotated Transformer's encoder alone
family_strips = a torch.nn.Transformer that reads the strips of a picture
family_torch_alone = a torch.nn.TransformerEncoder with its embedding
first_causal = The file does not say whether a token sees those after it. A decoder, which was trained to continue texts, hides them; an encoder, which was trained to fill in hidden tokens or to classify, does not.
ask_causal = Each token sees only those before it
because_causal_names = the names in the file say so
because_causal_silent = no name in the file tells
because_causal_mask = the file holds a lower triangle, { $name }, which hides later tokens
confirm = These are right: draw it
ask_score_width = Scores are divided by the square root of
score_width_head = the width of a head, as in the paper
score_width_model = the width of the model
score_width_none = 1: they are not divided
ask_encoder_norm_kind = Kind of norm in the encoder
ask_decoder_norm_kind = Kind of norm in the decoder
ask_one_hot = The first layer reads tokens as one-hot vectors (not numbers)
ask_gate_last = Activated half of the first feed-forward matrix
gate_last_no = the first
gate_last_yes = the second (lucidrains)
ask_parallel = Attention and feed-forward network
parallel_no = one after the other
parallel_yes = side by side, on the same vectors (GPT-J)
because_one_norm = each layer has one norm
ask_cross_unused = The cross-attention in its layers is never used
because_final_norm = there is a norm after the last layer, which mostly goes with norms before each sublayer
because_no_final_norm = there is no norm after the last layer
first_alibi = The file holds no positions. With ALiBi, which leaves nothing in a file, scores fall with the distance between tokens; without it, the model knows no order.
ask_alibi = ALiBi
ask_output_scale = Logits times
cannot_ids_only = words in place of ids, because there is no vocabulary with the weights. Add it below: meta.pkl of nanoGPT, tokenizer.json or tokenizer.model of other models, or a list with one token a line
family_joeynmt = a JoeyNMT run
family_huggingface = a Hugging Face model of type { $kind }
parameters = Parameters
memory = Memory
megabytes = { $size } MB
shape = Layers × heads
shape_value = { $layers } × { $heads }
width = Width
vocabulary = Vocabulary
tensors_all = Every tensor is used
tensors_used = Every tensor is used, but for tables that are computed: { $names }
tensors_of_heads = Every tensor is used, but for what follows the last layer and attention does not need: { $names }
tensors_unmapped = Not used, as the table of names says: { $names }
tensors_outside = Left out, since they belong to the training and not to the model: { $names }
tensors_filled =
    { $filled } { $filled ->
        [one] bias or norm is absent from every layer and is taken as neutral
       *[other] biases or norms are absent from every layer and are taken as neutral
    }
comma = ,{ " " }
semicolon = ;{ " " }
generation_chosen_here = generation_config.json also sets the following, which these pages leave to you; regard.translate(…, generation="model") follows it:
generation_unfollowed = generation_config.json sets the following, which is not followed here:
assumed = The file cannot show this, so it is assumed:
assumed_many = { $settings } settings that the file cannot show are assumed to be off
assumed_help = A change of these would leave no trace in the file. If you trained with another value, the attention shown here is wrong: bring it as a file of attention instead.
finite = All weights are numbers
not_finite = NaN or infinite weights in { $names }
rows = First forward pass: { $rows } rows of attention sum to 1, the worst off by { $error }
rows_bad = First forward pass: rows do not sum to 1 (off by { $error })
trial = A test sentence, translated as the model is read now
trial_ids = A test: the first tokens of the vocabulary, translated as the model is read now
trial_probability = On average the model gives each of its tokens { $share }%.
trial_empty = The translation is empty: the model is read wrongly somewhere, most often in its begin or end token.
trial_cut = It was cut here: it was long, or repeated itself.
trial_answers = If a trained model answers with nonsense or repeats a word, one of the answers below is wrong.
trial_table = If a trained model answers with nonsense or repeats a word, an answer below or a line of the table is wrong.
trial_trained = Nonsense or a repeated word means that the model is hardly trained, or that this vocabulary is not its own.
tokens_fit = Tokens of the { $side }: { $tokens }, as many as embeddings
tokens_fewer = Tokens of the { $side }: { $tokens } for { $embeddings } embeddings; the rest are shown as numbers
tokens_more = Tokens of the { $side }: { $tokens } for { $embeddings } embeddings; those beyond are read as unknown, or refused where there is no unknown token
tokens_disagree = Tokens of the { $side } have other ids than those in use: { $roles }
tokens_none = No tokens of the { $side }: numbers are shown in place of words
side_source = source
side_target = target
configuration = Configuration
limits_of = Not possible with this model
cannot_no_own_format = saving in Regard's own format, because the model runs in its own library
cannot_no_position_edits = moving positions and removing the causal mask
cannot_no_patches = the logit lens, a look inside a head, value-weighted attention and patching, because its own code does not expose the intermediate steps
cannot_no_fine_tuning = fine-tuning here
cannot_no_translation = translating, because it has only an encoder or only a decoder
cannot_no_windows = the encoder's self-attention, because its layers look within windows of a grid that shrinks, so that there is no map of all patches
guess = a guess
guessed = Guessed until you confirm it: { $names }
files = Files
file_is_used = used:{ " " }
file_is_ignored = ignored:{ " " }
file_is_not_understood = not understood:{ " " }
file_weights = the weights
file_settings = the settings
file_tokens_source = tokens of the source
file_tokens_target = tokens of the target
file_tokens_both = tokens of source and target
file_settings_unread = the settings of this kind of model are read from the weights
file_length =
    { $entries } { $entries ->
        [one] entry
       *[other] entries
    }, and the vocabulary has { $sizes }
file_undecided = it has the right length, but so do other files, or its name belongs to the other side. Drop it under “Add tokens” to choose.
file_spare = it has the right length, but other tokens are in use
file_empty = it is empty
file_data = data or other weights; one file of weights is read
file_not_of_format = this format does not read it
file_unread = { $reason }
asked = Other settings that the file does not say
asked_lead = Likely values are filled in. They change which tokens begin, end and fill up a text, and leave the maps of given tokens as they are.
answer = Read it this way
ask_weights = Which copy of the weights
ask_n_heads = Heads
ask_norm_first = Norms
norm_first_yes = before each sublayer
norm_first_no = after each sublayer
ask_activation = Activation
ask_embedding_scale = Embeddings times
ask_source_pad_id = Source padding id
ask_target_pad_id = Target padding id
ask_bos_id = Begin-of-sentence id
ask_eos_id = End-of-sentence id
ask_original_positions = Positions as the original program reads them
ask_source_has_bos = The source begins with the begin-of-sentence token
ask_source_has_eos = The source ends with the end-of-sentence token
ask_masks_hide = Masks are filled with −1e20 (not 1e-20, which hides nothing)
ask_older_code = Trained with an older version of its code
because_same_names = before { $change } the code used the same names and computed something else, which is not read here
ask_norm_adds_one = Norms: scale by 1 + the stored value
because_norm_mean = the norms' stored weights average { $mean }
because_head_width = heads are usually { $width } wide here, and all of them together { $all }
because_heads_divide = must divide { $width }
because_heads_usual = { $value } is usual here
because_text_loss = loss per token of plain sentences
because_own_loss = loss per token, its own translation of plain sentences
because_given_loss = loss per token, your translation
weigh = Test the answers on a translation
weigh_help = Give a sentence and its correct translation. Each answer is tried, and its loss is shown under the question: the right answer has the smallest. Without tokens, give numbers as #5 #12.
weigh_source = Sentence
weigh_target = Its translation
weigh_do = Compare the answers
weigh_cannot = This pair cannot be read
yes = yes
no = no
because_head_entropy = entropy of the heads, nats
because_norm_words = with { $norm }-norm it writes { $words } different words out of 8
because_embedding_spread = the embeddings have a standard deviation of { $std }; { $usual } is usual where they are scaled
because_position_rows =
    the table of positions has { $rows } { $rows ->
        [one] row
       *[other] rows
    }
add_tokens = Add tokens
add_tokens_help = A SentencePiece model, a vocabulary (one token per line, or JSON), or a Hugging Face tokenizer.json.
tokens_source = Source tokens
tokens_target = Target tokens
look = Look at its attention
look_guessed = Look at its attention with these guesses
open_models = Open in this session
used = { $used } of { $most } MB in use
let_go = Closed to free memory: { $names }. Drop the files again to bring it back.
rename = Name
use = Use
in_use = in use
remove = Remove
download = Download as our format
download_not = Models of this family run in their own library and keep its file format.
ask_norm_kind = Kind of norm
norm_kind_layer = LayerNorm
norm_kind_rms = RMSNorm
norm_kind_annotated = own code: (x − mean) / (std + ε)
norm_kind_population = own code: (x − mean) / (std + ε), std over n
ask_scale_emb_or_prj = Shared matrix (scale_emb_or_prj)
scale_emb_or_prj_prj = logits divided by √d
scale_emb_or_prj_emb = embeddings times √d
scale_emb_or_prj_none = neither
because_marian_readings = No: as transformers and CTranslate2 convert such a file (frequencies over d/2, ε 1e-5). Yes: as Marian itself computes (d/2 − 1, 1e-6). At 512 wide the two are close.
ask_positions = Positions
positions_interleaved = alternating sines and cosines
positions_halves = sines, then cosines
positions_tensor2tensor = sines, then cosines, as fairseq and tensor2tensor
positions_doubled = alternating, exponents doubled (as in much tutorial code)
positions_rotary = rotary: a head's two halves are paired
positions_rotary_pairs = rotary: neighbouring numbers are paired
positions_none = none
