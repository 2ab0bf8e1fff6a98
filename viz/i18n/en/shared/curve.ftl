### Words of the slider through a small model's training, on Explore.

show = How attention formed in training
about = The same sentence in a small English–French model ({ $encoder }+{ $decoder } layers, { $heads } heads), kept at { $n } moments of its training of { $steps } steps. Move the slider: at step 0 its weights are random.
long = This sentence is too long for the small model: choose one of at most { $n } tokens.
