### Words of the attention explorer.


## Kinds

kind = Type d'attention
encoder_self = auto-attention de l'encodeur
decoder_self = auto-attention du décodeur
cross = attention croisée
short_encoder_self = Encodeur
short_decoder_self = Décodeur
short_cross = Croisée
source = Source
target = Traduction
token_end = fin
token_start = début

## Toolbar

toolbar = Lecture de l'attention
controls = Réglages
more = Plus
view = Vue
map = Carte
lines = Traits
text = Texte
rows_are = Lignes :
fed = token lu
predicted = token prédit
unit = Unité
pieces = tokens
words = mots
combine = Plusieurs têtes
mean = moyenne
max = maximum
sum = somme
together = Tokens épinglés
orientation = Orientation
vertical = verticale
horizontal = horizontale
compare = Comparer
side = côte à côte
difference = différence
keys = Raccourcis
close = Fermer
end_presenting = Quitter la présentation
presenter = Grands caractères pour projeter
remove = Retirer
pinned_row = ligne
pinned_column = colonne

## Sinks

sinks = Puits
sinks_aside = Sans les puits
sinks_shown = visibles
sinks_greyed = grisés
sinks_removed = retirés
sink_begin = début
sink_end = fin de phrase
sink_punctuation = ponctuation
is_sink = un puits : grisé, hors de l'échelle
about_sinks = Puits d'attention : les têtes qui ont peu à transmettre mettent souvent leur poids sur ces tokens. Dans les dernières lignes, ces poids peuvent décider de la fin de la phrase. Si on les retire, le reste de chaque ligne est ramené à une somme de 1.

## Scale

scale_menu = Échelle
scale = Pleine couleur
scale_row = ligne
scale_head = tête
scale_common = commune
about_scale_row = Le poids le plus fort de chaque ligne a la pleine couleur.
about_scale_head = Le poids le plus fort de chaque tête a la pleine couleur.
about_scale_common = La pleine couleur vaut 1 partout : les têtes se comparent.
curve = Courbe
curve_linear = linéaire
curve_sqrt = racine carrée
palette = Palette
palette_hue = une teinte
palette_viridis = viridis
palette_cividis = cividis
palette_grey = gris
threshold = Seuil

## Weights

weighting = Poids
weighting_raw = bruts
weighting_value_weighted = × norme de la valeur
weighting_rollout = rollout
weighting_gradient = × gradient
weighting_about_raw = Les poids du softmax eux-mêmes.
weighting_about_value_weighted = Poids multipliés par la longueur du vecteur transmis : un grand poids sur un vecteur court compte peu.
weighting_about_rollout = Attention multipliée couche après couche. À chaque couche, la moitié du poids reste sur le token lui-même, pour la connexion résiduelle.
weighting_about_gradient = Poids multipliés par le gradient de la log-probabilité du mot choisi par rapport à ces poids.
computing = Calcul de ces poids…
paper = Article

## Export

export = Exporter
export_files = Données et fichiers…
picture = Image
transparent = fond transparent
about_picture = La vue telle qu'affichée, avec sa légende.
caption_removed = puits retirés
caption_threshold = poids d'au moins { $threshold }

## Grid

all_heads = Toutes les têtes
grid_order = couches vers le bas, têtes vers la droite
grid_sorted = triées
grid_hint = Barre sous une tête : { $metric }. Clic pour ouvrir, maj-clic pour combiner, flèches pour se déplacer.
grid_hint_long = Chaque image montre tout le texte par blocs de tokens. Clic pour ouvrir une tête, flèches pour se déplacer.
long_words = Pointez une case de la carte pour lire son poids.
strongest_links_long = Liens les plus forts dans le cadre
long_place = Lignes { $first_row } à { $last_row } sur { $rows }, colonnes { $first_column } à { $last_column } sur { $columns }
long_how = Faites glisser le cadre, ou déplacez-le avec les flèches. Chaque point de l'image est un bloc de { $block } × { $block } tokens ; la carte ci-dessous montre chaque token.
long_label = La tête sur tout le texte. La carte montre les lignes { $first_row } à { $last_row } sur { $rows } et les colonnes { $first_column } à { $last_column } sur { $columns } ; les flèches la déplacent.
grid_hint_plain = Clic pour ouvrir, maj-clic pour combiner, flèches pour se déplacer.
grid_label =
    Toutes les têtes, { $kind } : { $layers } { $layers ->
        [one] couche
       *[other] couches
    } de { $heads } { $heads ->
        [one] tête
       *[other] têtes
    }
