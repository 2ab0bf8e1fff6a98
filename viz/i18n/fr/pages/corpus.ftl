### Words of the Corpus page.

views = Vue
view_heads = Têtes
view_find = Chercher
view_fires = Ce que regarde une tête
view_neighbours = Voisins
view_align = Alignement
view_pruning = Élagage
view_explains = L'attention est-elle une explication ?
comma = ,{ " " }
with_value = { $name } ({ $value })
opened = { $n } paires de phrases jamais vues à l'entraînement, mesurées avec { $model }
opened_given =
    { $n } { $n ->
        [one] paire de phrases, mesurée
       *[other] paires de phrases, mesurées
    } avec { $model }
opened_texts =
    { $n } { $n ->
        [one] texte mesuré
       *[other] textes mesurés
    } avec { $model }
other_texts = Mesurer des textes
texts_help = Un fichier UTF-8 avec un texte par ligne. Le modèle en cours lit les { $most } premiers, dans la même file que les entraînements. Seules les personnes qui ont le lien voient le résultat.
texts = Textes, un par ligne (.txt)
texts_start = Mesurer ces textes
opened_part = Ces mesures sont incomplètes : { $n } paires sur { $total }. Pour mesurer le reste, relancez la même commande avec --resume.
none_measured = Aucune de ces paires n'a pu être mesurée. La ligne ci-dessus dit pourquoi la première a été écartée.
opened_own =
    Vos phrases : { $n } { $n ->
        [one] paire mesurée
       *[other] paires mesurées
    } avec { $model }
survey = Mesures
survey_shared = Fournies : { $n } paires, { $model }
survey_given =
    Données ici : { $n } { $n ->
        [one] paire
       *[other] paires
    }, { $model }
survey_own =
    { $title } : { $n } { $n ->
        [one] paire
       *[other] paires
    }, { $model }
survey_gone = Il n'y a plus de mesures de ce nom ici. Voici celles qui sont fournies.
same_help = Ou mesurez avec { $model } les phrases affichées, pour mettre les deux modèles côte à côte.
same_start =
    Mesurer { $n } { $n ->
        [one] paire
       *[other] paires
    }
same_title = les mêmes phrases
own_targets = Mesurer le modèle sur ses propres traductions
own_targets_help = À cocher si le modèle écrit une autre langue que ces traductions. Sinon il devrait noter des mots qu'il ne connaît pas. Sans cela, tous les modèles reçoivent les mêmes traductions, et deux modèles d'une même langue se comparent.
own_targets_here = Ce modèle écrit une autre langue que ces traductions ; ce sont donc ses propres traductions qui sont mesurées.
figures_own_targets = Mesuré avec { $model } sur des phrases de cet ensemble et ses propres traductions.
rate =
    { $n } { $n ->
        [one] paire
       *[other] paires
    }/s
stopping = Arrêt après ce lot
stop = Arrêter
meanwhile = Les mesures s'ouvriront ici une fois terminées. En attendant, la page montre les résultats déjà obtenus. Vous pouvez partir et revenir par ce lien.
meanwhile_nothing = Elles s'ouvriront ici une fois terminées. En attendant, d'autres mesures sont affichées ; vous pouvez partir et revenir par ce lien.
ended_early = Ces mesures se sont arrêtées avant la fin : { $n } paires sur { $total }. { $reason }
go_on_help = Les paires déjà mesurées sont gardées. Les autres attendent dans la même file que les entraînements.
go_on_damaged = « Reprendre » mesure à nouveau les paires du fichier abîmé et garde les autres.
fault_killed = Le processus a été tué, souvent faute de mémoire : essayez moins de paires.
fault_memory = La mémoire de la machine est pleine : réessayez plus tard ou avec des phrases plus courtes.
fault_disk_full = Le disque du serveur est plein : supprimez ce qui ne sert plus.
fault_server_ended = Le serveur a redémarré entre-temps : relancez pour le reste.
fault_time_limit = Le temps permis ici est écoulé : donnez moins de paires.
fault_other = Le message ci-dessous dit pourquoi.
other_pairs = Mesurer d'autres paires
upload_help = Un fichier UTF-8 : sur chaque ligne une phrase, une tabulation, sa traduction. Les { $most } premières paires sont mesurées avec le modèle en cours, dans la même file que les entraînements. Seules les personnes qui ont le lien voient le résultat.
keep_states = États à garder pour Voisins
keep_states_help = Voisins cherche dans les états de ces couches, sur toutes les paires. Sans eux, il calcule à l'ouverture ceux des mille premières paires. Chaque couche prend de la place sur le disque du serveur.
keep_states_none = aucun
upload = Paires de phrases (.tsv)
start = Mesurer ces paires
running = { $done } paires sur { $total }
left_out =
    { $n } { $n ->
        [one] paire laissée
       *[other] paires laissées
    } de côté. La première est la paire { $number } : { $reason }
