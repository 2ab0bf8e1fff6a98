### Why a checkpoint does not open, and what to do: the rule and the remedy of each kind of refusal.

recurrent = These are the tensors of a recurrent network, and only Transformers open here.
family = This file could not be opened by the names of its tensors. The message says what it is, or what does not fit. Correct the table of names if one stands below, or bring the model's attention as a file.
known = This kind of model is known, and it cannot be shown here. The message says why, and what to give instead.
quantised = These weights are quantised: rounded to a few bits and packed, so attention computed from them would be another. Give the model that they were made from, in float32, float16 or bfloat16.
adapter = This is an adapter (LoRA), which changes another model and is none by itself. Merge it into that model, save the result, and give that folder.
newer = This type of model is not known here; it may be newer than this version. Update Regard, or bring the model's attention as a file.
part = The weights are in several files, and not all of them are here. Add the missing ones.
files = These files are not a checkpoint that can be opened here. The message says what is missing or what does not fit.
code = Reading this file would mean running code that it contains, and no code from a file is run here. Load it where it was made, and save only the weights.
damaged = The file is damaged or cut short, or it contradicts itself. Copy it again, or save it again where it was made.
limit = It is larger than this server allows, or takes more memory or time to read. Try a smaller model; on a server of your own, the limits can be raised.
system = Uploaded files are read in a process that cannot harm this machine, and this system cannot make one. Start Regard on Linux, on macOS, or on Windows in WSL.
tensors = The tensors do not fit the configuration: { $missing } missing, { $unexpected } unexpected, { $misshapen } of another shape. Use the configuration that was saved with these weights.
unused = The weights hold { $unexpected } tensors that this type of model does not use. Without them it would be another model, and its attention too. Use the configuration that was saved with these weights, or save the attention from the original code as a file.
changed = The file has the marks of a known kind and not all of its tensors, as changed code leaves it. Correct the table of names below, or bring the model's attention as a file.
mapped = The tensors do not fit as the table places them: { $missing } missing, { $unexpected } left over, { $misshapen } of another shape. Change their lines in the table below.
tokens = The vocabulary cannot be used with these weights. Give the one that was trained with them.
answer = An answer, or a line of the table, does not fit this file. Change it and try again.
settings = The settings in these files cannot be read, or contradict each other. Give those that were saved with the weights.
detail = In detail:
