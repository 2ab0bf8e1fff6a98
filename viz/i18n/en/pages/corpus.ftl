### Words of the Corpus page.

views = View
view_heads = Heads
view_find = Find
view_fires = What a head looks at
view_neighbours = Neighbours
view_align = Alignment
view_pruning = Pruning
view_explains = Is attention an explanation?
comma = ,{ " " }
with_value = { $name } ({ $value })
opened = { $n } held-out sentence pairs, surveyed with { $model }
opened_given =
    { $n } sentence { $n ->
        [one] pair
       *[other] pairs
    }, surveyed with { $model }
opened_texts =
    { $n } { $n ->
        [one] text
       *[other] texts
    }, surveyed with { $model }
other_texts = Survey texts
texts_help = A file with one text on each line, in UTF-8. The first { $most } are read by the model in use. They wait in the same queue as the training runs. Only people who have the link see the result.
texts = Texts, one a line (.txt)
texts_start = Measure these texts
opened_part = This survey is not whole: { $n } of { $total } pairs are there. To measure the rest, run the same command with --resume.
none_measured = No pair of this survey could be measured. The line above says why the first was left out.
opened_own =
    Your { $n } sentence { $n ->
        [one] pair
       *[other] pairs
    }, surveyed with { $model }
survey = Survey
survey_shared = Shipped: { $n } pairs, { $model }
survey_given =
    Given here: { $n } { $n ->
        [one] pair
       *[other] pairs
    }, { $model }
survey_own =
    { $title }: { $n } { $n ->
        [one] pair
       *[other] pairs
    }, { $model }
survey_gone = This survey no longer exists. You see the shipped one.
same_help = Or measure the sentences on screen with { $model }, to compare the two models.
same_start =
    Measure { $n } { $n ->
        [one] pair
       *[other] pairs
    }
same_title = the same sentences
own_targets = Measure the model on its own translations
own_targets_help = Use this if the model writes another language than these translations. Otherwise it would have to score words that it does not know. If this is off, every model is fed the same translations, so that two models of one language can be compared.
own_targets_here = This model writes another language than these translations, so its own translations are measured.
figures_own_targets = Measured with { $model } on sentences of this survey and its own translations of them.
rate =
    { $n } { $n ->
        [one] pair
       *[other] pairs
    }/s
stopping = Stopping after this batch
stop = Stop
meanwhile = The survey opens here when it is done. Until then the page shows the results so far. You can leave and come back with this link.
meanwhile_nothing = The survey opens here when it is done. Until then you see another survey; you may leave and come back with this link.
ended_early = This survey ended early: { $n } of { $total } pairs were measured. { $reason }
go_on_help = The pairs that were measured are kept. The others wait in the same queue as the training runs.
go_on_damaged = “Continue” measures the pairs of the damaged file again and keeps the others.
fault_killed = The process was ended from outside, often because memory ran out: try fewer pairs.
fault_memory = The machine's memory is full: try again later or with shorter sentences.
fault_disk_full = The server's disk is full: delete runs that are no longer needed.
fault_server_ended = The server was restarted. Start the survey again for the rest.
fault_time_limit = The time that one survey may take here is over: give fewer pairs.
fault_other = The message below says why.
other_pairs = Survey other pairs
upload_help = A file with one source, a tab and one translation on each line, in UTF-8. The first { $most } pairs are measured with the model in use. They wait in the same queue as the training runs. Only people who have the link see the result.
keep_states = States to keep for Neighbours
keep_states_help = Neighbours searches the states of these layers over all pairs. If none are kept, it computes those of the first thousand pairs when it is opened. Each layer takes space on the server's disk.
keep_states_none = none
upload = Sentence pairs (.tsv)
start = Measure these pairs
running = { $done } of { $total } pairs
left_out =
    { $n } { $n ->
        [one] pair was
       *[other] pairs were
    } left out. The first is pair { $number }: { $reason }