reason_target = la traduction est vide
reason_source = la phrase source est vide
reason_characters = elle compte { $n } caractères, et la limite est de { $most }. Écrivez une phrase par ligne
reason_long = elle compte { $n } tokens, et la limite est de { $most }
surveyed_other = Ces nombres sont ceux de { $model }. Choisissez ce modèle en haut pour voir ses cartes ici, ou mesurez des paires avec le modèle en cours.
surveyed_other_alone = Ces nombres ont été mesurés avec { $model }, et non avec { $own }, le modèle utilisé. Pour mesurer { $own }, donnez-lui un fichier de textes ci-dessus ; pour voir ici les cartes de { $model }, choisissez-le en haut.
attribution = Phrases : Tatoeba, par manythings.org/anki, CC BY 2.0.
kind = Attention
layer = Couche
head = Tête
measure = Mesure
split = Séparer par
split_none = toutes les phrases ensemble
split_length = longueur de la phrase
split_quality = qualité de la traduction
split_token = sorte de token
length_1 = jusqu'à 6 tokens ({ $n })
length_2 = 7 à 9 tokens ({ $n })
length_3 = 10 à 13 tokens ({ $n })
length_4 = 14 tokens et plus ({ $n })
quality_1 = proches de la référence : chrF 60 et plus ({ $n })
quality_2 = loin de la référence : chrF sous 60 ({ $n })
token_first = premier token
token_last = dernier token avant le point
token_punctuation = ponctuation
token_subword = intérieur d'un mot
token_word = autres mots
token_end = fin de la phrase
cross_only = La diagonalité se mesure pour l'attention croisée : choisissez-la, ou une autre mesure.
spread = 5–95 %
median = médiane
sorted = En tableau trié
one_head = Couche { $layer }, tête { $head } : { $part }
all_sentences = toutes les phrases
tokens = tokens
strongest_weight = Plus grand poids d'une ligne
n_pairs =
    { $n } { $n ->
        [one] paire
       *[other] paires
    }
beside = À côté
beside_none = rien d'autre
sentences = phrases
bar_sentences = Phrases de { $low } à { $high }
top_sentences = Valeurs de { $low } à { $high }. Voici les cinq phrases les plus hautes ; cliquez sur une barre pour voir les siennes.
reference = Référence : { $text }
translation = Modèle : { $text }
nothing = Aucune phrase ne convient.
no_scores = Il n'y a pas de scores ici : aucune traduction n'a été comparée à une référence. Mesurez ces paires, traductions comprises, avec un modèle de leur langue.
save = Enregistrer
question = Question
question_sinks = Dans quelles phrases cette tête donne-t-elle plus de la moitié de son poids aux puits ?
question_word = Dans quelles phrases se trouve un mot ?
question_distance = Où cette tête regarde-t-elle le plus loin ?
question_faithless = Quelles traductions dépendent le moins de leur source ?
question_worst = Quelles traductions sont les plus loin de la référence ?
word = Mot
about_sinks =
    { $n } { $n ->
        [one] phrase
       *[other] phrases
    }. Les puits sont la ponctuation et les tokens spéciaux.
about_word =
    { $n } { $n ->
        [one] phrase
       *[other] phrases
    }.
