### Words of the film of training; names are filled in by the browser.

slider = Step of the training
step = step { $step }
at_step = step { $step }: { $text }
play = Play
pause = Pause
weights = Weights
change = Change since the start
grid = All heads, layers down
grid_label = All heads; chosen is layer { $layer }, head { $head }. Arrow keys move.
map = Layer { $layer } · Head { $head }
map_label = Attention of layer { $layer }, head { $head } at step { $step }
map_how = Each row: where the token on the left looks. The colour follows the square root of the weight.
entropy = Entropy of this head
entropy_label = Entropy { $bits } bits at step { $step }
bits = { $bits } bits
nothing = (no output yet)
