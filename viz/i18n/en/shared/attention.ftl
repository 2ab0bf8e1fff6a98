### Words of the attention explorer.


## Kinds

kind = Kind of attention
encoder_self = encoder self-attention
decoder_self = decoder self-attention
cross = cross-attention
short_encoder_self = Encoder
short_decoder_self = Decoder
short_cross = Cross
source = Source
target = Translation
token_end = end
token_start = start

## Toolbar

toolbar = How attention is read
controls = Controls
more = More
view = View
map = Map
lines = Lines
text = Text
rows_are = Rows are
fed = token fed in
predicted = token predicted
unit = Unit
pieces = tokens
words = words
combine = Several heads
mean = mean
max = maximum
sum = sum
together = Pinned tokens
orientation = Direction
vertical = vertical
horizontal = horizontal
compare = Compare
side = side by side
difference = difference
keys = Shortcuts
close = Close
end_presenting = End presenting
presenter = Large type for a projector
remove = Remove
pinned_row = row
pinned_column = column

## Sinks

sinks = Sinks
sinks_aside = Set sinks aside
sinks_shown = shown
sinks_greyed = greyed
sinks_removed = removed
sink_begin = beginning
sink_end = end of sentence
sink_punctuation = punctuation
is_sink = a sink: greyed, and left out of the scale
about_sinks = Attention sinks: heads that have little to pass on often put their weight on these tokens. In the last rows these weights can decide that the sentence ends. If they are removed, the rest of each row is rescaled to sum to 1.

## Scale

scale_menu = Scale
scale = Full colour
scale_row = row
scale_head = head
scale_common = common
about_scale_row = The strongest weight of each row is in full colour.
about_scale_head = The strongest weight of each head is in full colour.
about_scale_common = Full colour is weight 1 everywhere, so heads can be compared.
curve = Curve
curve_linear = linear
curve_sqrt = square root
palette = Palette
palette_hue = one hue
palette_viridis = viridis
palette_cividis = cividis
palette_grey = grey
threshold = Threshold

## Weights

weighting = Weights
weighting_raw = raw
weighting_value_weighted = × value norm
weighting_rollout = rollout
weighting_gradient = × gradient
weighting_about_raw = The softmax weights themselves.
weighting_about_value_weighted = Weights times the length of the vector that is passed on: a large weight on a short vector counts little.
weighting_about_rollout = Attention multiplied layer by layer. In each layer, half of the weight stays on the token itself, for the residual connection.
weighting_about_gradient = Weights times the gradient of the chosen word's log-probability with respect to them.
computing = Computing these weights…
paper = Paper

## Export

export = Export
export_files = Data and files…
picture = Picture
transparent = transparent background
about_picture = The view as it is on screen, with a caption.
caption_removed = sinks removed
caption_threshold = weights of at least { $threshold }

## Grid

all_heads = All heads
grid_order = layers down, heads across
grid_sorted = sorted
grid_hint = Bar under a head: { $metric }. Click to open, shift-click to combine, arrows to move.
grid_hint_long = Each picture is the whole text in blocks of tokens. Click to open a head, arrows to move.
long_words = Point at a cell of the map to read its weight.
strongest_links_long = Strongest links inside the frame
long_place = Rows { $first_row }–{ $last_row } of { $rows }, columns { $first_column }–{ $last_column } of { $columns }
long_how = Drag the frame, or move it with the arrow keys. Each dot of the picture is a block of { $block } × { $block } tokens; the map below shows single tokens.
long_label = The head over the whole text. The map shows rows { $first_row } to { $last_row } of { $rows } and columns { $first_column } to { $last_column } of { $columns }; the arrow keys move it.
grid_hint_plain = Click to open, shift-click to combine, arrows to move.
grid_label =
    All heads of { $kind }: { $layers } { $layers ->
        [one] layer
       *[other] layers
    } of { $heads } { $heads ->
        [one] head
       *[other] heads
    }
sort_by = Sort:
sort_order = layer
sort_entropy = lowest entropy
sort_confidence = focus
sort_maximum = maximum
sort_offset = looks ahead
sort_previous = previous token
sort_same = same token
sort_next = next token
sort_sink_share = on sinks
sort_diagonality = diagonal
sort_effect = largest loss if off
bar_entropy = entropy
bar_confidence = focus (mean largest weight of a row)
bar_maximum = largest weight
bar_offset = mean distance
bar_previous = share on the previous token
bar_same = share on the same token
bar_next = share on the next token
bar_sink_share = share on sinks
bar_diagonality = how diagonal it is
bar_effect = change in log-probability when off

## Heads

head_name = Layer { $layer } · Head { $head }
heads_mean =
    Mean of { $count } { $count ->
        [one] head
       *[other] heads
    }
heads_max =
    Maximum of { $count } { $count ->
        [one] head
       *[other] heads
    }
heads_count =
    { $count } { $count ->
        [one] head
       *[other] heads
    }