reason_target = the translation is empty
reason_source = the source is empty
reason_characters = it has { $n } characters, and the limit is { $most }. Write one sentence on each line
reason_long = it has { $n } tokens, and the limit is { $most }
surveyed_other = These numbers were measured with { $model }. Choose that model at the top to see its maps here, or survey pairs with the model in use.
surveyed_other_alone = These numbers were measured with { $model }, not with { $own }, the model in use. To measure { $own }, give it a file of texts above; to see maps of { $model } here, choose it at the top.
attribution = Sentences: Tatoeba, by way of manythings.org/anki, CC BY 2.0.
kind = Attention
layer = Layer
head = Head
measure = Measure
split = Split by
split_none = all sentences together
split_length = length of the sentence
split_quality = quality of the translation
split_token = kind of token
length_1 = up to 6 tokens ({ $n })
length_2 = 7 to 9 tokens ({ $n })
length_3 = 10 to 13 tokens ({ $n })
length_4 = 14 tokens and more ({ $n })
quality_1 = close to the reference: chrF 60 and more ({ $n })
quality_2 = far from the reference: chrF under 60 ({ $n })
token_first = first token
token_last = last token before the full stop
token_punctuation = punctuation
token_subword = inside a word
token_word = other words
token_end = end of the sentence
cross_only = Diagonality is measured for cross-attention: choose it, or another measure.
spread = 5–95%
median = median
sorted = As a sorted table
one_head = Layer { $layer }, head { $head }: { $part }
all_sentences = all sentences
tokens = tokens
strongest_weight = Strongest weight of a row
n_pairs =
    { $n } { $n ->
        [one] pair
       *[other] pairs
    }
beside = Compare with
beside_none = nothing else
sentences = sentences
bar_sentences = Sentences from { $low } to { $high }
top_sentences = Values from { $low } to { $high }. The five highest sentences; click a bar for its own.
reference = Reference: { $text }
translation = Model: { $text }
nothing = No sentence fits.
no_scores = There are no scores here, because nothing was translated to compare with a reference. Survey these pairs with a model of their language, with translations.
save = Save
question = Question
question_sinks = In which sentences does this head give more than half of its weight to sinks?
question_word = Which sentences contain a word?
question_distance = Where does this head look farthest?
question_faithless = Which translations depend least on their source?
question_worst = Which translations are farthest from the reference?
word = Word
about_sinks =
    { $n } { $n ->
        [one] sentence
       *[other] sentences
    }. Sinks are punctuation and special tokens.
about_word =
    { $n } { $n ->
        [one] sentence
       *[other] sentences
    }.
