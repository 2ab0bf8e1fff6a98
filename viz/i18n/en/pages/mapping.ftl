### Words of the table that maps a checkpoint's names to ours, and of what helps where nothing opens.

title = A table of tensor names
lead = For a checkpoint from unknown code, say what each tensor is. The table is filled in from the tensors' shapes and order, so check it. { "{i}" } stands for the number of a layer.
theirs = Name in the file
shape = Shape
count = Layers
wrong = Check
wrong_help = A row that the last attempt points at: it lacks a place, or its tensor does not fit.
ours = What it is
ours_help = Several names joined by + are stacked in one tensor, in this order from top to bottom.
ignored = (ignored)
turned = Transposed
turned_help = Stored as (in, out): rows are inputs. PyTorch stores (out, in).
open = Open it with this table
save = Save the table
save_help = A file for others who use the same code. Once the model is open, the file also contains your answers.
file = A saved table (.toml)
suspect = Its names look like those of { $toolkit }.
advice_add_config = Drop the whole folder, with its config.json and tokenizer files.
advice_folder_or_attention = A Hugging Face folder opens with its config.json. Otherwise correct the table below, or bring its attention as a file.
advice_gather = It holds each part's weights as one row of numbers, without their names and shapes. Save the model again with the full state dict (StateDictType.FULL_STATE_DICT).
advice_one_stack = Such a model reads pictures, and cannot be opened here. Bring its attention as a file.
advice_recurrent = A recurrent network has no attention heads: bring its attention as a file if it has attention.
advice_map = The table below can open it if its layers are of the usual kind.
other_way = Or write its attention to a file from your own code, and open that on the page Explore:
other_way_then = cross_attentions: each layer's weights after softmax, for a batch of one sentence; source and target: its tokens.
