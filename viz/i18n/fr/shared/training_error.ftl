### Why a training or a survey cannot start or go on: the cases of RunError.

queue = Impossible de commencer maintenant
off = Les entraînements et les mesures sont désactivés sur ce serveur. Lancez Regard sur votre propre machine.
mine_full =
    Ce navigateur a déjà { $n } { $n ->
        [one] tâche
       *[other] tâches
    } en cours ou en attente, sur { $most } au plus. Attendez que l'une se termine, ou arrêtez-en une.
full =
    { $n } { $n ->
        [one] tâche est
       *[other] tâches sont
    } déjà dans la file. Réessayez dans quelques minutes.
no_space = L'entraînement peut écrire { $mb } Mo. Les autres occupent { $taken } Mo, et tous ensemble peuvent occuper { $most } Mo. Réessayez quand l'un d'eux sera terminé.
unwritable = Le serveur n'a pas pu écrire le dossier ({ $reason }). Libérez de la place sur son disque, puis recommencez.
running = Les derniers calculs se terminent. Attendez quelques secondes et réessayez.
command_line = Cet entraînement a été lancé en ligne de commande. Continuez-le là-bas avec --resume.
trains = Ce qui est entraîné ne peut pas changer en cours de route. Lancez un nouvel entraînement.
nothing = L'entraînement s'est arrêté avant tout enregistrement. Recommencez-le.
no_vocabulary = { $model } n'a pas de vocabulaire pour l'entraînement. Ajoutez d'abord son tokenizer.
spelling_source = { $share } des tokens source sont inconnus ou de simples octets : le vocabulaire du modèle n'a pas les lettres de ces phrases. Choisissez un modèle qui lit leur langue, ou entraînez-en un nouveau avec python -m model train.
spelling_target = { $share } des tokens des traductions sont inconnus ou de simples octets : le vocabulaire du modèle n'a pas leurs lettres. Choisissez un modèle qui écrit cette langue, ou entraînez-en un nouveau avec python -m model train.
family = Un modèle de la famille { $family } ne s'entraîne pas ici. Choisissez-en un qui s'ouvre comme notre propre Transformer.
few =
    { $n } { $n ->
        [one] paire, c'est
       *[other] paires, c'est
    } trop peu pour apprendre. Donnez-en au moins { $least }.
many = { $n } paires, c'est trop. Donnez-en au plus { $most }.
probe = La phrase observée a { $n } tokens, et { $most } au plus sont permis. Choisissez-en une plus courte.
parameters = Le modèle a { $n } paramètres, et on en entraîne ici { $most } au plus. Choisissez-en un plus petit, ou augmentez max_parameters dans { $variable }.
disk = L'entraînement peut écrire { $mb } Mo, et le disque n'en a plus que { $free }. Faites d'abord de la place.
steps = { $n } étapes, c'est plus que les { $most } permises ici. Choisissez-en moins.
bytes = { $file } fait { $n } octets. Donnez-en au plus { $most }.
not_utf8 = { $file } n'est pas en UTF-8. Enregistrez-le en UTF-8.
characters = Les paires ont { $n } caractères. Donnez-en au plus { $most }.
lines = Les paires ont { $n } lignes. Donnez-en au plus { $most }.
csv = La ligne { $line } n'est pas un CSV valide. Fermez ses guillemets.
