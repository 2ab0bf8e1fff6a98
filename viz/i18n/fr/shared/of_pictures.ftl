### Textes qui en remplacent d'autres quand le modèle utilisé lit l'image d'un mot : il ne traduit rien. Le message decode_prefix
### remplace la clé decode.prefix et énonce les mêmes valeurs.

explore_effects_help = Désactive chaque tête tour à tour et mesure le changement de log-probabilité des lettres lues.
overview_read = De bas en haut : l'encodeur transforme les bandes de l'image en vecteurs ; le décodeur les lit (tirets) avec les lettres déjà écrites, et prédit « { $predicted } ». Chaque petit carré est une tête : plus il est coloré, plus son plus grand poids est grand. Cliquez sur une bande ou une lettre pour la suivre.
overview_decoder = Décodeur : écrit les lettres
overview_written = lettres déjà écrites, lues par le décodeur
overview_about_masked_attention = Auto-attention masquée : chaque lettre recueille de l'information d'elle-même et des lettres précédentes.
decode_max_length = Nombre maximal de lettres
decode_prefix = Le mot commence par
decode_strip_decoder_self = Poids sur les lettres déjà écrites
decode_source_share = Image ou lettres déjà écrites ?
decode_source_share_how = De combien chaque prédiction change quand on retire l'image ou les lettres déjà écrites. C'est mesuré, non lu dans les poids.
decode_source_share_prefix = lettres déjà écrites
decode_source_share_help = { $piece } : image { $share }. Sans l'image { $source } nats, sans les lettres déjà écrites { $prefix } nats
decode_heads_read = Chaque case : variation de la log-probabilité de ce qui est lu ({ $log_prob }) quand la tête est désactivée. Rouge : la tête aidait.
decode_heads_click = Cliquez sur une tête pour la désactiver et relire le mot ; cliquez encore pour la réactiver.
decode_reference_box = Ce qui est écrit (imposé)
decode_reference_help = Le mot que le modèle devrait lire.
decode_reference_own = Personne n'a encore dit ce qui est écrit : ce que lit le modèle en tient lieu. Écrivez le mot ci-dessus.
decode_never_parts = Seul, le modèle lit exactement ceci : les deux modes coïncident.
attention_target = Lettres
attention_about_effect = Variation de la log-probabilité de ce qui est lu.
attention_matters_none = Désactivées une à une, aucune de ces { $total } têtes ne change ce qui est lu.
sentence_target = Lettres
sentence_said = Lu : { $text }
sentence_verdict_said = Lu maintenant : { $after }. Avant : { $before }.
doubt_loop = Le modèle lisait sans cesse « { $text } » : il a été arrêté.
doubt_loop_ended = Le modèle lit sans cesse « { $text } ».
room_ask_next_after = Lu jusqu'ici : « { $text } ». Quelle lettre vient ensuite ?
room_ask_head = Quelle tête d'attention croisée compte le plus pour ce qui est lu ?
room_maps_read = Chaque petite carte est une tête de l'attention croisée : en lignes les lettres, en colonnes les bandes de l'image.
frame_ask_causal_line = Transportez les activations d'un mot écrit dans un autre, bande par bande, et voyez quelle lettre le modèle lit alors.
causal_part_map = Deux mots écrits
causal_part_tokens = Ce qu'apporte chaque bande
causal_part_direct = D'où vient le score d'une lettre
causal_pair = Dans l'autre mot le modèle lit « { $first } », dans celui du dessus « { $second } ». Première différence : **{ $word }** contre **{ $rival }**. La marge log p({ $word }) − log p({ $rival }) vaut { $there } pour l'autre mot et { $here } pour celui du dessus.
causal_same = Le modèle lit la même chose dans les deux mots : il n'y a pas de différence à suivre. Retirez une autre lettre ou écrivez un autre mot.
causal_unchanged = Sur cette page, le modèle lit les deux mots en décodage glouton. Parmi vos changements, seuls les remplacements d'activations (patchs) s'appliquent ici.
causal_unknown = pas calculé
causal_after = Avec ce remplacement, le modèle lit « { $text } ». La log-probabilité de ce qu'il lisait avant change de { $change }. { $kind }, tête { $place }, sur ce qu'il lisait avant :
causal_on_source = De l'image
causal_on_prefix = Des lettres déjà lues
causal_click = 100 : la marge devient celle de l'autre mot. 0 : elle ne change pas. Cliquez sur une case pour appliquer ce remplacement (patch) sur toutes les pages, encore une fois pour le retirer.
explore_other_text = Comparer avec le mot ci-dessus sans
explore_compare_help = Comparez deux mots écrits, ou un mot dans deux modèles, côte à côte ou par leur différence.
explore_corpus_help = Mesure chaque tête sur les mots écrits fournis avec le modèle.
explore_corpus_start = Mesurer sur ces mots
sentence_verdict_same = Les lettres restent les mêmes, chacune aussi probable qu'avant.
sentence_verdict_probability = Les lettres restent les mêmes ; la probabilité de « { $word } » passe de { $before } à { $after }.
sentence_try_own = Écrire votre mot
compare_log_prob = log p de ce qui est lu { $value }
explore_corpus_running = { $done } mots sur { $total }
explore_corpus_done =
    Mesuré sur { $n } { $n ->
        [one] mot
       *[other] mots
    }, { $skipped } laissés de côté.
share_share_foot = Voyez où regarde un Transformer pendant qu'il lit l'écriture
