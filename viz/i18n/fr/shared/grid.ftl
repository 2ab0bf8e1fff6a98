### Mots d'un modèle qui lit une image ou un son dans un fichier.

choose_picture = Choisir une image…
choose_sound = Choisir un WAV…
drop_picture = ou déposez ici un PNG ou un JPEG de 12 Mo au plus. Le modèle le met lui-même à la taille qu'il lit.
drop_sound = ou déposez ici un WAV de 24 Mo au plus. Le modèle en fait lui-même un spectrogramme.
large_picture = Cette image dépasse 12 Mo : choisissez-en une plus petite.
large_sound = Ce son dépasse 24 Mo : choisissez-en un plus court.
no_file = Ce fichier n'est ni une image ni un son : choisissez un PNG, un JPEG ou un WAV.
empty_picture = Déposez une image : les carreaux que regarde chaque mot s'y colorent.
empty_sound = Déposez un WAV : les instants qu'écoute chaque mot se colorent sur son spectrogramme.
lost = Le fichier n'est pas dans le lien et cette visite ne l'a pas : déposez-le de nouveau ici.
no_link = Le lien ne contient pas le fichier : envoyez-le avec. Les couleurs comparent les carreaux à celui qui est le plus regardé.
windows = L'auto-attention de l'encodeur n'est pas montrée : ses couches regardent dans des fenêtres d'une grille qui rétrécit, il n'existe pas de carte de tous les carreaux.
token_picture = carreau { $place } (ligne · colonne)
token_sound = trame à { $place }
written_word = Lu dans
read_word = Écrit
another = Autre fichier
translate = Lire
nothing = Choisissez d'abord un fichier.
examples = Fichiers à essayer
recent = Récents
source_row = Carreaux de l'image ou trames du son
target_row = Ce qui a été écrit
only_words = Cette page travaille sur les mots d'une phrase. Avec un fichier, Explorer, Décoder et À l'intérieur montrent où le modèle regarde.
what_picture = Un Transformer lit votre image, et vous voyez quels carreaux regarde chacune de ses têtes d'attention.
what_sound = Un Transformer écoute votre enregistrement, et vous voyez quels instants regarde chacune de ses têtes d'attention.
