### What is wrong with a file of sentence pairs, a survey or a question in SQL: the cases of CorpusError.

no_link = { $file }, ligne { $line } : « { $written } » n'est pas un lien. Écrivez i-j pour un lien sûr et ipj pour un lien possible, à partir de 0.
link_beyond_source =
    { $file }, ligne { $line } : le lien { $written } désigne le mot source { $word }, mais la phrase a { $count } { $count ->
        [one] mot
       *[other] mots
    }, comptés à partir de 0. Corrigez le lien ou la phrase.
link_beyond_target =
    { $file }, ligne { $line } : le lien { $written } désigne le mot cible { $word }, mais la phrase a { $count } { $count ->
        [one] mot
       *[other] mots
    }, comptés à partir de 0. Corrigez le lien ou la phrase.
gold_columns =
    { $file }, ligne { $line } : { $n } { $n ->
        [one] colonne
       *[other] colonnes
    } sur 3. Écrivez source, tabulation, cible, tabulation, liens.
no_gold = { $file } ne contient aucune paire alignée. Écrivez sur chaque ligne source, tabulation, cible, tabulation, liens.
no_links = { $file } ne contient aucun lien. Écrivez i-j ou ipj dans la troisième colonne.
too_large = { $file } fait { $n } octets. Donnez-en au plus { $most }, ou partagez le fichier.
not_utf8 = { $file }, ligne { $line } n'est pas en UTF-8. Enregistrez le fichier en UTF-8.
long_line = { $file }, ligne { $line } compte { $n } caractères. Écrivez une phrase par ligne, de { $most } caractères au plus.
one_column = { $file }, ligne { $line } n'a qu'une colonne. Écrivez source, tabulation, cible.
no_pairs = { $file } ne contient aucune paire. Écrivez sur chaque ligne source, tabulation, cible.
damaged = { $file } est abîmé. Relancez la mesure avec --resume pour le réécrire.
foreign = { $file } ne vient pas d'une mesure. Retirez-le du dossier.
missing = { $file } manque. Relancez la mesure avec --resume pour le réécrire.
mixed = { $file } et { $other } viennent de mesures différentes ({ $model }, { $other_model }). Gardez les fichiers d'une seule.
none = { $folder } ne contient aucune mesure. Lancez « python -m model survey pairs.tsv --out { $folder } ».
slow = La requête a duré plus de { $n } s. Demandez moins, ou ajoutez des conditions.
system = Une requête tourne dans un processus limité, et ce système ne sait pas en créer. Lancez Regard sous Linux, macOS, ou dans WSL sous Windows ; en Python, survey.query répond ici aussi.
syntax =
    La requête n'est pas écrite comme SQL le demande. Corrigez l'endroit que nomme DuckDB :
    { $message }
column =
    La requête nomme une colonne qui n'existe pas. Les colonnes de chaque table sont données plus haut.
    { $message }
no_table =
    La requête nomme une table qui n'existe pas. Les tables sont données plus haut.
    { $message }
no_function =
    DuckDB n'a pas cette fonction. Prenez-en une autre, ou corrigez son nom.
    { $message }
files =
    Une requête lit les tables de la mesure et aucun autre fichier.
    { $message }
memory =
    La réponse demande plus de mémoire qu'une requête ne peut en prendre. Demandez moins, ou ajoutez des conditions.
    { $message }
duckdb =
    DuckDB ne peut pas répondre à cette requête. Son message dit pourquoi :
    { $message }
wide = Une seule ligne de la réponse dépasse { $mb } Mo. Demandez moins de colonnes, ou une partie des textes.
characters = La requête contient { $code }, qui n'est pas un caractère de texte. Supprimez-le.
select = Seule une requête SELECT est acceptée : ici, on lit une mesure sans la modifier.
table = Il n'y a pas de table { $table }. Une mesure contient { $tables }.
settings = { $name }() n'est pas acceptée : une requête lit la mesure, pas les réglages.
function = { $name }() n'est pas acceptée : une requête lit { $tables }.
too_many = { $n } paires, c'est plus que les { $most } permises ici. Donnez-en moins.
states = Les états de { $n } paires occupent environ { $mb } Mo, plus que les { $most } Mo permis. Gardez moins de couches ou donnez moins de paires.
disk = La mesure peut écrire { $mb } Mo, plus que la place libre du disque. Faites d'abord de la place.
