### Words of what a comparison comes to.

log_prob = log p of its translation { $value }
moved_title = Moved most
moved_help = The share of a head's weight that went to another token, mean over the rows that both have. Click to look.
moved = { $head }: { $share }%
other_shape = The two models differ in layers or heads: they can be shown side by side but not subtracted.
