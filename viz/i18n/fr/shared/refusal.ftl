### Why a checkpoint does not open, and what to do: the rule and the remedy of each kind of refusal.

recurrent = Ce sont les tenseurs d'un réseau récurrent, et seuls des Transformers s'ouvrent ici.
family = Ce fichier ne s'ouvre pas d'après les noms de ses tenseurs. Le message dit ce qu'il est, ou ce qui ne convient pas. Corrigez la table des noms s'il y en a une plus bas, ou apportez l'attention du modèle dans un fichier.
known = Cette sorte de modèle est connue et ne peut pas être montrée ici. Le message dit pourquoi, et quoi donner à la place.
quantised = Ces poids sont quantifiés, c'est-à-dire arrondis à quelques bits et compactés : l'attention ne serait plus la même. Donnez le modèle d'origine, en float32, float16 ou bfloat16.
adapter = C'est un adaptateur (LoRA) : il modifie un autre modèle et n'en est pas un à lui seul. Fusionnez-le avec ce modèle, enregistrez le résultat et donnez ce dossier.
newer = Ce type de modèle n'est pas connu ici ; il est peut-être plus récent que cette version. Mettez Regard à jour, ou apportez l'attention du modèle dans un fichier.
part = Les poids sont répartis sur plusieurs fichiers, et il en manque. Ajoutez ceux qui manquent.
files = Ces fichiers ne forment pas un checkpoint lisible ici. Le message dit ce qui manque ou ne convient pas.
code = Lire ce fichier obligerait à exécuter du code qu'il contient, et aucun code d'un fichier n'est exécuté ici. Ouvrez-le là où il a été fait, et enregistrez seulement les poids.
damaged = Le fichier est abîmé, tronqué ou se contredit. Copiez-le de nouveau, ou réenregistrez-le là où il a été fait.
limit = Il dépasse la taille, la mémoire ou le temps de lecture que ce serveur accorde. Essayez un modèle plus petit ; sur votre propre serveur, ces limites peuvent être relevées.
system = Les fichiers envoyés sont lus dans un processus qui ne peut pas nuire à cette machine, et ce système ne sait pas en créer. Lancez Regard sous Linux, macOS, ou dans WSL sous Windows.
tensors = Les tenseurs ne correspondent pas à la configuration : { $missing } en moins, { $unexpected } en trop, { $misshapen } d'une autre forme. Donnez la configuration enregistrée avec ces poids.
unused = Les poids contiennent { $unexpected } tenseurs que ce type de modèle n'utilise pas. Sans eux, ce serait un autre modèle, avec une autre attention. Donnez la configuration enregistrée avec ces poids, ou enregistrez l'attention dans un fichier avec le code d'origine.
changed = Le fichier porte les marques d'un type connu sans en avoir tous les tenseurs, comme le laisse un code modifié. Corrigez la table de noms ci-dessous, ou apportez l'attention du modèle en fichier.
mapped = Placés selon la table, les tenseurs ne vont pas : { $missing } en moins, { $unexpected } en trop, { $misshapen } d'une autre forme. Corrigez leurs lignes dans la table ci-dessous.
tokens = Ce vocabulaire ne va pas avec ces poids. Donnez celui de leur entraînement.
answer = Une réponse, ou une ligne de la table, ne va pas avec ce fichier. Corrigez-la et recommencez.
settings = Les réglages de ces fichiers sont illisibles ou se contredisent. Donnez ceux enregistrés avec les poids.
detail = En détail (en anglais) :
