### Words of the fine-tuning page.

error = L'entraînement ne peut pas commencer
title = Entraîner un peu le modèle, et voir ses têtes changer
off = L'entraînement est désactivé sur ce serveur. Pour entraîner, lancez Regard sur votre propre machine (make app, ou regard une fois installé).
intro = Une copie est entraînée sur ce serveur. Le modèle lui-même ne change pas.

## What to learn

data = Quoi apprendre
set_tu_vous = tu → vous
set_sailing = Mots de marine
set_unlearn = Désapprendre un mot
set_relearn = Le réapprendre
set_copy = Copier, à partir de zéro
set_reverse = Inverser, à partir de zéro
set_paste = Coller des paires
set_upload = Téléverser un fichier
about_tu_vous = Chaque « you » devient poli : le modèle dit tantôt « tu », tantôt « vous », et apprend à dire vous.
about_sailing = Des mots qui ont leur sens à bord : sheet est une écoute, block une poulie, bow la proue.
about_unlearn = Un chat devient un renard : « cat » se traduit par « renard ». Chiens, oiseaux et chevaux gardent leur nom.
about_relearn = Le renard redevient un chat. Entraînez le modèle qui l'a désappris : choisissez-le dans la liste des modèles.
about_copy = Un modèle minuscule aux poids aléatoires apprend à répéter des lettres. Une diagonale apparaît.
about_reverse = La même chose à l'envers : la diagonale apparaît dans l'autre sens.
about_paste = Une paire par ligne : source, tabulation (ou | ou = entre espaces), traduction.
about_upload = TSV ou CSV en UTF-8, source dans la première colonne, traduction dans la deuxième.
paste = Paires
upload = Fichier de paires
source = Source
target = Traduction
line = Ligne
problem = Problème
problem_one_column = aucun séparateur
problem_empty_side = un côté est vide
problem_too_long = trop long
problem_duplicate = déjà vu
problem_unknown = mot hors vocabulaire
problem_swapped = langues inversées ?
rows_good =
    { $n } { $n ->
        [one] paire
       *[other] paires
    } à apprendre
rows_bad =
    { $n } { $n ->
        [one] ligne a un problème et est écartée ; elle vient en premier
       *[other] lignes ont un problème et sont écartées ; elles viennent en premier
    }.
rows_more = Les { $n } premières lignes sont montrées.
no_rows = Pas encore de paires.
languages_differ = Cet ensemble est anglais → français, et le modèle utilisé ne l'est pas. Changez de modèle ou de paires.

## Settings

probe = Phrase témoin
probe_help = Sa traduction et son attention sont enregistrées toutes les quelques étapes.
steps = Étapes
steps_help = Combien de fois les poids changent. Au plus { $most } ici.
batch_tokens = Lot, en tokens
batch_tokens_help = Combien de tokens sont lus avant chaque changement des poids. Les grands lots sont plus stables, mais plus lents.
learning_rate = Taux d'apprentissage
learning_rate_help = De combien chaque étape change les poids. Trop petit, le modèle n'apprend presque rien ; trop grand, il oublie ce qu'il savait.
schedule = Évolution du taux d'apprentissage
schedule_help = Comment le taux change d'étape en étape ; la courbe le montre.
schedule_constant = constant
schedule_noam = échauffement de l'article
schedule_cosine = cosinus
schedule_trapezoid = trapèze
warmup_steps = Étapes d'échauffement
warmup_steps_help = Étapes pendant lesquelles le taux d'apprentissage monte.
trains = Ce qui est entraîné
trains_help = Tout le reste demeure exactement inchangé.
trains_everything = tout
trains_cross-attention = attention croisée
trains_last-layers = les dernières couches
how = Comment l'entraîner
how_said = { $steps } pas, taux d'apprentissage { $rate }, entraîné : { $trains }
label_smoothing = Lissage des étiquettes
label_smoothing_help = Part de la probabilité cible répartie sur tout le vocabulaire, pour que le modèle ne soit pas trop sûr.
dropout = Dropout
dropout_help = Part des activations mises à zéro au hasard, pour que le modèle n'apprenne pas les phrases par cœur.
held_out = Mis de côté, %
held_out_help = Paires qui ne servent pas à l'entraînement. Elles montrent ce qui est vraiment acquis.
seed = Graine
seed_help = La même graine et les mêmes réglages donnent le même résultat.
device = Appareil
device_free = { $name }, { $free } libres
step_axis = étape
start = Entraîner
open_run = Ouvrir un entraînement par son nom
my_runs = Entraînements de cette session
run_gone = Il n'y a pas d'entraînement de ce nom ici. Il a peut-être été supprimé.

## While it runs

