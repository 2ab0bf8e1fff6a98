### Words of the fine-tuning page.

error = The training cannot start
title = Train the model a little, and watch its heads change
off = Training is switched off on this server. To train, run Regard on your own machine (make app, or regard once installed).
intro = A copy is trained on this server. The model itself stays as it is.

## What to learn

data = What to learn
set_tu_vous = tu → vous
set_sailing = Sailing words
set_unlearn = Un-learn a word
set_relearn = Re-learn it
set_copy = Copy, from scratch
set_reverse = Reverse, from scratch
set_paste = Paste pairs
set_upload = Upload a file
about_tu_vous = Every “you” becomes polite: the model says sometimes tu and sometimes vous, and learns to say vous.
about_sailing = Words with a meaning of their own on a boat: a sheet is a rope, a block a pulley, a bow the front.
about_unlearn = A cat becomes a fox: “cat” is translated as “renard”. Dogs, birds and horses keep their names.
about_relearn = The fox becomes a cat again. Train the model that un-learned it: choose it in the model picker.
about_copy = A tiny model with random weights learns to repeat letters. A diagonal appears.
about_reverse = The same, backwards: the diagonal appears the other way round.
about_paste = One pair per line: source, a tab (or | or = between spaces), translation.
about_upload = TSV or CSV in UTF-8, source in the first column, translation in the second.
paste = Pairs
upload = File of pairs
source = Source
target = Translation
line = Line
problem = Problem
problem_one_column = no separator
problem_empty_side = one side is empty
problem_too_long = too long
problem_duplicate = seen before
problem_unknown = word not in the vocabulary
problem_swapped = languages swapped?
rows_good =
    { $n } { $n ->
        [one] pair
       *[other] pairs
    } to learn from
rows_bad =
    { $n } { $n ->
        [one] row has a problem and is left out; it is listed first
       *[other] rows have a problem and are left out; they are listed first
    }.
rows_more = The first { $n } rows are shown.
no_rows = No pairs yet.
languages_differ = This set is English → French, and the model in use is not. Choose another model or your own pairs.

## Settings

probe = Probe sentence
probe_help = Its translation and attention are recorded every few steps.
steps = Steps
steps_help = How many times the weights are changed. At most { $most } here.
batch_tokens = Batch, in tokens
batch_tokens_help = How many tokens are read before each change of the weights. Larger batches are steadier but slower.
learning_rate = Learning rate
learning_rate_help = How much each step changes the weights. If it is too small, the model hardly learns; if it is too large, it forgets what it knew.
schedule = Schedule
schedule_help = How the learning rate changes from step to step; the curve shows it.
schedule_constant = constant
schedule_noam = the paper's warm-up
schedule_cosine = cosine
schedule_trapezoid = trapezoid
warmup_steps = Warm-up steps
warmup_steps_help = Steps during which the learning rate rises.
trains = What is trained
trains_help = Everything else stays exactly as it is.
trains_everything = everything
trains_cross-attention = cross-attention
trains_last-layers = the last layers
how = How it is trained
how_said = { $steps } steps, learning rate { $rate }, trained: { $trains }
label_smoothing = Label smoothing
label_smoothing_help = Share of the target probability that is spread over the whole vocabulary, so that the model does not become too certain.
dropout = Dropout
dropout_help = Share of the activations set to zero at random, so that the model does not learn the sentences by heart.
held_out = Held out, %
held_out_help = Pairs that are not used for training. They show what the model really learned.
seed = Seed
seed_help = The same seed and settings give the same run.
device = Device
device_free = { $name }, { $free } free
step_axis = step
start = Train
open_run = Open a run by its name
my_runs = Runs of this session
run_gone = There is no run of this name here. It may have been deleted.

## While it runs

state_queued = Waiting: { $n } before this one
state_next = About to start
state_waiting = Waiting for the device, which another run holds
state_preparing = Preparing
state_running = Training
state_paused = Paused
state_comparing = Comparing before and after
state_finished = Finished
state_stopped = Stopped
state_failed = Failed
progress = { $state } · step { $step } of { $steps }
time_left = { $time } left
speed = { $n } tokens/s
seconds = { $n } s
minutes = { $n } min
pause = Pause
go_on = Continue
stop = Stop
stay = Closing this tab does not stop the run. The link in the address bar leads back to it.
halved = The GPU's memory was too small for some batches: they were taken in halves, with the same result.
loss = loss (nats per token)
loss_train = training
loss_held_out = held-out
curve_rate = learning rate
curve_speed = tokens per second
curve_gradient = gradient norm
loss_note = The training loss includes label smoothing ({ $smoothing }) and dropout; the held-out loss has neither.
film = The probe sentence during training
film_wait = The first picture comes with the first step.
film_none = No probe sentence was recorded.

## Faults

fault_device_memory = The GPU's memory is full. Halve the batch, or train a part of the model, and continue.
fault_memory = The machine's memory is full. Halve the batch and continue.
fault_not_finite = The loss is no longer a number. The last good step is kept: lower the learning rate and continue.
fault_killed = The process was ended from outside, often because memory ran out. Continue from the last snapshot, with a smaller batch.
fault_disk_full = The server's disk is full. Delete runs that are no longer needed, then continue.
fault_disk_limit = The run has used up the disk space it was given. What was learned is kept: use it, or start anew with fewer steps.
fault_server_ended = The server ended while this run was running or waiting. What was learned is kept: continue it.
fault_time_limit = The time that one run may take is over. What was learned is kept: continue if you need more.
fault_pause_limit = The pause was so long that the device was given to the next run. Continue when you like.
fault_settings = These settings do not allow the run.
fault_checkpoint = The model's files could not be read or written.
fault_unknown = An unexpected error occurred. The message below may help.

## After

use_result = Use the result as a model
use_step = Use the model of step { $step }
used = “{ $name }” is now the model on all pages, in this browser session only.
result_name = { $set }, step { $step }
own_pairs = own pairs
download = Download it
throw_away = Delete
throw_away_sure = The run, its recorded steps and its result are removed for good.
go_on_with = Continue with other settings
go_on_help = Continues from the last snapshot of this run.
new_run = New run
tab_film = During training
tab_translations = Translations
tab_heads = Heads that moved
tab_difference = Difference maps
tab_curves = Curves
before = Before
after = After
reference = Reference
changed = Changed
bleu =
    BLEU on { $n } held-out { $n ->
        [one] sentence
       *[other] sentences
    }
chrf = chrF
shown_tu_vous = say vous
shown_sailing = use the sailor's word
shown_unlearn = say renard where they should
shown_relearn = say chat where they should
shown_copy = copied without a mistake
shown_reverse = reversed without a mistake
shown_of = { $n } of { $total }
was = was { $value }
scores_how = Greedy translations. BLEU { $bleu }; chrF { $chrf }.
no_comparison = No pairs were held out, so there is nothing to compare.
heads_how = Share of its attention that each head moved to other tokens, on held-out pairs.
heads_most = { $kind } attention, layer { $layer }, head { $head } moved most: { $share }.
layer = layer
head = head
moved = moved
difference_how = Both models read the probe sentence and the translation it has now; blue is more attention than before.
before_caption = before training
after_caption = after training
busy = The run is still in progress: stop it first.
not_yours = This run was started in another browser. You can watch it; only the person who started it can stop it.
watching = This run was started from the command line and can be watched here.