head_is_off = switched off
do_switch_off = Switch this head off
do_switch_on = Switch this head on
do_open_head = Look inside
label_previous = previous token
label_same = same token
label_next = next token
label_sinks = mostly on sinks
label_diagonal = diagonal
label_uniform = spread evenly
metric_entropy = entropy
metric_offset = mean offset
metric_previous = on previous
metric_same = on same
metric_next = on next
metric_sink_share = on sinks
metric_confidence = focus
metric_maximum = maximum
metric_diagonality = diagonal
metric_effect = if switched off
metric_strongest = strongest
about_entropy = Mean over rows. 0 means that all the weight is on one token.
about_offset = Mean distance in tokens from the row's own position. Negative: it looks at earlier tokens.
about_previous = Mean weight on the token before.
about_same = Mean weight on the token itself.
about_next = Mean weight on the token after.
about_sink_share = Mean weight on special tokens and punctuation.
about_confidence = Mean over rows of the largest weight.
about_maximum = The largest weight of this head.
about_diagonality = 1: all the weight is on the diagonal. About 0.5: the weight is spread evenly.
about_effect = Change in the translation's log-probability.
corpus_entropy = Entropy (bits)
corpus_sink_share = Share on sinks
corpus_maximum = Largest weight
corpus_confidence = Focus: mean of each row's largest weight
corpus_offset = Offset (tokens)
corpus_previous = Weight on the token before
corpus_same = Weight on the same position
corpus_next = Weight on the next token
corpus_diagonality = Diagonality
corpus_value_weighted_share = Share of its layer's output
corpus_value_weighted_sink_share = Value-weighted share on sinks
corpus_about_entropy = 0 bits: the head looks at one token. More bits: it spreads. Each cell is the median over sentences; point at it for the 5–95% range.
corpus_about_sink_share = How much of a head's weight rests on punctuation and special tokens. Median over sentences.
corpus_about_maximum = The largest weight in each sentence's map. Median over sentences.
corpus_about_confidence = How focused a head is: the largest weight of each row, averaged (Voita et al. 2019).
corpus_about_offset = Where the weight lies on average: negative looks back, positive ahead.
corpus_about_previous = Weight on the token just before the query.
corpus_about_same = Weight on the query's own position.
corpus_about_next = Weight on the token just after the query.
corpus_about_diagonality = 1: the weight follows the diagonal of the map. About one half: it does not.
corpus_about_value_weighted_share = This head's share of what the heads of its layer write, measured by the norms of their weighted values (Kobayashi et al. 2020).
corpus_about_value_weighted_sink_share = The share of sinks when each weight is multiplied by the length of its value vector. Sinks often have short value vectors.
corpus_about_weight = The strongest weight of each token's row, by the kind of token. Median over tokens.
bits = { $n } bits
on_second = { $value } in the second
on_set = { $value } on the set

## How to read

how_encoder_self_plain = Each row: where the word on the left looks in its own sentence.
how_decoder_self_predicted = Each row: which earlier words the decoder looks back at as it predicts the word on the left.
how_decoder_self_fed = Each row: which earlier words the decoder looks back at when it has just been fed the word on the left.
how_decoder_self_plain = Each row: which earlier words the word on the left looks back at.
how_cross_predicted = Each row: where the decoder looks in the source as it predicts the word on the left.
how_cross_fed = Each row: where the decoder looks in the source when it has just been fed the word on the left.
how_cross_plain = Each row: where the word on the left looks in the source.
how_difference = Second minus first, where tokens correspond; a crossed-out cell has no corresponding token in the other sentence.
how_lines = A line joins a word to the words it looks at. The larger the weight, the stronger the line. Point at a word to read its weights.
how_text = Point at a word: the words that it looks at are shaded.
how_words = Tokens are combined into words: weights are summed over keys and averaged over queries, so rows still sum to 1.
how_removed = Sinks removed: they held { $share } of the weight on average. Rows are rescaled to sum to 1, for the eye only; a row that looked at nothing else is empty.
how_max = A maximum over heads: rows no longer sum to 1.
how_threshold = Weights below { $threshold } are not drawn.
row_removed = { $share } of this row was on sinks
not_yet = does not exist yet: a later token
not_computed = not computed: the tokens are too far apart for this layer
no_counterpart = no counterpart on the other side
not_numbers = The weights of { $heads } are not numbers (NaN or infinite). The checkpoint's weights are damaged or overflowed. Open another checkpoint, or save this one again from training.

## Map, lines, table

map_label =
    { $kind }, { $head }: { $rows } { $rows ->
        [one] row
       *[other] rows
    }, { $columns } { $columns ->
        [one] column
       *[other] columns
    }. The table below lists the strongest links.
zoom = Zoom
zoom_in = Zoom in
zoom_out = Zoom out
zoom_fit = Whole map
looks_from = looks from
looks_at = looks at
lines_capped = The { $drawn } strongest of { $cells } lines.
heads_capped = The first { $shown } of { $count } heads.
matters_ask = Which of these matter here?
matters_running = { $done } of { $total } heads switched off in turn…
matters_some =
    { $n } of these { $total } heads { $n ->
        [one] changes
       *[other] change
    } this translation when switched off alone.
matters_none = None of these { $total } heads changes this translation when switched off alone.
matters_example = Without { $head }, “{ $before }” becomes “{ $after }”.
matters_without = Without this head: { $text }
picks = picks “{ $seen }” → “{ $said }”
numbers = Numbers
words_writing = Writing { $query }, this head looks at { $key }: { $share }
words_after = After { $query }, this head looks at { $key }: { $share }
words_reading = Reading { $query }, this head looks at { $key }: { $share }
words_off = This head is off: nothing that it reads counts. For { $query } its weights are still on { $key }: { $share }
words_many = { $query } looks at { $key }: { $share }
strip = strip { $text }
strongest_links = Strongest links
as_table = All weights as a table
table_from = looks from
table_to = looks at
table_weight = weight

## Keys

key_heads = previous or next head
key_layers = layer above or below
key_kinds = encoder, decoder, cross
key_views = map, lines, text
key_words = tokens or words
key_rows = rows: fed in or predicted
key_sinks = sinks shown, greyed, removed
key_zoom = zoom in, out, whole map
key_table = all weights as a table
key_tokens = from token to token
key_pin = pin the token
key_escape = close or reset: menu, pins, heads, zoom
key_present = large type for a projector
key_help = this list
