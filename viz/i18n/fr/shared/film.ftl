### Words of the film of training; names are filled in by the browser.

slider = Étape de l'entraînement
step = étape { $step }
at_step = étape { $step } : { $text }
play = Lire
pause = Pause
weights = Poids
change = Écart depuis le début
grid = Toutes les têtes, couches vers le bas
grid_label = Toutes les têtes ; choisie : couche { $layer }, tête { $head }. Les flèches passent d'une tête à l'autre.
map = Couche { $layer } · Tête { $head }
map_label = Attention de la couche { $layer }, tête { $head } à l'étape { $step }
map_how = Chaque ligne : où regarde le token de gauche. La couleur suit la racine carrée du poids.
entropy = Entropie de cette tête
entropy_label = Entropie de { $bits } bits à l'étape { $step }
bits = { $bits } bits
nothing = (pas encore de sortie)