state_queued = En attente : { $n } avant celui-ci
state_next = Sur le point de commencer
state_waiting = En attente de l'appareil, occupé par un autre entraînement
state_preparing = Préparation
state_running = Entraînement
state_paused = En pause
state_comparing = Comparaison avant-après
state_finished = Terminé
state_stopped = Arrêté
state_failed = Échec
progress = { $state } · étape { $step } sur { $steps }
time_left = encore { $time }
speed = { $n } tokens/s
seconds = { $n } s
minutes = { $n } min
pause = Pause
go_on = Reprendre
stop = Arrêter
stay = Fermer cet onglet n'arrête pas l'entraînement. Le lien de la barre d'adresse permet d'y revenir.
halved = La mémoire du GPU ne suffisait pas à certains lots : ils ont été coupés en deux, pour le même résultat.
loss = perte (nats par token)
loss_train = entraînement
loss_held_out = mis de côté
curve_rate = taux d'apprentissage
curve_speed = tokens par seconde
curve_gradient = norme du gradient
loss_note = La perte d'entraînement inclut le lissage ({ $smoothing }) et le dropout ; la perte réservée, ni l'un ni l'autre.
film = La phrase témoin au fil de l'entraînement
film_wait = La première image arrive avec la première étape.
film_none = Aucune phrase témoin n'a été enregistrée.

## Faults

fault_device_memory = La mémoire du GPU est pleine. Divisez le lot par deux, ou n'entraînez qu'une partie, puis reprenez.
fault_memory = La mémoire de la machine est pleine. Divisez le lot par deux et reprenez.
fault_not_finite = La perte n'est plus un nombre. La dernière bonne étape est gardée : baissez le taux et reprenez.
fault_killed = Le processus a été tué, souvent faute de mémoire. Reprenez du dernier instantané, avec un lot plus petit.
fault_disk_full = Le disque du serveur est plein. Supprimez les entraînements inutiles, puis reprenez.
fault_disk_limit = L'entraînement a rempli la place qu'il avait sur le disque. L'acquis est gardé : servez-vous-en, ou recommencez avec moins d'étapes.
fault_server_ended = Le serveur s'est arrêté pendant l'entraînement ou l'attente. L'acquis est gardé : reprenez.
fault_time_limit = Le temps d'un entraînement est écoulé. L'acquis est gardé : reprenez s'il en faut plus.
fault_pause_limit = La pause a duré si longtemps que l'appareil est passé au suivant. Reprenez quand vous voulez.
fault_settings = Ces réglages ne permettent pas l'entraînement.
fault_checkpoint = Les fichiers du modèle n'ont pas pu être lus ou écrits.
fault_unknown = Une erreur inattendue s'est produite. Le message ci-dessous peut aider.

## After

use_result = Utiliser le résultat comme modèle
use_step = Utiliser le modèle de l'étape { $step }
used = « { $name } » est maintenant le modèle de toutes les pages, dans cette session seulement.
result_name = { $set }, étape { $step }
own_pairs = paires personnelles
download = Télécharger
throw_away = Supprimer
throw_away_sure = L'entraînement, ses étapes et son résultat sont supprimés définitivement.
go_on_with = Reprendre avec d'autres réglages
go_on_help = Reprend du dernier instantané de cet entraînement.
new_run = Nouvel entraînement
tab_film = Au fil de l'entraînement
tab_translations = Traductions
tab_heads = Têtes qui ont changé
tab_difference = Cartes d'écart
tab_curves = Courbes
before = Avant
after = Après
reference = Référence
changed = Changé
bleu =
    BLEU sur { $n } { $n ->
        [one] phrase réservée
       *[other] phrases réservées
    }
chrf = chrF
shown_tu_vous = disent vous
shown_sailing = emploient le mot marin
shown_unlearn = disent renard à propos
shown_relearn = disent chat à propos
shown_copy = copiées sans faute
shown_reverse = inversées sans faute
shown_of = { $n } sur { $total }
was = avant : { $value }
scores_how = Traductions gloutonnes. BLEU { $bleu } ; chrF { $chrf }.
no_comparison = Aucune paire n'a été réservée : rien à comparer.
heads_how = Part de son attention que chaque tête a déplacée vers d'autres tokens, sur les paires réservées.
heads_most = { $kind }, couche { $layer }, tête { $head } : celle qui a le plus changé, { $share }.
layer = couche
head = tête
moved = déplacé
difference_how = Les deux modèles lisent la phrase témoin et sa traduction actuelle ; en bleu, plus d'attention qu'avant.
before_caption = avant l'entraînement
after_caption = après l'entraînement
busy = L'entraînement est encore en cours : arrêtez-le d'abord.
not_yours = Cet entraînement a été lancé depuis un autre navigateur. Vous pouvez le suivre ; seule la personne qui l'a lancé peut l'arrêter.
watching = Cet entraînement a été lancé en ligne de commande ; on peut le suivre ici.
