### Words of the Explore page.

long_expect = Ce texte a { $n } tokens. Ce qu'il demande au modèle ici a été estimé d'après deux essais courts d'une couche.
long_one = Regarder la couche { $layer } : environ { $seconds } s, { $mib } Mio
long_all = Toutes les couches : environ { $seconds } s, { $mib } Mio
long_reading = Lecture du texte : couche { $done } sur { $total }
long_writing = Traduction d'abord : { $done } tokens, { $total } au plus
long_cancel = Arrête la lecture. Vous pourrez la reprendre, ou regarder une seule couche.
long_stopped = La lecture a été annulée.
gradient_of = Pour le mot « { $token } ».
agreement = Mesuré sur { $n } têtes : la corrélation de rang avec l'effet de la désactivation de chaque tête est de { $correlation }.
aligns_title = Comment cette tête aligne les mots, d'après les mesures
aligned_fed = Avec cette tête, les lignes à l'écran (« token lu ») alignent mieux les mots : le taux d'erreur d'alignement est de { $fed }, contre { $predicted } avec « token prédit » ({ $n } paires alignées à la main).
aligned_predicted = Avec cette tête, les lignes à l'écran (« token prédit ») alignent mieux les mots : le taux d'erreur d'alignement est de { $predicted }, contre { $fed } avec « token lu » ({ $n } paires alignées à la main).
aligns_fed = Pour aligner des mots avec cette tête, réglez les lignes sur « token lu » : le taux d'erreur d'alignement est alors de { $fed }, contre { $predicted } avec « token prédit » ({ $n } paires alignées à la main).
aligns_predicted = Pour aligner des mots avec cette tête, choisissez des lignes « token prédit » : le taux d'erreur d'alignement est alors de { $predicted }, contre { $fed } avec « token lu » ({ $n } paires alignées à la main).
aligns_no_better = Ce n'est pas mieux que de relier les mots selon leur seule place, ce qui donne { $diagonal }.
compare = Comparer
other_text = Deuxième phrase
other_model = Deuxième modèle
same_model = le même modèle
compare_help = Comparez deux phrases qui diffèrent d'un mot, ou une phrase dans deux modèles, côte à côte ou par leur différence.
compare_end = Ne plus comparer
measure = Mesurer
effects = Ce qu'apporte chaque tête
effects_help = Désactive chaque tête tour à tour et mesure le changement de log-probabilité de la traduction.
cancel_effects = Arrête, et n'affiche pas les effets.
effects_running = { $done } têtes essayées sur { $total }
corpus_help = Mesure chaque tête sur un ensemble de phrases : quarante phrases fournies, ou votre fichier avec une phrase par ligne.
corpus_file = Phrases (.txt)
corpus_start = Mesurer sur l'ensemble
corpus_running = { $done } phrases sur { $total }
corpus_done =
    Mesuré sur { $n } { $n ->
        [one] phrase
       *[other] phrases
    }, { $skipped } { $skipped ->
        [one] laissée
       *[other] laissées
    } de côté.
data = Données et fichiers
tools = Outils
save_html = Page interactive (HTML)
save_csv = Tableau (CSV)
save_npz = Tableaux numériques (NPZ)
save_json = Tout (JSON)
open_file = Attention depuis un fichier
open_help = Poids et tokens de n'importe quel modèle, en .npz ou .json.
opened = Fichier affiché : { $name }
close_file = Revenir à la phrase
