### Textes de la surface où l'on écrit un mot à la main, dans l'application, sur le site et sur les téléphones.

pad = Surface d'écriture : écrivez un mot au doigt, au stylet ou à la souris
pad_hint = Écrivez un mot ici, de votre écriture habituelle, ou déposez une image
pad_undo = Annuler
pad_rub = Gomme
pad_clear = Effacer tout
pad_choose = Image…
pad_no_picture = Aucune écriture n'est visible dans ce fichier. Choisissez une image à l'écriture foncée sur fond clair, ou claire sur fond foncé.
strip = la bande { $text }
written_word = Écrit
read_word = Lu
another = Écrire un autre mot
translate = Lire
nothing = Écrivez d'abord un mot, ou choisissez-en un ci-dessous.
examples = Mots à essayer
recent = Mots récents
source_row = Bandes du mot écrit
target_row = Lettres lues
only_words = Cette page travaille sur les mots d'une phrase. Pour un mot écrit à la main, Explorer et les pages voisines montrent où le modèle regarde.
reads_handwriting = lit l'écriture manuscrite
what = Un Transformer lit votre écriture, et vous voyez quels traits regarde chacune de ses têtes d'attention.
nothing_read = Aucune lettre n'a été lue.
take = Ouvrir ici
hide = Masquer
send_away = Renvoyer ce téléphone
use = L'utiliser ici