sort_by = Tri :
sort_order = couche
sort_entropy = entropie la plus basse
sort_confidence = concentration
sort_maximum = maximum
sort_offset = regarde en avant
sort_previous = token précédent
sort_same = même token
sort_next = token suivant
sort_sink_share = sur les puits
sort_diagonality = diagonale
sort_effect = plus grande perte sans elle
bar_entropy = entropie
bar_confidence = concentration (plus grand poids moyen d'une ligne)
bar_maximum = plus grand poids
bar_offset = distance moyenne
bar_previous = part sur le token précédent
bar_same = part sur le même token
bar_next = part sur le token suivant
bar_sink_share = part sur les puits
bar_diagonality = à quel point elle est diagonale
bar_effect = variation de la log-probabilité sans elle

## Heads

head_name = Couche { $layer } · Tête { $head }
heads_mean =
    Moyenne de { $count } { $count ->
        [one] tête
       *[other] têtes
    }
heads_max =
    Maximum de { $count } { $count ->
        [one] tête
       *[other] têtes
    }
heads_count =
    { $count } { $count ->
        [one] tête
       *[other] têtes
    }
head_is_off = désactivée
do_switch_off = Désactiver cette tête
do_switch_on = Réactiver cette tête
do_open_head = Voir l'intérieur
label_previous = token précédent
label_same = même token
label_next = token suivant
label_sinks = surtout sur les puits
label_diagonal = diagonale
label_uniform = uniforme
metric_entropy = entropie
metric_offset = décalage moyen
metric_previous = précédent
metric_same = même
metric_next = suivant
metric_sink_share = puits
metric_confidence = concentration
metric_maximum = maximum
metric_diagonality = diagonale
metric_effect = si désactivée
metric_strongest = le plus fort
about_entropy = Moyenne des lignes. 0 : tout le poids est sur un seul token.
about_offset = Distance moyenne en tokens depuis la position de la ligne. Négative : elle regarde les tokens précédents.
about_previous = Poids moyen du token d'avant.
about_same = Poids moyen du token lui-même.
about_next = Poids moyen du token d'après.
about_sink_share = Poids moyen des tokens spéciaux et de la ponctuation.
about_confidence = Moyenne du plus grand poids de chaque ligne.
about_maximum = Le plus grand poids de la tête.
about_diagonality = 1 : tout le poids est sur la diagonale. Environ 0,5 : le poids est réparti également.
about_effect = Variation de la log-probabilité de la traduction.
corpus_entropy = Entropie (bits)
corpus_sink_share = Part sur les puits
corpus_maximum = Plus grand poids
corpus_confidence = Concentration : moyenne du plus grand poids par ligne
corpus_offset = Décalage (tokens)
corpus_previous = Poids sur le token d'avant
corpus_same = Poids sur la même position
corpus_next = Poids sur le token suivant
corpus_diagonality = Diagonalité
corpus_value_weighted_share = Part dans la sortie de sa couche
corpus_value_weighted_sink_share = Part des puits, pondérée par les valeurs
corpus_about_entropy = 0 bit : la tête regarde un seul token ; plus de bits, plus elle se disperse. Chaque case est la médiane sur les phrases ; pointez-la pour l'étendue 5–95 %.
corpus_about_sink_share = Part du poids qui tombe sur la ponctuation et les tokens spéciaux. Médiane sur les phrases.
corpus_about_maximum = Le plus grand poids de la carte de chaque phrase. Médiane sur les phrases.
corpus_about_confidence = À quel point une tête est concentrée : le plus grand poids de chaque ligne, en moyenne (Voita et al. 2019).
corpus_about_offset = Où se trouve le poids en moyenne : négatif vers l'arrière, positif vers l'avant.
corpus_about_previous = Poids sur le token juste avant la requête.
corpus_about_same = Poids sur la position de la requête elle-même.
corpus_about_next = Poids sur le token juste après la requête.
corpus_about_diagonality = 1 : le poids suit la diagonale de la carte. Environ un demi : il ne la suit pas.
corpus_about_value_weighted_share = Part de cette tête dans ce qu'écrivent les têtes de sa couche, d'après les normes des valeurs pondérées (Kobayashi et al. 2020).
corpus_about_value_weighted_sink_share = La part des puits quand chaque poids est multiplié par la longueur de son vecteur valeur. Les vecteurs valeur des puits sont souvent courts.
corpus_about_weight = Le poids le plus fort de la ligne de chaque token, par sorte de token. Médiane sur les tokens.
bits = { $n } bits
on_second = { $value } dans le second
on_set = { $value } sur le corpus

## How to read

how_encoder_self_plain = Chaque ligne : où le mot de gauche regarde dans sa phrase.
how_decoder_self_predicted = Chaque ligne : quels mots précédents le décodeur relit en prédisant le mot de gauche.
how_decoder_self_fed = Chaque ligne : quels mots précédents le décodeur relit après avoir lu le mot de gauche.
how_decoder_self_plain = Chaque ligne : quels mots précédents le mot de gauche relit.
how_cross_predicted = Chaque ligne : où le décodeur regarde dans la source en prédisant le mot de gauche.
how_cross_fed = Chaque ligne : où le décodeur regarde dans la source après avoir lu le mot de gauche.
how_cross_plain = Chaque ligne : où le mot de gauche regarde dans la source.
how_difference = Second moins premier, là où les tokens se correspondent ; les cases barrées n'ont pas de pendant.
how_lines = Un trait relie un mot aux mots qu'il regarde. Plus le poids est grand, plus le trait est marqué. Pointez un mot pour lire ses poids.
how_text = Pointez un mot : les mots qu'il regarde se colorent.
how_words = Les tokens sont réunis en mots : poids additionnés sur les clés et moyennés sur les requêtes ; la somme de chaque ligne reste 1.
how_removed = Puits retirés : ils tenaient { $share } du poids en moyenne. Les lignes sont ramenées à une somme de 1, pour l'œil seulement ; une ligne qui ne regardait rien d'autre est vide.
how_max = Maximum sur les têtes : la somme des lignes n'est plus 1.
how_threshold = Les poids inférieurs à { $threshold } ne sont pas dessinés.
row_removed = { $share } de cette ligne était sur les puits
not_yet = n'existe pas encore : un token suivant
not_computed = non calculé : les tokens sont trop éloignés pour cette couche
no_counterpart = pas de pendant de l'autre côté
not_numbers = Les poids de { $heads } ne sont pas des nombres (NaN ou infinis). Les poids du checkpoint sont endommagés ou dépassent la plus grande valeur possible. Ouvrez un autre checkpoint, ou enregistrez celui-ci de nouveau depuis l'entraînement.

## Map, lines, table

map_label =
    { $kind }, { $head } : { $rows } { $rows ->
        [one] ligne
       *[other] lignes
    }, { $columns } { $columns ->
        [one] colonne
       *[other] colonnes
    }. Les liens les plus forts sont dans le tableau.
zoom = Zoom
zoom_in = Agrandir
zoom_out = Réduire
zoom_fit = Carte entière
looks_from = regarde depuis
looks_at = regarde
lines_capped = Les { $drawn } traits les plus marqués sur { $cells }.
heads_capped = Les { $shown } premières têtes sur { $count }.
matters_ask = Lesquelles comptent ici ?
matters_running = { $done } têtes sur { $total } désactivées tour à tour…
matters_some =
    { $n } de ces { $total } têtes { $n ->
        [one] change
       *[other] changent
    } cette traduction quand on les désactive une à une.
matters_none = Désactivées une à une, aucune de ces { $total } têtes ne change cette traduction.
matters_example = Sans { $head }, « { $before } » devient « { $after } ».
matters_without = Sans cette tête : { $text }
picks = relie « { $seen } » → « { $said } »
numbers = Chiffres
words_writing = En écrivant { $query }, cette tête regarde { $key } : { $share }
words_after = Après { $query }, cette tête regarde { $key } : { $share }
words_reading = En lisant { $query }, cette tête regarde { $key } : { $share }
words_off = Cette tête est coupée : rien de ce qu'elle lit ne compte. Pour { $query }, ses poids restent sur { $key } : { $share }
words_many = { $query } regarde { $key } : { $share }
strip = la bande { $text }
strongest_links = Liens les plus forts
as_table = Tous les poids en tableau
table_from = depuis
table_to = vers
table_weight = poids

## Keys

key_heads = tête précédente ou suivante
key_layers = couche au-dessus ou au-dessous
key_kinds = encodeur, décodeur, croisée
key_views = carte, lignes, texte
key_words = tokens ou mots
key_rows = lignes : lu ou prédit
key_sinks = puits visibles, grisés, retirés
key_zoom = agrandir, réduire, carte entière
key_table = tous les poids en tableau
key_tokens = de token en token
key_pin = épingler le token
key_escape = fermer ou réinitialiser : menu, épingles, têtes, zoom
key_present = grands caractères
key_help = cette liste