about_distance = By the distance between a token and the key it looks at most, sinks left out.
about_faithless = Measured by removal: how much the source adds to each target token's log-probability. Attention weights alone do not show this.
about_worst = By chrF against the reference. A good free translation can score low.
value_sinks = on sinks: { $value }
value_word = chrF { $value }
value_distance = distance { $value } tokens
value_faithless = the source adds { $value } nats per token
value_worst = chrF { $value }
sql = Ask in SQL
sql_about = One SELECT of DuckDB over these tables and their columns, read-only, at most 20 seconds.
sql_run = Run
sql_cancel = Cancel
sql_seconds = { $n } s
sql_waits = Waiting. Queries before this one: { $n }
sql_cut = The answer is longer. These are its first { $n } rows.
sql_wrong = This query could not be answered
with_sinks = Count punctuation and special tokens too
strongest = Strongest, one per sentence
chance = Drawn at random
fires_about = The strongest cases often look like a rule. Compare them with those drawn at random before you believe it.
query = token
query_predicted = predicted token
key = looks at
weight = weight
sentence = sentence
neighbours_other = Neighbours are found in the states of { $model }: choose that model at the top and give it a sentence, or survey these pairs with the model in use.
neighbours_working = Computing the states of the first thousand sentences. This is done only once.
state = State after
state_encoder = encoder layer { $layer }
state_decoder = decoder layer { $layer }
state_encoder_0 = source embeddings
state_decoder_0 = target embeddings
state_source = Source token
state_step = Step that predicts
state_token = read
state_next = next
state_here = here
nearness = near
neighbours_source = Tokens of the corpus where the encoder was in the most similar state. The words after them: { $words }.
neighbours_target = Steps of the corpus where the decoder was in the most similar state, the token to be predicted in brackets: { $words }.
neighbours_exact = All { $n } states were compared (cosine, after the mean state is subtracted).
neighbours_gathered = This survey kept no states, so those of the first { $n } pairs were computed here. To search all pairs, measure them again and choose states to keep.
neighbours_index = { $n } states, searched by an approximate index (cosine, after the mean state is subtracted): a near one may be missed.
neighbours_most = The first { $most } of the survey are used.
colour = Coloured by
colour_token = kind of token
colour_layer = layer
colour_head = a head's strongest weight
colour_other_side = This head's rows belong to the other side: the colours are those of the tokens at the same place there.
plane_about = { $n } states in the plane in which they differ most; it shows { $share }% of their variance, so points that are close here may be far apart in other dimensions.
no_cross = This model has no cross-attention: choose a model that translates.
align_not_measured = Alignment has not been measured for the model in use.
align_measure = Measure alignment
align_best = **Layer { $layer }, head { $head } aligns best (rows: { $row })**: alignment error rate { $aer } (0 is perfect).
row_fed = token fed in
row_predicted = token predicted
rows = Rows are
aer = alignment error rate
aer_about = How it is counted: each target word is linked to the source word with the largest weight. Let A be these links, S the links that people were sure of, and P the possible ones, S included. The rate is 1 − (|A∩S| + |A∩P|) / (|A| + |S|). Without a model, linking each word to the one at the same place in its sentence gives { $diagonal }.
align_ways = The same model, read in other ways, errs less:
align_ways_about = Value-weighted: each weight is multiplied by the length of its value vector. Both ways: each weight is replaced by its share of its row times its share of its column, so a source word that every target word looks at gets no links. Over a threshold: weaker links are dropped. Sets of heads and their threshold are chosen on half of the pairs and evaluated on the other half.
value_weighted = value-weighted
both_ways = both ways
over = over { $threshold }
with_end = end of sentence allowed
align_copy = Settings for OpenNMT-py and CTranslate2, which count from 0. These tools average the first heads of one layer and read the row that predicts the word. The best error rate that they reach here is { $aer }:
align_copy_pairs = Tools that take pairs of layer and head (Whisper in CTranslate2 and Hugging Face) can name the best head itself:
align_lines = For comparison, en-fr Hansards, both directions combined: FastAlign 0.164, GIZA++ 0.080. Kobayashi et al. 2020, De-En: with weights 0.477 (token predicted) and 0.298 (token fed in), with norms 0.414 and 0.250.
gold_own = Measure on your own alignments
gold_help = One pair per line: source, tab, target, tab, links such as 0-0 1p2 (i-j sure, ipj possible, words between spaces counted from 0).
gold_file = Aligned pairs (.tsv)
pair = Pair (0 to { $n })
gold_read = Each row is a target word, each column a source word. Filled squares: people were sure. Hollow squares: possible.
gold_from = Gold links: Alibi, Xu & Yvon 2016, CC BY-SA 4.0; texts from Wikisource.
gold_mine =
    Gold links: { $file }, { $n } { $n ->
        [one] pair
       *[other] pairs
    }.
gold_first = Gold links: { $file }, the first { $n } of { $total } lines.
gold_other_language = The alignments shipped here are English–French, and { $model } writes another language. Give pairs of its own language, aligned by hand, to see which of its heads align.
gold_back = Back to the shipped alignments
align_skipped =
    { $n } { $n ->
        [one] pair was
       *[other] pairs were
    } left out, because the model cannot read { $n ->
        [one] it
       *[other] them
    }.
figures_measure =
    Measure { $n } { $n ->
        [one] pair
       *[other] pairs
    } of this survey with { $model }
