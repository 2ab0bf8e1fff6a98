### Words of the table that maps a checkpoint's names to ours, and of what helps where nothing opens.

title = Une table des noms de tenseurs
lead = Pour un code inconnu ici : dites ce qu'est chaque tenseur. La table est remplie d'après les formes et l'ordre ; vérifiez-la. { "{i}" } est le numéro d'une couche.
theirs = Nom dans le fichier
shape = Forme
count = Couches
wrong = À revoir
wrong_help = Une ligne que le dernier essai désigne : elle n'a pas de place, ou son tenseur ne convient pas.
ours = Ce que c'est
ours_help = Plusieurs noms joints par + sont empilés dans un même tenseur, dans cet ordre de haut en bas.
ignored = (ignoré)
turned = Transposé
turned_help = Enregistré en (entrée, sortie). PyTorch enregistre (sortie, entrée).
open = Ouvrir avec cette table
save = Enregistrer la table
save_help = Un fichier pour tous ceux qui ont le même code. Une fois le modèle ouvert, il contient aussi vos réponses.
file = Une table enregistrée (.toml)
suspect = Ses noms ressemblent à ceux de { $toolkit }.
advice_add_config = Déposez tout le dossier, avec son config.json et les fichiers du tokenizer.
advice_folder_or_attention = Un dossier Hugging Face s'ouvre avec son config.json. Sinon, corrigez la table ci-dessous, ou apportez son attention en fichier.
advice_gather = Les poids de chaque partie y sont une seule suite de nombres, sans noms ni formes. Enregistrez le modèle avec son dictionnaire complet (StateDictType.FULL_STATE_DICT).
advice_one_stack = Un tel modèle lit des images et ne s'ouvre pas ici : apportez son attention en fichier.
advice_recurrent = Un réseau récurrent n'a pas de têtes : si une attention y est ajoutée, apportez-la en fichier.
advice_map = La table ci-dessous l'ouvre, si ses couches sont les habituelles.
other_way = Ou écrivez son attention dans un fichier depuis votre code, et ouvrez-le sur la page Explorer :
other_way_then = cross_attentions : les poids de chaque couche après softmax, pour un lot d'une phrase ; source et target : ses tokens.
