### Words of the Explore page.

long_expect = This text has { $n } tokens. What the model needs for it here was estimated from two short runs of one layer.
long_one = Look at layer { $layer }: about { $seconds } s, { $mib } MiB
long_all = All layers: about { $seconds } s, { $mib } MiB
long_reading = Reading the text: layer { $done } of { $total }
long_writing = Translating first: { $done } tokens, { $total } at most
long_cancel = Ends the reading. You can begin it again, or look at one layer.
long_stopped = The reading was cancelled.
gradient_of = For the word “{ $token }”.
agreement = Measured over { $n } heads: the rank correlation with the effect of switching each head off is { $correlation }.
aligns_title = How well this head aligns words, as measured
aligned_fed = The rows on screen, “token fed in”, align words better with this head: the alignment error rate is { $fed }, against { $predicted } with “token predicted” ({ $n } sentence pairs aligned by hand).
aligned_predicted = The rows on screen, “token predicted”, align words better with this head: the alignment error rate is { $predicted }, against { $fed } with “token fed in” ({ $n } sentence pairs aligned by hand).
aligns_fed = To align words with this head, set the rows to “token fed in”: the alignment error rate is then { $fed }, against { $predicted } with “token predicted” ({ $n } sentence pairs aligned by hand).
aligns_predicted = To align words with this head, set the rows to “token predicted”: the alignment error rate is then { $predicted }, against { $fed } with “token fed in” ({ $n } sentence pairs aligned by hand).
aligns_no_better = That is no better than linking words by their position alone, which gives { $diagonal }.
compare = Compare
other_text = Second sentence
other_model = Second model
same_model = the same model
compare_help = Compare two sentences that differ in one word, or one sentence in two models, side by side or as a difference.
compare_end = Stop comparing
measure = Measure
effects = What each head contributes
effects_help = Switches every head off in turn and measures how the translation's log-probability changes.
cancel_effects = Stops, and leaves the effects out.
effects_running = { $done } of { $total } heads tried
corpus_help = Measures every head on a set of sentences: forty that we provide, or your own file with one sentence per line.
corpus_file = Sentences (.txt)
corpus_start = Measure on the set
corpus_running = { $done } of { $total } sentences
corpus_done =
    Measured on { $n } { $n ->
        [one] sentence
       *[other] sentences
    }, { $skipped } left out.
data = Data and files
tools = Tools
save_html = Interactive page (HTML)
save_csv = Table (CSV)
save_npz = Arrays (NPZ)
save_json = Everything (JSON)
open_file = Attention from a file
open_help = Weights and tokens of any model, as .npz or .json.
opened = Showing { $name }
close_file = Back to the sentence