figures_shipped = Shown below: what was measured with { $model } on the shipped sentences.
figures_own = Measured with { $model } on sentences of this survey.
working_pruning = Removing heads, one after another
working_erasure = Removing words, one after another
no_figures = These figures are not here: make them with “python -m model.corpus.shipped”.
curve_title = Removing more and more heads
curve_about = Log-probability that the model still gives the references of { $n } pairs. Importance: how strongly the loss depends on each head (Michel et al. 2019), least important first. Bands: the 95% interval over the sentences; for random orders, from the worst to the best of { $orders }.
curve = Order
curve_importance = least important first
curve_random = random orders, mean
curve_random_0 = a random order
curve_encoder_self = encoder only
curve_decoder_self = decoder self only
curve_cross = cross-attention only
removed = heads removed
log_prob = log-probability of a token (nats)
open_pruned = Open this pruned model
other_model = These heads belong to the model { $model }: choose it at the top.
quality = Translations at this point: BLEU { $bleu } (from { $bleu_before }), chrF { $chrf } (from { $chrf_before }).
pruning_others = For comparison, Michel et al. on WMT en-fr: of 96 encoder heads, only 8 mattered when removed alone. With one head left in the last cross-attention layer, BLEU fell by 13.56. About 20% of the heads could be removed. Cross-attention collapsed when more than 60% of its heads were removed.
single_title = One head at a time
removal = Removal
removal_zero = output zeroed
removal_mean = output replaced by its mean
removal_keep_one = the only head kept in its layer
single_about =
    { $n } { $n ->
        [one] head has
       *[other] heads have
    } a measurable cost when removed alone (95% interval below 0). For the other { $rest }, no cost shows in these sentences. The most costly:
curve_compare = Removing the least important heads first is better than each of { $orders } random orders up to { $n } of { $total } heads, but not beyond.
curve_no_better = On these sentences, removing the least important heads first is no better than the best of { $orders } random orders.
single_keep = The loss when a layer keeps only this head. The heads with the smallest loss:
change_log_prob = change of log-probability a token (nats)
change_bleu = change of BLEU
change_chrf = change of chrF
measured_by = Measured by
measured_log_prob = log-probability
measured_bleu = BLEU
measured_chrf = chrF
pruning_ours = Measured here, on { $n } short sentences: of { $total } encoder heads, { $encoder } change BLEU when removed alone (95% interval without 0). With one head left in the last cross-attention layer, BLEU changes by { $one } at best. Without the least important 20% of all heads it is { $part } (from { $before }), and without 60% of the cross-attention heads { $cross }.
explains_cross = For every predicted token of { $n } sentences, the source tokens are ranked twice: by a weighting of cross-attention, and by the effect of removing each token. Dots: mean rank correlation of the two; lines: 95% interval.
explains_encoder_self = The source tokens of { $n } sentences are ranked twice: by the weight that they receive inside the encoder, and by the effect of removing each token on the whole translation. Dots: mean rank correlation of the two; lines: 95% interval.
explains_decoder_self = For every predicted token of { $n } sentences, the tokens written before it are ranked twice: by the decoder's self-attention, and by the effect of hiding each token. Dots: mean rank correlation of the two; lines: 95% interval.
correlation = rank correlation with removal
explains_none = On these sentences no order could be compared: the model reads all their words as the same token, or removing them changes nothing.
explains_raw = Averaged over layers and heads, raw weights have a rank correlation of **{ $raw }** with the effect of removal.
explains_better = { $best } does better: **{ $value }**.
explains_alike = These weightings are about as good, since their intervals overlap: { $names }.
explains_meaning = 1 would be the same order. A strong colour suggests where to look; it does not prove that the word mattered. To find out, remove the word or switch the head off.
explains_note = Removal takes the token out of the sentence and scores the same translation again (Jain & Wallace 2019; Serrano & Smith 2019).
weighting_at = { $weighting }, { $layer }
weighting_raw = weights
weighting_value_weighted = value-weighted
weighting_rollout = rollout
weighting_gradient = gradient × attention
weighting_alti = ALTI+
weighting_gradient_input = gradient × input
all_layers = all layers
layer_n = layer { $n }
