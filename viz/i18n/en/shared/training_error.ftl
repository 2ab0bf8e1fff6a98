### Why a training or a survey cannot start or go on: the cases of RunError.

queue = This cannot start now
off = Training and surveys are switched off on this server. Run Regard on your own machine.
mine_full =
    This browser already has { $n } of the { $most } { $most ->
        [one] run
       *[other] runs
    } that it may have, running or waiting. Wait until one ends, or stop one.
full =
    { $n } { $n ->
        [one] run is
       *[other] runs are
    } waiting already. Try again in a few minutes.
no_space = The run may write { $mb } MB. The other runs take { $taken } MB, and all together may take { $most } MB. Try again when one has ended.
unwritable = The server could not write the run's folder ({ $reason }). Make room on its disk, then start again.
running = The run is still finishing its last steps. Wait a few seconds and try again.
command_line = This run was started from the command line. Continue it there with --resume.
trains = The choice of what is trained cannot change during a run. Start a new run for it.
nothing = The run ended before anything was recorded. Start it again.
no_vocabulary = { $model } has no vocabulary to train with. Add its tokenizer first.
spelling_source = { $share } of the source tokens are unknown or single bytes: the model's vocabulary lacks the letters of these sentences. Choose a model that reads their language, or train a new one with python -m model train.
spelling_target = { $share } of the tokens of the translations are unknown or single bytes: the model's vocabulary lacks their letters. Choose a model that writes this language, or train a new one with python -m model train.
family = A model of the family { $family } cannot be trained here. Choose one that opens as our own Transformer.
few =
    { $n } { $n ->
        [one] pair is
       *[other] pairs are
    } too few to learn from. Give at least { $least }.
many = { $n } pairs are too many. Give at most { $most }.
probe = The watched sentence has { $n } tokens, and at most { $most } are allowed. Choose a shorter one.
parameters = The model has { $n } parameters, and at most { $most } are trained here. Choose a smaller one, or raise max_parameters in { $variable }.
disk = The run may write { $mb } MB, and the disk has { $free } MB free. Make room first.
steps = { $n } steps are more than the { $most } allowed here. Choose fewer.
bytes = { $file } has { $n } bytes. Give at most { $most }.
not_utf8 = { $file } is not UTF-8. Save it as UTF-8.
characters = The pairs have { $n } characters. Give at most { $most }.
lines = The pairs have { $n } lines. Give at most { $most }.
csv = Line { $line } is not valid CSV. Close its quotation marks.
