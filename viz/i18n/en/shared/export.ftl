### Words of the export panel, of exported pages and of figures.

page_title = Attention
page_made_by = Made with Regard. This page contains everything it shows and loads nothing.
head = layer { $layer }, head { $head }
weighting_value_weighted = weighted by the norm of the values
weighting_rollout = rollout
weighting_gradient = gradient × attention
head_pdf = This head, for print (PDF)
grid_pdf = All heads, for print (PDF)
which = Files of
paper = A figure for a paper
paper_width = Width in mm
paper_columns = Space on the page
paper_one = One column ({ $n } mm)
paper_two = Two columns ({ $n } mm)
paper_narrow = { $n } columns do not fit into { $width } mm beside labels of { $font } pt. Choose a wider figure or a smaller font.
paper_font = Font size in points
paper_values = Print the weights
paper_format = Format
paper_save = Save the figure of this head
paper_caption = Its caption, for LaTeX:
gallery_title = Sentences and their attention
gallery_about = Each page shows one sentence, its translation and every attention head. It works without a network.
gallery_index = All sentences
gallery_before = Previous
gallery_after = Next
