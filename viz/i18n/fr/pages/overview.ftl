### Words of the map of the whole model.

label = Carte du modèle
lead = Suivez le token en cours de prédiction :
step = Token en cours de prédiction
read = De bas en haut : l'encodeur transforme la source en vecteurs ; le décodeur les lit (tirets) avec le début de la traduction, et prédit « { $predicted } ». Chaque petit carré est une tête : plus il est coloré, plus son plus grand poids est grand. Cliquez sur un mot pour le suivre.
follow = Suivre « { $token } »
hint = Pointez une partie pour lire ce qu'elle fait ; cliquez pour l'ouvrir.
lead_encoder = Suivez un token :
read_encoder = De bas en haut : chaque couche laisse chaque token recueillir de l'information de tous les autres, puis le travaille seul. Les petits carrés sont les têtes : plus la couleur est forte, plus le plus grand poids de « { $token } » est grand. Cliquez sur un mot pour le suivre.
read_decoder = De bas en haut : à « { $token } », chaque couche recueille de l'information de ce token et des précédents ; le vecteur de la dernière prédit « { $predicted } ». Les petits carrés sont les têtes : plus la couleur est forte, plus leur plus grand poids est grand. Cliquez sur un mot pour le suivre.
read_prompt = De bas en haut : à « { $token } », chaque couche recueille de l'information de ce token et des précédents. Votre texte continue par « { $predicted } » ; en haut, ce que le modèle attendait. Les petits carrés sont les têtes : plus la couleur est forte, plus leur plus grand poids est grand. Cliquez sur un mot pour le suivre.
encoder_alone = Encodeur : lit le texte
decoder_alone = Décodeur : lit le texte et le continue
text_alone = texte jusqu'ici
tokens_alone = tokens du texte
attention_alone = Auto-attention
masked_alone = Auto-attention masquée
embedding_alone = Plongement
vectors = Un vecteur par token
masked_output = Tête de prédiction des tokens masqués, softmax → tokens cachés
about_attention_alone = Auto-attention : chaque token recueille de l'information de tous les tokens du texte. Cliquez pour voir ses têtes dans Explorer.
about_masked_alone = Auto-attention masquée : chaque token recueille de l'information de lui-même et des tokens précédents. Cliquez pour voir ses têtes dans Explorer.
about_embedding_alone = Le numéro de chaque token désigne une ligne de la table des plongements. Aucun vecteur de position n'est ajouté : ce modèle emploie les positions dans l'attention. Cliquez pour voir comment.
about_vectors = Ce que rend l'encodeur : un vecteur par token, dont se servent d'autres programmes. Cliquez pour voir toutes les têtes.
about_masked_output = Un score pour chaque token du vocabulaire, à chaque place. Le modèle a été entraîné à prédire des tokens cachés ; cliquez pour en cacher un.
says_next = Les couches parcourent une fois le texte et prédisent « { $word } ».
run = Faire tourner le modèle
pause = Pause
says_encoder = L'encodeur lit tous les mots à la fois, couche après couche.
says_bridge = Son résultat passe le pont vers l'attention croisée de chaque couche du décodeur.
says_word = Le décodeur tourne une fois, à partir de ce qui est déjà écrit, et prédit « { $word } ».
encoder = Encodeur : lit la source
decoder = Décodeur : écrit la traduction
reads = tokens source
written = début de la traduction, lu par le décodeur
self_attention = Auto-attention
masked_attention = Auto-attention masquée
cross_attention = Attention croisée
feed_forward = Réseau feed-forward
embedding = Plongement + position
memory = Résultat de l'encodeur → clés K et valeurs V
output = Matrice de sortie, softmax → token suivant
about_self_attention = Auto-attention : chaque token source recueille de l'information de tous les tokens source. Cliquez pour voir ses têtes dans Explorer.
about_masked_attention = Auto-attention masquée : chaque token de la traduction recueille de l'information de lui-même et des tokens précédents.
about_cross_attention = Attention croisée : les requêtes viennent du décodeur, les clés et les valeurs du résultat de l'encodeur. C'est ici que le décodeur regarde la source.
about_feed_forward = Feed-forward : un petit réseau appliqué à chaque token seul, avec les mêmes paramètres à toutes les positions.
about_embedding = Le numéro de chaque token désigne une ligne de la table des plongements ; on y ajoute le vecteur de sa position. Cette table peut venir d'un autre modèle (plongements préentraînés). Dans les trois modèles fournis, beaucoup de tokens sont partis du plongement qu'ils avaient dans un en-fr antérieur, et il a été entraîné avec le reste.
about_memory = Un vecteur par token source. Chaque couche du décodeur en tire ses propres clés et valeurs.
about_output = Un score pour chaque token du vocabulaire, transformé en probabilités par un softmax : une classification par étape. Beaucoup de modèles réutilisent la table des plongements comme matrice de sortie (partage des poids).
head = Tête { $head } : le plus grand poids d'une ligne vaut { $share } en moyenne. Cliquez pour voir l'intérieur.
head_at = Tête { $head } : plus grand poids { $share }, sur « { $token } ». Cliquez pour voir l'intérieur.
experts_title = Les experts : quelle partie du réseau traite quel token
experts_about = Dans les couches ci-dessous, il n'y a pas un seul réseau feed-forward mais { $n }, appelés experts. Pour chaque token, un routeur, une petite couche linéaire, donne un score à chaque expert et choisit { $k ->
        [one] le meilleur
       *[other] les { $k } meilleurs
    } ; { $k ->
        [one] lui seul calcule. Sa sortie est multipliée par le poids affiché.
       *[other] eux seuls calculent. Leurs sorties sont additionnées, chacune multipliée par le poids affiché.
    }