about_distance = Selon la distance entre un token et la clé qu'il regarde le plus, puits exclus.
about_faithless = Mesuré par retrait : ce que la source ajoute à la log-probabilité de chaque token cible. Les poids d'attention seuls ne le disent pas.
about_worst = Selon chrF face à la référence. Une bonne traduction libre peut avoir un score bas.
value_sinks = sur les puits : { $value }
value_word = chrF { $value }
value_distance = distance { $value } tokens
value_faithless =
    la source ajoute { $value } { $value ->
        [one] nat
       *[other] nats
    } par token
value_worst = chrF { $value }
sql = Demander en SQL
sql_about = Un seul SELECT de DuckDB sur ces tables et leurs colonnes, en lecture seule, 20 secondes au plus.
sql_run = Exécuter
sql_cancel = Annuler
sql_seconds = { $n } s
sql_waits = En attente. Requêtes avant celle-ci : { $n }
sql_cut = La réponse est plus longue : en voici les { $n } premières lignes.
sql_wrong = Cette requête n'a pas pu aboutir
with_sinks = Compter aussi la ponctuation et les tokens spéciaux
strongest = Les plus forts, un par phrase
chance = Tirés au hasard
fires_about = Les cas les plus forts ressemblent souvent à une règle. Comparez-les au tirage au hasard avant d'y croire.
query = token
query_predicted = token prédit
key = regarde
weight = poids
sentence = phrase
neighbours_other = Les voisins se cherchent dans les états de { $model } : choisissez ce modèle en haut et donnez-lui une phrase, ou mesurez ces paires avec le modèle en cours.
neighbours_working = Calcul des états des mille premières phrases, une seule fois.
state = État après
state_encoder = couche { $layer } de l'encodeur
state_decoder = couche { $layer } du décodeur
state_encoder_0 = plongements de la source
state_decoder_0 = plongements de la cible
state_source = Token source
state_step = Étape qui prédit
state_token = lu
state_next = suivant
state_here = ici
nearness = proche
neighbours_source = Les tokens du corpus où l'encodeur était dans l'état le plus semblable. Ensuite vient { $words }.
neighbours_target = Les étapes du corpus où le décodeur était dans l'état le plus semblable ; entre crochets le token à prédire : { $words }.
neighbours_exact = Les { $n } états ont tous été comparés (cosinus, l'état moyen retiré).
neighbours_gathered = Ces mesures n'ont gardé aucun état : ceux des { $n } premières paires ont été calculés ici. Pour chercher dans toutes les paires, mesurez-les de nouveau en choisissant des états à garder.
neighbours_index = { $n } états, cherchés par un index approché (cosinus, l'état moyen retiré) : un voisin peut manquer.
neighbours_most = Seuls les { $most } premiers des mesures servent.
colour = Couleur selon
colour_token = sorte de token
colour_layer = couche
colour_head = plus grand poids d'une tête
colour_other_side = Les lignes de cette tête sont de l'autre côté : les couleurs sont celles des tokens à la même place là-bas.
plane_about = { $n } états dans le plan où ils diffèrent le plus ; il montre { $share } % de leur variance : ce qui est proche ici peut être loin ailleurs.
no_cross = Ce modèle n'a pas d'attention croisée : choisissez un modèle qui traduit.
align_not_measured = L'alignement n'a pas été mesuré pour le modèle en cours.
align_measure = Mesurer l'alignement
align_best = **La tête { $head } de la couche { $layer } aligne le mieux (lignes : { $row })** : taux d'erreur d'alignement { $aer } (0 est parfait).
row_fed = token lu
row_predicted = token prédit
rows = Lignes :
aer = taux d'erreur d'alignement
aer_about = Le calcul : chaque mot cible est lié au mot source de plus grand poids. Soit A ces liens, S ceux dont les annotateurs étaient sûrs et P les liens possibles, S compris. Le taux vaut 1 − (|A∩S| + |A∩P|) / (|A| + |S|). Sans modèle, lier chaque mot à celui qui est à la même place dans sa phrase donne { $diagonal }.
align_ways = Le même modèle, lu autrement, se trompe moins :
align_ways_about = Pondérée par les valeurs : chaque poids est multiplié par la longueur de son vecteur valeur. Dans les deux sens : chaque poids devient sa part de sa ligne multipliée par sa part de sa colonne ; un mot source que tous les mots cibles regardent n'est alors lié à aucun. Au-dessus d'un seuil : les liens plus faibles sont écartés. Les ensembles de têtes et leur seuil sont choisis sur une moitié des paires et évalués sur l'autre.
value_weighted = pondérée par les valeurs
both_ways = dans les deux sens
over = au-dessus de { $threshold }
with_end = fin de phrase permise
align_copy = Réglages pour OpenNMT-py et CTranslate2, qui comptent à partir de 0. Ces outils font la moyenne des premières têtes d'une couche et lisent la ligne qui prédit le mot. Le meilleur taux d'erreur qu'ils atteignent ici est de { $aer } :
align_copy_pairs = Les outils qui acceptent des paires couche-tête (Whisper dans CTranslate2 et Hugging Face) peuvent nommer la meilleure tête elle-même :
align_lines = Pour comparer, Hansards en-fr, deux sens combinés : FastAlign 0,164, GIZA++ 0,080. Kobayashi et al. 2020, De-En : poids 0,477 (prédit) et 0,298 (reçu), normes 0,414 et 0,250.
gold_own = Mesurer sur vos propres alignements
gold_help = Une paire par ligne : source, tabulation, cible, tabulation, liens comme 0-0 1p2 (i-j sûr, ipj possible, mots entre espaces comptés depuis 0).
gold_file = Paires alignées (.tsv)
pair = Paire (0 à { $n })
gold_read = Chaque ligne est un mot cible, chaque colonne un mot source. Carrés pleins : lien sûr. Carrés vides : lien possible.
gold_from = Liens de référence : Alibi, Xu & Yvon 2016, CC BY-SA 4.0 ; textes de Wikisource.
gold_mine =
    Liens de référence : { $file }, { $n } { $n ->
        [one] paire
       *[other] paires
    }.
gold_first = Liens de référence : { $file }, les { $n } premières lignes sur { $total }.
gold_other_language = Les alignements fournis ici sont anglais-français, et { $model } écrit une autre langue. Donnez des paires de cette langue, alignées à la main, pour voir lesquelles de ses têtes alignent.
gold_back = Revenir aux alignements fournis
align_skipped =
    { $n } { $n ->
        [one] paire laissée
       *[other] paires laissées
    } de côté : le modèle ne peut pas { $n ->
        [one] la
       *[other] les
    } lire.
figures_measure =
    Mesurer { $n } { $n ->
        [one] paire
       *[other] paires
    } de cet ensemble avec { $model }
figures_shipped = Ci-dessous : ce qui a été mesuré avec { $model } sur les phrases fournies.
figures_own = Mesuré avec { $model } sur des phrases de cet ensemble.
working_pruning = Retrait des têtes, l'une après l'autre
working_erasure = Retrait des mots, l'un après l'autre
no_figures = Ces mesures manquent : produisez-les avec « python -m model.corpus.shipped ».
curve_title = Retirer de plus en plus de têtes
curve_about = Log-probabilité que le modèle donne encore aux références de { $n } paires. Importance : à quel point la perte dépend de chaque tête (Michel et al. 2019), les moins importantes d'abord. Bandes : intervalle à 95 % sur les phrases ; pour le hasard, du pire au meilleur de { $orders } ordres.
curve = Ordre
curve_importance = les moins importantes d'abord
curve_random = ordres au hasard, moyenne
curve_random_0 = un ordre au hasard
curve_encoder_self = encodeur seul
curve_decoder_self = décodeur seul
curve_cross = attention croisée seule
removed = têtes retirées
log_prob = log-probabilité d'un token (nats)
open_pruned = Ouvrir ce modèle élagué
other_model = Ces têtes sont celles du modèle { $model } : choisissez-le en haut.
quality = Traductions à ce point : BLEU { $bleu } ({ $bleu_before } au départ), chrF { $chrf } ({ $chrf_before } au départ).
pruning_others = Pour comparer, Michel et al. sur WMT en-fr : sur 96 têtes d'encodeur, 8 seulement comptaient quand on les retirait seules. Avec une seule tête dans la dernière couche croisée, BLEU baissait de 13,56. Environ 20 % des têtes pouvaient être retirées. L'attention croisée s'effondrait quand on retirait plus de 60 % de ses têtes.
single_title = Une tête à la fois
removal = Retrait
removal_zero = sortie mise à zéro
removal_mean = remplacée par sa moyenne
removal_keep_one = seule tête gardée dans sa couche
single_about =
    { $n } { $n ->
        [one] tête a
       *[other] têtes ont
    } un coût mesurable { $n ->
        [one] quand on la retire seule
       *[other] quand on les retire une à une
    } (intervalle à 95 % sous 0). Pour les { $rest } autres, aucun coût ne se voit sur ces phrases. Les plus coûteuses :
curve_compare = Retirer d'abord les moins importantes vaut mieux que chacun des { $orders } ordres au hasard jusqu'à { $n } têtes sur { $total }, mais pas au-delà.
curve_no_better = Sur ces phrases, retirer d'abord les moins importantes ne vaut pas mieux que le meilleur de { $orders } ordres au hasard.
single_keep = La perte quand une couche ne garde que cette tête. Les têtes dont la perte est la plus faible :
change_log_prob = changement de log-probabilité par token (nats)
change_bleu = changement de BLEU
change_chrf = changement de chrF
measured_by = Mesuré par
measured_log_prob = log-probabilité
measured_bleu = BLEU
measured_chrf = chrF
pruning_ours = Mesuré ici, sur { $n } phrases courtes : sur { $total } têtes d'encodeur, { $encoder } changent BLEU quand on les retire seules (intervalle à 95 % sans 0). Avec une seule tête dans la dernière couche croisée, BLEU change de { $one } au mieux. Sans les 20 % de têtes les moins importantes, il vaut { $part } (contre { $before }), et sans 60 % des têtes d'attention croisée { $cross }.
explains_cross = Pour chaque token prédit de { $n } phrases, les tokens source sont classés deux fois : selon une pondération de l'attention croisée, et selon l'effet du retrait de chaque token. Points : corrélation de rang moyenne des deux ; traits : intervalle à 95 %.
explains_encoder_self = Les tokens source de { $n } phrases sont classés deux fois : selon le poids qu'ils reçoivent dans l'encodeur, et selon l'effet du retrait de chaque token sur toute la traduction. Points : corrélation de rang moyenne des deux ; traits : intervalle à 95 %.
explains_decoder_self = Pour chaque token prédit de { $n } phrases, les tokens déjà écrits sont classés deux fois : selon l'auto-attention du décodeur, et selon l'effet du masquage de chaque token. Points : corrélation de rang moyenne des deux ; traits : intervalle à 95 %.
correlation = corrélation de rang
explains_none = Sur ces phrases, aucun ordre ne peut être comparé : le modèle lit tous leurs mots comme le même token, ou leur retrait ne change rien.
explains_raw = En moyenne sur les couches et les têtes, les poids bruts ont une corrélation de rang de **{ $raw }** avec l'effet du retrait.
explains_better = Mieux : { $best }, **{ $value }**.
explains_alike = Ces pondérations font à peu près aussi bien, car leurs intervalles se recouvrent : { $names }.
explains_meaning = 1 serait le même ordre. Une case très colorée suggère où regarder, elle ne prouve pas que le mot comptait. Pour le savoir, retirez le mot ou désactivez la tête.
explains_note = Le retrait ôte le token de la phrase et évalue de nouveau la même traduction (Jain & Wallace 2019 ; Serrano & Smith 2019).
weighting_at = { $weighting }, { $layer }
weighting_raw = poids
weighting_value_weighted = pondérés par les valeurs
weighting_rollout = rollout
weighting_gradient = gradient × attention
weighting_alti = ALTI+
weighting_gradient_input = gradient × entrée
all_layers = toutes les couches
layer_n = couche { $n }
