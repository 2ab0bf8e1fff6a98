### Words of the slider through a small model's training, on Explore.

show = Comment l'attention s'est formée
about = La même phrase dans un petit modèle anglais-français ({ $encoder }+{ $decoder } couches, { $heads } têtes), conservé à { $n } moments de son entraînement de { $steps } étapes. Déplacez le curseur : à l'étape 0, ses poids sont aléatoires.
long = Cette phrase est trop longue pour le petit modèle : choisissez-en une de { $n } tokens au plus.
