### Words of the export panel, of exported pages and of figures.

page_title = Attention
page_made_by = Fait avec Regard. Cette page contient tout ce qu'elle montre et ne charge rien.
head = couche { $layer }, tête { $head }
weighting_value_weighted = pondérée par la norme des valeurs
weighting_rollout = rollout
weighting_gradient = gradient × attention
head_pdf = Cette tête, pour l'impression (PDF)
grid_pdf = Toutes les têtes, pour l'impression (PDF)
which = Fichiers de
paper = Une figure pour un article
paper_width = Largeur en mm
paper_columns = Place sur la page
paper_one = Une colonne ({ $n } mm)
paper_two = Deux colonnes ({ $n } mm)
paper_narrow = { $n } colonnes ne tiennent pas dans { $width } mm à côté d'étiquettes de { $font } points. Choisissez une figure plus large ou un corps plus petit.
paper_font = Corps en points
paper_values = Imprimer les poids
paper_format = Format
paper_save = Enregistrer la figure de cette tête
paper_caption = Sa légende, pour LaTeX :
gallery_title = Des phrases et leur attention
gallery_about = Chaque page montre une phrase, sa traduction et toutes les têtes d'attention. Elle marche sans réseau.
gallery_index = Toutes les phrases
gallery_before = Précédente
gallery_after = Suivante