experts_not_followed = Ce sont les choix du routeur de ce modèle. Le code de la bibliothèque transformers, qui exécute le modèle, ne les suit pas : il confie chaque token à ses deux premiers experts.
experts_layer = Couche avec experts
experts_encoder = Encodeur, couche { $layer }
experts_decoder = Décodeur, couche { $layer }
experts_one = l'expert { $expert } avec le poids { $weight }
experts_and = {" et "}
experts_said = Dans cette couche, « { $token } » est traité par { $experts }.
experts_full = Dans cette couche, « { $token } » n'est traité par aucun expert : celui que son routeur a choisi avait déjà tous ses tokens.
experts_cell = { $row }, expert { $column } : poids { $value }
experts_tokens = tokens
experts_layers = couches
experts_columns = experts
experts_path = « { $token } » dans chaque couche
experts_read = Chaque ligne : les experts qui traitent ce token, avec leurs poids. Les experts qu'aucun token ne prend ici sont omis.
sharing_title = Quels poids sont partagés
sharing_elsewhere = Les poids de ce modèle sont gérés par une autre bibliothèque ; ils ne sont pas comparés ici.
sharing_three = **Partage des poids (weight tying).** Une table de { $n } nombres sert trois fois : pour les tokens de la source, pour ceux de la traduction, et comme matrice de sortie. La ligne d'un token est son plongement à l'entrée ; à la sortie, le produit scalaire du vecteur du décodeur avec cette ligne est le score du token.
sharing_two = **Partage des poids (weight tying).** Une table de { $n } nombres sert deux fois : pour les tokens de la traduction et comme matrice de sortie. La source a sa propre table. À la sortie, le produit scalaire du vecteur du décodeur avec la ligne d'un token est son score.
sharing_one = **Pas de partage.** Dans ce modèle, la matrice de sortie est une table à part, à côté des { $n } nombres des plongements. Beaucoup d'autres modèles n'ont qu'une table pour les deux.
sharing_scale = Les deux usages demandent des échelles différentes. Les nombres de la table ont au départ un écart type de 1/√d_model = { $unit } (après l'entraînement : { $now }). À l'entrée, on les multiplie par { $input_scale }, sinon ils seraient petits à côté des vecteurs de position. À la sortie, un score est une somme de d_model produits ; comme les nombres sont de l'ordre de 1/√d_model, les scores restent de l'ordre de 1 (écart type { $logits } pour le premier token ici). Avec des nombres de l'ordre de 1, cet écart type serait d'environ { $without }, et le softmax mettrait presque tout sur un seul token. Un modèle dont les nombres sont au départ de l'ordre de 1 multiplie donc sa sortie par 1/√d_model. Le facteur est ici { $output_scale }.
sharing_pretrained = La table peut aussi venir d'un autre modèle (**plongements préentraînés**, comme word2vec ou GloVe), puis rester fixe ou continuer à apprendre. Cela aide quand il y a peu de texte d'entraînement.
sharing_layers = **Les couches ne partagent aucun poids.** Elles ont la même structure, mais chacune a ses propres poids. Le tableau compare W_Q dans les couches de l'encodeur : 1 serait la même matrice, 0 veut dire aucune ressemblance.
sharing_layer = couche { $layer }
kinds_title = D'autres sortes d'attention
kinds =
    Un Transformer utilise une attention douce et globale, le plus souvent à plusieurs têtes. Il en existe d'autres :
    
    - L'attention **dure** ne prend qu'une valeur : Laboratoire → Fonctions de score → Douce et dure.
    - L'attention **locale** regarde une fenêtre autour d'une position ; une convolution fait de même avec des poids fixes : Laboratoire → Fonctions de score → Convolution.
    - L'attention **multidimensionnelle** donne à chaque dimension d'une valeur son propre poids. Pas d'exemple ici.
    - L'attention **hiérarchique** pondère d'abord les mots d'une phrase, puis les phrases d'un texte. Pas d'exemple ici.
    - Les **réseaux à mémoire** consultent plusieurs fois des faits stockés. Pas d'exemple ici.
    - Les **réseaux à pointeur** ont les poids eux-mêmes pour sortie : la réponse est la position qu'ils désignent. Pas d'exemple ici.
