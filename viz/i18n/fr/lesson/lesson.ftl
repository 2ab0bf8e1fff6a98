### Words of the lesson: its scenes, each with a question, a guess, an answer, a view and one change.

scene = Scène
of = Scène { $n } sur { $total } · { $minutes } min
guess = Votre hypothèse
first_guess = Donnez d'abord votre hypothèse. L'expérience s'ouvre ensuite.
first_vote = Votez d'abord. L'expérience s'ouvre après le vote.
carried = La modification de la scène { $n } de la leçon, « { $title } », est encore active.
act_before = avant
act_after = après
undo = Annuler le changement
before = Avant : { $text }
after = Après : { $text }
open = Ouvrir sur sa page
previous = Précédent
next = Suivant
teacher = Pour l'enseignant
teacher_files = Des fichiers pour vous : rien de cela n'apparaît au projecteur. Ouvrez les notes sur votre propre écran.
notes = Notes et réponses de cette scène
large = Grands caractères
outline = Plan de l'enseignant
worksheet = Feuille à imprimer
worksheet_all = Feuilles de toutes les scènes
minutes = { $n } min
sheet_heading = Au cœur d'un Transformer
sheet_name = Nom
sheet_sentence = Notre phrase
sheet_translation = La traduction du modèle
sheet_intervened = Sa traduction avec ces changements : { $changes }
sheet_guess = Mon hypothèse : …, car …
sheet_saw = Ce que j'ai vu
sheet_changed = L'effet du changement
sharpest = La tête la plus concentrée de l'attention croisée : couche { $layer }, tête { $head }. Sa concentration, la moyenne du plus grand poids de chaque ligne, vaut { NUMBER($share, style: "percent", maximumFractionDigits: 0) }.
sure = Probabilité moyenne par token : { $before } → { $after }.
sure_whole = Probabilité de la traduction entière : { $before } → { $after }.
need_own = Cette scène demande un modèle chargé comme Transformer de Regard. Le modèle utilisé tourne dans son code d'origine.

## Box

box_title = Une boîte noire traduit
box_question = Le modèle a écrit la traduction sous votre phrase. Quels mots de la phrase a-t-il regardés en écrivant le dernier mot ?
box_options = Tous, avec des poids différents|Seulement le dernier de la phrase|Seulement celui de même sens
box_answer = Le modèle a deux moitiés : l'encodeur lit la phrase (la source), le décodeur écrit la traduction token par token ; un token est un mot ou un morceau de mot. Pour chaque token, l'attention donne un poids à chaque mot de la phrase, et aussi à la ponctuation finale. Le modèle regarde de plusieurs façons à la fois : ce sont les têtes, chacune avec ses poids. La carte montre leur moyenne ; une seule tête ne regarde souvent qu'un mot. Un poids dit où le modèle regarde ; une expérience dit de quoi il a besoin : si l'on cache « { $word } » au décodeur, la probabilité de « { $last } » passe de { $before } à { $after } ; si l'on cache n'importe quel autre mot, elle reste d'au moins { $other }.
box_choose = Sans quel mot le décodeur ne peut-il pas écrire le dernier ? Votez, puis cachez-le.
box_measured = Probabilité de « { $last } » : { $before } → { $after }
average = Encadrée : la ligne de « { $row } ». Son plus grand poids, { NUMBER($most, style: "percent", maximumFractionDigits: 0) }, est sur « { $word } » ; le plus petit vaut { NUMBER($least, style: "percent", maximumFractionDigits: 0) }.
box_look = Chaque ligne correspond à un mot de la traduction. Plus une case est colorée, plus le modèle a regardé le mot de sa colonne en écrivant celui de sa ligne.
box_map = Le modèle entier. Le chemin qui prédit le dernier mot est mis en évidence. Cliquez sur une partie pour l'ouvrir. La page Aperçu montre la même carte pour n'importe quel token.
box_try = Cacher ce mot au décodeur
box_done = Le décodeur ne peut plus regarder « { $word } » ; l'encodeur l'a lu comme avant. Quelle est maintenant la probabilité du dernier mot de la première traduction ?
box_teacher = Avant d'afficher quoi que ce soit, faites montrer des mots et notez deux hypothèses au tableau. Faites ensuite voter pour le mot à cacher, puis cachez-en un second pour comparer. But : voir où le modèle regarde, et que regarder n'est pas avoir besoin. La page Aperçu montre tout le modèle sur un écran ; revenez-y à la fin.
box_sheet = Tracez un trait de chaque mot de la traduction vers le mot de la phrase que vous regarderiez.

## Pieces

pieces_title = Ce que lit le modèle
pieces_question = Comment le modèle lit-il un mot absent de ses textes d'entraînement ?
pieces_options = Il le saute et lit la suite|Par morceaux qu'il connaît|Lettre par lettre, en épelant
pieces_answer = Un mot fréquent est le plus souvent un seul token ; un mot rare est divisé. Un token à part, noté « fin », marque la fin. Chaque token a un numéro dans le vocabulaire : le modèle lit ces numéros, pas des lettres. À chaque numéro correspond un vecteur, une liste de nombres appris, le plongement du token ; toute la suite se calcule à partir de lui.
pieces_look = Les tokens de la phrase et leurs numéros dans le vocabulaire. ▁ est l'espace devant un mot : « ball » avec et sans espace sont deux tokens.
pieces_try = Doubler le mot le plus long
pieces_done = Ce mot n'existe pas. En quels tokens a-t-il été divisé, et comment le modèle l'a-t-il traduit ?
pieces_teacher = Demandez un mot qu'aucun dictionnaire ne contient et tapez-le. But : un token n'est pas un mot. Notez que l'espace devant un mot appartient à son premier token.
pieces_sheet = Inventez un mot. Écrivez un token par case : en haut, le découpage que vous imaginez, en bas, le découpage réel.
pieces_guessed = selon moi
pieces_split = en réalité

## Positions

positions_title = La place de chaque mot
positions_question = Sans connaître la place des mots, le modèle peut-il encore traduire différemment « l'homme voit le chien » et « le chien voit l'homme » ?
positions_options = Oui, il lit de gauche à droite|Non, il ne distingue pas leur ordre|Oui, la grammaire dit qui voit qui
positions_answer = L'attention compare les mots deux à deux sans demander où ils se trouvent. Il faut donc donner les positions au modèle. Le premier Transformer ajoutait à chaque mot un vecteur qui code sa position ; T5 ajoute à chaque comparaison un nombre qui dépend de la distance ; depuis 2021, la plupart des modèles font tourner ce qu'ils comparent d'un angle qui croît avec la position. Quand les positions sont mises à zéro, les deux phrases donnent à l'encodeur le même ensemble de vecteurs, et les traductions deviennent identiques.
positions_look = Deux phrases faites des mêmes mots. Comparez leurs traductions, puis ce que regarde une tête.
positions_try = Mettre les positions à zéro
positions_done = Les mots sont les mêmes, mais le modèle ne reçoit plus leurs positions. Comparez les deux traductions.
no_twin = Ici, les mots ne permettent pas de second ordre. Écrivez une phrase d'au moins trois mots différents, ou prenez la phrase de cette scène.
positions_teacher = Distribuez les mots sur des cartes et mélangez-les. But : l'ordre est une information qu'il faut donner au modèle. Une comparaison : dans une bibliothèque sans cotes, on ne distingue pas deux rangements des mêmes livres.
positions_sheet = Notez les traductions du modèle dans le tableau. Écrivez ensuite deux autres phrases avec les mêmes mots et des sens différents.

## Head

head_title = Calculer une tête à la main
head_question = À partir du vecteur de chaque mot, une tête calcule deux listes de nombres : une requête q (ce que le mot cherche) et une clé k (comment on le trouve). Comment la tête peut-elle comparer un q et un k ?
head_options = Les multiplier deux à deux, puis additionner|Compter les places où ils ont le même nombre|Comparer leurs deux plus grands nombres
head_answer = Le vecteur d'un mot donne q, k et v de la même façon : pour chaque nombre de q, on multiplie chaque nombre du vecteur par son propre facteur appris, puis on additionne. Ces facteurs forment trois matrices, une pour q, une pour k, une pour v. Pensez à une bibliothèque : q est ce que vous demandez, k l'étiquette d'un livre, v son contenu. Là où q et k sont tous deux grands et de même signe, leur produit est grand : la somme dit donc si l'étiquette convient à la demande. On la divise par √d_k (d_k est le nombre d'éléments de q). Le softmax transforme les résultats en parts positives de somme 1 : 2, 1 et 0 deviennent 0,67, 0,24 et 0,09 (e², e et 1, divisés par leur somme). Ces parts sont les poids. Le résultat de la tête est la somme des contenus v, chacun multiplié par son poids. Pourquoi √d_k ? Une somme de d_k produits aléatoires s'étale √d_k fois plus qu'un seul : la division garde aux scores la même taille, quelle que soit la longueur de q. Sans elle, une part peut s'approcher de 1, et l'entraînement ne peut alors presque plus la changer.
head_look = En haut : les poids d'un mot. En dessous : sa requête q, la clé k de chaque mot source et leurs produits scalaires q·k, à partir desquels ces poids sont calculés.
head_try = Ne pas diviser par √d_k
head_done = Comparez les barres : quel mot gagne du poids sans la division, et que reste-t-il aux autres ?
head_teacher = Deux élèves vérifient une somme à la calculatrice. But : l'attention est de l'arithmétique. Introduisez ici la comparaison avec une bibliothèque et gardez-la : demande, étiquette, livre.
head_sheet = q est la requête d'un mot, k et k' sont les clés de deux mots. Multipliez nombre par nombre, additionnez (Σ), divisez par √4. Quelle clé reçoit le plus de poids ?
head_picture = La ligne de « { $word } » : ses produits q·k avec chaque token source, divisés par √d_k, et dessous les poids après le softmax.

## Heads

heads_title = Beaucoup de têtes
heads_question = Le décodeur est une pile de couches. Dans chaque couche, plusieurs têtes regardent la source (attention croisée), chacune avec ses propres q, k et v. Quels mots regardent-elles ?
heads_options = Des mots différents selon la tête|Tous les mêmes, puis elles votent|Les mêmes au sein d'une couche
heads_answer = Dans un modèle entraîné, certaines têtes suivent l'ordre des mots, d'autres mettent une bonne part de leur poids sur la ponctuation finale ou sur le token « fin », d'autres le répartissent sur plusieurs mots. Personne ne l'a programmé. Sans l'attention croisée d'une couche, la traduction reste souvent la même ou change de quelques mots, car les autres couches lisent aussi la source.
heads_look = Toutes les têtes d'attention croisée : les couches de haut en bas, les têtes de gauche à droite. Dans chaque carte, le plus grand poids a la couleur la plus forte : comparez les motifs, pas les couleurs.
heads_try = Désactiver une couche
heads_done = L'attention croisée de la couche { $layer } est désactivée. Quels mots de la traduction ont changé, lesquels sont restés ?
heads_teacher = Chaque binôme décrit une tête en cinq mots, puis triez les têtes par « diagonale » sur la page Explorer. But : les têtes diffèrent.
heads_sheet = Choisissez une tête et décrivez-la en cinq mots. Quelle autre lui ressemble ?

## Layer

layer_title = Une couche entière
layer_question = L'attention donne à chaque mot un résultat : un vecteur aussi long que celui du mot. Que fait la couche de ces deux vecteurs ?
layer_options = Le résultat remplace le vecteur|Les deux sont mis bout à bout|Le résultat s'ajoute au vecteur
layer_reply = Les couches suivantes n'auraient alors plus ce que le vecteur contenait.|Le vecteur aurait alors plus de nombres après chaque couche. Il en a toujours autant.|Oui, nombre par nombre.
layer_answer = Une couche procède par étapes. L'attention apporte à chaque mot un résultat tiré des autres mots, qui s'ajoute à son vecteur. La somme est normalisée, c'est-à-dire ramenée à une taille commune. Un réseau feed-forward (deux matrices apprises et une fonction simple entre elles) lit ce seul vecteur et aucun autre mot. Son résultat s'ajoute aussi, et la couche suivante reçoit la somme. La suite de ces sommes s'appelle le flux résiduel. Si le résultat de l'attention remplace le vecteur, ce qu'il contenait manque à toutes les couches suivantes, et la traduction n'a en général plus de sens.
layer_look = Un mot traverse une couche. Additionnez les deux premières lignes.
layer_followed = « { $token } » dans la couche { $layer } de l'encodeur : les { $n } premiers nombres sur { $width }.
step_starts = le vecteur du mot
step_attended = + résultat de l'attention
step_summed = = somme
step_normalised = (somme normalisée)
step_fed = + résultat du feed-forward
step_ends = = somme pour la couche suivante
step_normalised_post = somme normalisée
step_ends_post = = pour la couche suivante, normalisé de nouveau
layer_try = Remplacer au lieu d'ajouter
layer_done = Dans la couche { $layer } de l'encodeur, le résultat de l'attention remplace le vecteur de chaque mot. La phrase est-elle encore là ?
layer_teacher = Faites additionner les deux premières lignes à la calculatrice ; la troisième dit la même chose. But : une couche ajoute à un vecteur. Seule l'attention regarde les autres mots.
layer_sheet = Additionnez les deux premières lignes, nombre par nombre, et notez les sommes dans la troisième. Remplissez de même la dernière ligne.
layer_expect = Il s'ajoute. La troisième ligne est la somme des deux premières, la dernière celle de la troisième et de la cinquième, à l'arrondi près. Si le résultat remplace le vecteur, la traduction n'a plus de sens.
layer_mistake = « Le réseau feed-forward mélange encore les mots. » Il traite le vecteur d'un seul mot à la fois. Seule l'attention porte quelque chose d'un mot à un autre.

## Encoder

encoder_title = Les mots s'imprègnent du contexte
encoder_question = « watch » est le deuxième mot de « My watch is broken » (ma montre) et de « I watch television every day » (je regarde) : son vecteur de départ est donc le même. De quoi dépend le vecteur de « watch » après l'encodeur ?
encoder_options = De tous les mots de la phrase|Du mot lui-même et de lui seul|Du mot et de sa place
encoder_answer = Chaque couche ajoute quelque chose au vecteur : de l'information venue des mots que ses têtes ont regardés. Le même mot a donc des vecteurs différents dans des phrases différentes. Il reste quelque chose du départ, car une couche ajoute au vecteur et ne le remplace pas. Un mot caché ne transmet plus rien aux autres mots source ; le décodeur peut encore le regarder directement.
encoder_look = À quel point chaque mot ressemble à son vecteur de départ après chaque couche : 1, même direction ; 0, aucune ressemblance.
encoder_mean = Après la dernière couche : { NUMBER($mean, minimumFractionDigits: 2, maximumFractionDigits: 2) } en moyenne.
encoder_start = départ
encoder_layer = couche { $layer }
encoder_try = Cacher un mot aux autres
encoder_done = Dans l'encodeur, plus aucun mot ne peut regarder « { $token } » ; le décodeur le peut encore. Quels mots de la traduction ont changé ?
encoder_teacher = Comparez deux phrases où un mot a deux sens. But : un vecteur représente un mot dans sa phrase. Notez qu'un cosinus compare des directions, pas des longueurs.
encoder_sheet = Quel mot a le plus changé entre la première et la dernière couche ? Donnez une raison.

## Mask

mask_title = Les mots suivants sont cachés
mask_question = À l'entraînement, le décodeur reçoit toute la bonne traduction. Pourquoi ne doit-il pas regarder les mots suivants ?
mask_options = Les mots suivants ne l'aident pas|Le calcul prendrait plus de temps|Il n'apprendrait qu'à les copier
mask_answer = Un décodeur qui voit le mot suivant apprend à le copier et échoue en traduisant, car ce mot n'existe alors pas encore. Le masque met à moins l'infini tous les scores à droite de la diagonale : leurs poids sont nuls. Tous les mots d'une traduction peuvent ainsi être appris en une passe, chacun prédit comme si la suite n'était pas encore écrite.
mask_look = Auto-attention d'une tête du décodeur : la traduction se regarde elle-même. Avec le masque, rien à droite de la diagonale.
mask_try = Entraîner un tout petit modèle sans le masque
mask_done = Deux petits modèles de { $n } nombres ont appris des paires comme « ich sehe hunde », « i see dogs », l'un avec le masque, l'autre sans. À l'entraînement, tous deux donnent toujours le bon mot suivant. Lequel sait traduire ?
mask_teacher = Lisez une phrase et arrêtez-vous ; la classe dit le mot suivant. Montrez la suite et redemandez : c'est trop facile. But : grâce au masque, la tâche du modèle est la même à l'entraînement et en traduction.
mask_sheet = Coloriez les cases que le décodeur peut voir quand il prédit le troisième mot. Faites ensuite toutes les lignes.
mask_measured = Le modèle avec masque traduit juste { $masked } phrases sur { $n }, l'autre { $unmasked }. Avec une autre phrase source, celui-ci prédit encore { $copied } des mots montrés : il copie.
mask_with = entraîné avec le masque
mask_without = entraîné sans le masque
mask_forced = bons mots suivants, comme à l'entraînement
mask_exchanged = de même, mais avec une autre phrase à traduire
mask_written = traductions justes, écrites seul

## Loss

loss_title = Ce que l'entraînement réduit
loss_question = À l'entraînement, le décodeur reçoit la bonne traduction jusqu'à un certain mot. Le modèle donne au bon mot suivant une probabilité de 0,2. Quelle grandeur l'entraînement réduit-il ?
loss_options = La part de phrases fausses|Le nombre de mots faux|La surprise devant ce mot
loss_reply = Une phrase entière n'est pas comptée juste ou fausse : on regarde chacun de ses tokens.|Un nombre d'erreurs reste le même quand les nombres appris changent un peu : il n'indique aucune direction.|Oui. La surprise vaut −ln p : 1,6 pour une probabilité de 0,2, et 0 pour 1.
loss_answer = Le dernier vecteur du décodeur, multiplié par une matrice apprise, donne un score à chaque token du vocabulaire ; le softmax en fait des probabilités. La surprise devant le bon token vaut −ln p, le logarithme naturel de sa probabilité, changé de signe : 0 pour 1, 0,7 pour une chance sur deux, 2,3 pour une sur dix ; son unité est le nat. Sa moyenne sur tous les tokens est la perte, que l'entraînement diminue. Chaque ligne reçoit les bons tokens jusque-là, même là où le modèle en aurait choisi un autre (teacher forcing) ; sa bonne réponse est le token suivant, qui lui est caché. Le gradient dit, pour chacun des { NUMBER($n, useGrouping: "always") } nombres appris, dans quel sens la perte diminue. Une petite étape la fait passer ici de { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } à { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
loss_look = Chaque ligne : le token que le décodeur vient de recevoir, le bon token suivant, et le premier choix du modèle s'il est autre.
loss_head = token reçu|bon token suivant|choix du modèle|p|−ln p
loss_head_after = p après|−ln p après
loss_said = Perte (moyenne de −ln p, en nats par token) : { $before } → { $after }
loss_own = Aucune traduction humaine de cette phrase n'est enregistrée : celle du modèle en tient lieu.
loss_try = Faire une étape d'entraînement
loss_done = Une copie du modèle a appris de cette seule paire de phrases ; le modèle utilisé reste le même. Quel bon token a le plus gagné ?
loss_teacher = Lisez le début de la bonne traduction et demandez le mot suivant. Plusieurs conviennent, mais seul compte celui des données. But : l'entraînement augmente étape par étape la probabilité du bon token suivant.
loss_sheet = Le tableau donne p et −ln p de chaque bon token. Calculez la moyenne des −ln p : c'est la perte avant l'étape. Quel token y pèse le plus ?
loss_expect = La surprise devant le bon mot. Sur la feuille, la moyenne de la dernière colonne est la perte avant l'étape, à l'arrondi près ; le token dont p est le plus petit pèse le plus.
loss_found = Dans cette phrase, le bon token « { $right } » gagne le plus : de { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } à { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }. Avant l'étape, le modèle aurait choisi « { $own } ».
loss_mistake = « À l'entraînement, le modèle continue à partir de ses propres mots. » Il reçoit les bons, même après un mot qu'il aurait choisi autrement. Il ne relit ce qu'il a écrit que lorsqu'il traduit, ses erreurs comprises, et cela il ne l'a jamais exercé (biais d'exposition).
loss_smoothing = Pourquoi p n'atteint-il jamais 1, même quand le modèle a raison ? Pendant son entraînement, le bon token comptait pour 0,9 et le 0,1 restant était réparti sur tous les tokens (lissage des étiquettes) : un p trop proche de 1 coûtait donc aussi.
loss_pair = reçu → bon token suivant
loss_mean = moyenne
before_step = avant l'étape
after_step = après l'étape

## Cross

cross_title = De la traduction à la source
cross_question = En attention croisée, chaque ligne de la carte est une étape du décodeur : elle lit un mot et prédit le suivant. Faut-il nommer la ligne par le mot lu ou par le mot prédit ?
cross_options = Seulement par le mot qu'elle lit|Par l'un ou l'autre, au choix|Seulement par le mot prédit
cross_answer = Ici la requête q vient du décodeur, les clés k et les valeurs v de l'encodeur : le décodeur demande, les mots source répondent. Dans la bibliothèque : la demande est écrite dans la langue de la traduction, les étiquettes et les livres dans celle de la source. Une étape lit le mot qui vient d'être écrit et prédit le suivant : les deux étiquettes sont donc justes. Il est facile de lire une telle carte avec une ligne de décalage ; vérifiez toujours l'étiquette.
cross_look = Lignes : la traduction (q vient du décodeur). Colonnes : la source (k et v viennent de l'encodeur). Un grand poids sur « fin » ou sur le point veut souvent dire que la tête a peu à transmettre (un puits d'attention) ; dans les dernières lignes, il peut décider de la fin de la phrase.
cross_picture = Lignes : la traduction (q vient du décodeur). Colonnes : la source (k et v viennent de l'encodeur).
cross_try = Changer les étiquettes des lignes
cross_done = Les cases sont les mêmes ; les étiquettes ont glissé d'une ligne. Avec lesquelles chaque mot regarde-t-il le mot source de même sens ?
cross_teacher = Un élève lit les lignes, un autre les colonnes. But : savoir ce que veut dire une ligne avant de conclure.
cross_sheet = Pour deux mots de la traduction, notez les deux mots source de plus grand poids.

## Beam

beam_title = Choisir les mots
beam_question = À chaque étape, le modèle donne une probabilité à chaque token. Doit-il toujours prendre le plus probable ?
beam_options = Oui, le tout est alors le plus probable|Non, un bon début peut mal finir|Peu importe, la phrase est la même
beam_answer = Le dernier vecteur du décodeur, multiplié par une matrice apprise, donne un score (logit) à chaque token du vocabulaire ; le softmax en fait des probabilités. Le décodage glouton prend chaque fois le plus probable. La recherche en faisceau garde plusieurs traductions inachevées. À chaque étape, elle compare toutes leurs suites et garde les meilleures. Elle peut donc trouver une phrase plus probable dans son ensemble. Regard divise le logarithme de la probabilité par la longueur, pour que les longues traductions ne soient pas désavantagées ; la gagnante peut alors être un peu moins probable.
beam_look = Les tokens les plus probables à l'étape où les deux traductions se séparent.
beam_same = Les deux méthodes traduisent cette phrase de la même façon. Voici l'étape où le modèle était le moins sûr.
beam_try = Garder quatre traductions inachevées
beam_seen = La recherche en faisceau garde quatre traductions inachevées. En choisit-elle une autre ?
beam_done = C'est une recherche en faisceau de largeur quatre. Choisit-elle une autre traduction ? La page Décoder montre l'arbre entier.
beam_teacher = Cherchez ensemble l'étape la plus incertaine et demandez quel token choisirait une personne. But : la recherche est un choix distinct du modèle.
beam_sheet = A et B sont les deux traductions à partir du token où elles se séparent. Multipliez les probabilités de chacune. Laquelle écrit le décodage glouton, laquelle est la plus probable ?
beam_product = produit

## Explain

explain_title = Est-ce une explication ?
explain_question = Une tête d'attention croisée est plus concentrée que toutes les autres : elle semble importante. Si on la désactive, que devient la traduction ?
explain_options = Ses mots restent les mêmes|Un de ses mots est remplacé|Ses mots n'ont plus de sens
explain_answer = Une carte montre où une tête regarde. Il faut la désactiver pour savoir ce que la traduction perd sans elle. Si rien ne change, la tête peut quand même avoir un rôle : la traduction peut devenir moins probable sans changer de mots, la tête peut compter dans d'autres phrases, ou d'autres têtes peuvent transmettre la même information. { $counted }
explain_count =
    Sur les { $n_heads } têtes d'attention croisée, désactivées une à une, { $n_change } { $n_change ->
        [one] change
       *[other] changent
    } cette traduction.
explain_open = Combien des { $n_heads } têtes d'attention croisée changent cette traduction ? Essayez-en { $n } dans la grille : le nombre s'affichera ici.
explain_many = C'est beaucoup. À son étape la moins sûre, le modèle donne à ses deux premiers tokens presque la même probabilité, { NUMBER($first, minimumFractionDigits: 2, maximumFractionDigits: 2) } et { NUMBER($second, minimumFractionDigits: 2, maximumFractionDigits: 2) } : un petit changement suffit pour choisir autrement. Essayez une phrase dont il est plus sûr.
heads_which = De ces trois têtes, l'une suit les mots, une autre regarde la fin de la phrase plus que toutes les autres, la troisième disperse le plus ses poids. Laquelle est laquelle ?
heads_follows = { $head } : suit les mots
heads_ends = { $head } : regarde la fin
heads_spreads = { $head } : disperse ses poids
meanings = « { $word } » a le même plongement et la même place dans les deux phrases. Après l'encodeur, le cosinus de ses deux vecteurs vaut { NUMBER($apart, minimumFractionDigits: 2, maximumFractionDigits: 2) }. Dans « { $one } » et « { $same } », où le sens est le même, il vaut { NUMBER($alike, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
heads_found = Ces têtes d'attention croisée changent la traduction de cette phrase quand on les désactive une à une, couche·tête : { $heads }.
heads_none = Désactivées une à une, les têtes d'attention croisée ne changent pas la traduction de cette phrase.
explain_look = La tête la plus concentrée. Le bouton la désactive.
explain_try = Désactiver cette tête
explain_done = Comparez les deux traductions. Cherchez ensuite une tête qui change un mot quand on la désactive.
explain_teacher = La scène la plus importante. Faites voter avant d'appuyer sur le bouton, puis laissez des groupes chercher une tête qui change un mot. But : voir où une tête regarde n'est pas une explication.
explain_sheet = Écrivez une chose qu'une carte d'attention peut dire, et une qu'elle ne peut pas. Quelles têtes avez-vous essayées ?

## Train

train_title = Voir les têtes se former
train_question = Avant l'entraînement, tous les paramètres sont des nombres aléatoires. À quoi ressemblent alors les cartes ?
train_options = Diagonales, mais plus pâles|Réparties sur tous les mots|Tout entières sur le premier mot
train_answer = Des paramètres aléatoires donnent des scores aléatoires, donc des poids répartis : dans la copie non entraînée, le plus grand poids d'une ligne vaut { NUMBER($fresh, minimumFractionDigits: 2, maximumFractionDigits: 2) } en moyenne, contre { NUMBER($even, minimumFractionDigits: 2, maximumFractionDigits: 2) } si tout était égal. Dans la même tête du modèle entraîné, la plus concentrée, il vaut { NUMBER($trained, minimumFractionDigits: 2, maximumFractionDigits: 2) }. Personne ne programme ces motifs. L'entraînement change un peu les paramètres après chaque petit groupe de phrases (un lot), pour que le bon token suivant devienne plus probable.
train_look = La tête la plus concentrée du modèle entraîné. Le bouton lance un tout petit modèle qui apprend sous vos yeux, et montre cette tête avant l'entraînement, avec des paramètres aléatoires.
train_try = Entraîner un tout petit modèle à copier des lettres
train_seen = La même tête, avant et après l'entraînement. Comment chaque ligne répartit-elle son poids ?
train_done = Le tout petit modèle apprend à copier des lettres. Repérez l'étape où une diagonale apparaît.
train_teacher = Lancez l'entraînement, puis parlez pendant qu'il tourne ; il dure moins d'une minute sur deux cœurs. But : les motifs sont appris, personne ne les programme. La page Affiner propose d'autres entraînements.
train_sheet = Coloriez la carte d'une tête comme vous l'imaginez : à gauche avant l'entraînement, à droite après.

## Share

share_title = Vérifier une affirmation
share_question = Quelqu'un vous montre une carte d'attention et dit : « Cette tête a trouvé le nom, donc la traduction a besoin d'elle. » Comment le vérifier ?
share_options = Regarder si la case est très colorée|Regarder la carte en plus grand|Traduire de nouveau sans la tête
share_answer = Une affirmation sur une tête demande trois choses : quelle couche et quelle tête, ce que veut dire une ligne de la carte, et ce qui se passe quand la tête est désactivée, dans plus d'une phrase. Le lien contient la phrase, la tête, les étiquettes et votre affirmation : d'autres peuvent refaire votre expérience.
share_look = Choisissez une tête, écrivez ce qu'elle fait selon vous, et vérifiez-le sur plusieurs phrases.
share_try = Vérifier : désactiver cette tête
share_done = Quelles traductions ont changé ? Le résultat confirme-t-il l'affirmation ?
share_teacher = Chaque élève envoie un lien avec une affirmation et sa vérification. But : une affirmation s'accompagne d'un moyen de la vérifier. Montrez encore une fois la page Aperçu.
share_sheet = Mon affirmation, la tête, les phrases, ce qui a changé, et le lien.
vote = Valider
explain_now = Expliquer
same = La traduction n'a pas changé.
route = Parcours
route_short = 45 min
route_full = 90 min
timer_start = Minuteur
timer = { $spent } sur { $total } min · cette scène jusqu'à la minute { $until }
own_sentence = Prendre la phrase de cette scène
kept = Le lien de la barre d'adresse garde la scène et vos hypothèses.
teacher_do = Déroulement.
teacher_expect = Réponses attendues.
teacher_mistake = Erreur fréquente.
teacher_line = { $heading } { $text }
slides = Diapositives
worksheet_this = Feuille de cette scène
is_off = Cette tête est désactivée. Ses poids sont estompés, car ils n'ont plus d'effet sur la traduction.
need_translation = Cette scène demande un modèle qui traduit. Le modèle utilisé ne fait que lire.
need_reader = Cette scène demande le modèle qui lit l'écriture manuscrite ; il manque dans cette installation.
need_sentence = Cette scène travaille sur une phrase. Le modèle utilisé lit des images de mots ; la scène « Il lit votre écriture » parle de lui.
need_decoder = Cette scène demande tiny-decoder, absent de cette installation. Sa place est dans pretrained/tiny-decoder.
need_scale = Le modèle utilisé ne divise pas ses scores par √d_k : cette scène n'a rien à retirer.
need_words = Cette scène change des mots. Le modèle utilisé n'a pas de vocabulaire : il lit des numéros.
tried_elsewhere = La leçon a été faite avec le modèle en-fr. Avec celui-ci, une expérience peut montrer autre chose, ou rien.
tried_here = Les expériences ont aussi été essayées sur ce modèle ; les réponses attendues ont été mesurées sur en-fr.
decoder_title = La même architecture, décodeur seul
decoder_about = Sans l'encodeur et l'attention croisée, ce qui reste lit un texte et prédit le token suivant, encore et encore. GPT et Llama sont construits ainsi. Le modèle tiny-decoder a quatre de ces couches : regardez-le continuer une phrase, désactivez ses têtes, et comparez avec ce que vous avez vu dans cette leçon.
decoder_open = Ouvrir tiny-decoder
use_shipped = Utiliser le modèle de traduction
off = désactivée
with_scale = poids, avec division par √d_k
without_scale = poids, sans division
twin = Phrase
with_positions = avec positions
without_positions = sans positions
hunt = La chasse aux têtes : cliquez sur une tête pour la désactiver. Têtes essayées : { $tried }. Têtes qui changent la traduction : { $changed }. Le nombre est le changement de log p, le logarithme naturel de la probabilité de la première traduction : à −0,7, elle est deux fois moins probable.
hunt_cell = couche { $row }, tête { $column } : la log-probabilité de la traduction change de { $value } nats (logarithme naturel : −0,7 divise la probabilité par deux)
hunt_unknown = pas encore essayée
aligning = Couche { $layer }, tête { $head } : de toutes les têtes d'attention croisée, c'est elle qui met le plus de poids sur le mot source dont dépend chaque mot écrit (celui sans lequel sa probabilité baisse le plus).
train_start = Entraîner un tout petit modèle à copier des lettres
train_again = Entraîner encore
train_left = entraînée
train_right = non entraînée
claim = Votre affirmation sur cette tête
claim_hint = Cette tête trouve le nom, donc, sans elle…
claim_on = tête active
claim_off = tête désactivée
claim_sure = probabilité de la première, par token
claim_said = Traductions qui ont changé : { $changed } sur { $total }.
link = Lien vers cette affirmation
link_note = Ce lien contient la phrase, la tête et chaque changement. La page Explorer exporte images, tableaux et une page lisible hors ligne.
box_reply = Oui. Chaque mot reçoit un poids, grand ou petit.|Pas seulement le dernier : les deux langues ordonnent souvent les mots autrement.|Ce mot a souvent le plus grand poids, mais chacun des autres en a un aussi.
box_expect = Tous les mots, avec des poids différents. On peut cacher la plupart d'entre eux et le dernier mot reste presque aussi probable ; il y en a un sans lequel ce n'est plus le cas.
box_mistake = « Il traduit mot à mot. » Montrez une phrase dont l'ordre change et demandez où se trouve, dans la phrase, le dernier mot de la traduction.
pieces_reply = Il ne le saute pas : ses parties sont dans le vocabulaire.|Oui. Ces parties s'appellent des tokens.|Seulement s'il n'existe pas de partie plus longue.
pieces_expect = Par parties. Le mot doublé devient deux tokens ou plus. Sa traduction peut inventer un mot, en répéter un, ou rester la même.
pieces_mistake = « Ce qui manque au vocabulaire ne peut pas être lu. » Tapez 猫 : un caractère sans token à lui est lu octet par octet, en trois tokens après ▁, qui représente l'espace. Un vocabulaire sans tokens d'octets le lit « inconnu ». Lire un caractère n'est pas le comprendre : regardez la traduction.
positions_reply = L'encodeur ne lit pas de gauche à droite : il reçoit tous les mots à la fois.|Oui. Sans positions, les deux phrases sont le même ensemble de mots.|Dans les deux phrases, les mots ont les mêmes formes : seul leur ordre dit qui voit qui.
positions_expect = Non. Sans positions, les deux phrases ont la même traduction. Mots mélangés, le plus grand changement d'un poids est nul à l'arrondi près.
positions_mistake = « Il lit les mots l'un après l'autre. » L'encodeur reçoit tous les mots en même temps ; seul le décodeur écrit l'un après l'autre.
head_reply = Oui. Cette somme s'appelle le produit scalaire.|Ce sont des nombres décimaux : ils ne sont presque jamais égaux.|Un seul nombre déciderait, et tous les autres seraient ignorés.
head_expect = Multiplier et additionner. Sur la feuille : q·k = 3, divisé par √4 = 2, donne 1,5 ; q·k' = 8 donne 4. La seconde clé reçoit donc plus de poids.
head_mistake = « Un grand nombre dans q donne un grand score. » Un grand nombre dans une seule liste ajoute peu ; il en faut dans les deux.
heads_reply = Oui. Comparez les petites cartes : il n'y en a presque pas deux semblables.|Il n'y a pas de vote : les résultats des têtes sont mis côte à côte et combinés par une matrice de plus, apprise elle aussi, W_O.|Regardez les lignes de la grille : les têtes diffèrent dans chaque couche.
heads_expect = Des mots différents selon la tête. Sans l'attention croisée d'une couche, un temps verbal ou un pronom peut changer, mais la phrase garde en général son sens.
heads_mistake = « Une tête au motif net est importante. » Un motif montre où une tête regarde, pas si la traduction en a besoin. La scène « Est-ce une explication ? » le vérifie.
encoder_reply = Exact. Dans chaque couche, ses têtes lui apportent quelque chose des autres mots de sa phrase.|Le plongement est le même. Mais chaque couche y ajoute quelque chose des autres mots.|La position est la même. Mais les autres mots diffèrent, et chaque couche ajoute quelque chose d'eux.
encoder_expect = De tous les mots de la phrase. Là où « watch » a un autre sens, ses deux vecteurs se ressemblent moins que là où il a le même. La ressemblance avec le départ baisse de couche en couche sans arriver à 0. Les caractères lus octet par octet changent plus que les mots.
encoder_found = Dans cette phrase, entre le départ et la dernière couche, « { $most } » change le plus, « { $least } » le moins.
encoder_mistake = « Un mot a un sens fixe dans le modèle. » Seul son plongement est fixe ; dès la première couche il dépend de la phrase.
mask_reply = Ils seraient on ne peut plus utiles : le mot suivant est la réponse elle-même.|À l'entraînement, le masque ne fait pas gagner de temps : tous les scores sont calculés, puis certains sont mis à moins l'infini. C'est quand le modèle écrit qu'il en fait gagner : les vecteurs des mots déjà écrits ne changent plus, on peut donc les garder.|Oui. Le mot suivant est la réponse qu'il doit prédire.
mask_expect = Il n'apprendrait qu'à copier. Le tout petit modèle entraîné sans masque regarde les mots suivants et ne sait traduire aucune phrase. Sur la feuille, la troisième ligne a trois cases coloriées (le token de début et deux mots).
mask_mistake = « Plus d'information aide toujours. » Seulement si le modèle a été entraîné avec elle et la recevra à l'usage.
cross_reply = C'est le mot que l'étape lit, l'une des deux étiquettes possibles.|Oui. Une étape lit un mot et prédit le suivant.|C'est le mot que l'étape prédit, l'une des deux étiquettes possibles.
cross_expect = Par l'un ou l'autre : les deux nomment la même étape. Sur cette tête, avec l'étiquette « token prédit », la plupart des mots se trouvent en face du mot source de même sens. À d'autres têtes, l'étiquette « token lu » convient mieux.
cross_mistake = « Une case très colorée sur le point veut dire que le point est important. » C'est souvent un puits : la tête y met son poids quand elle a peu à transmettre. Vérifiez : cachez le token et traduisez de nouveau.
beam_reply = Pas toujours : le premier mot le plus probable peut mener à des mots peu probables.|Exact. La meilleure phrase ne commence pas forcément par le meilleur mot.|Pour beaucoup de phrases, rien ne change. Pour d'autres, le faisceau trouve une traduction plus probable.
beam_expect = Non. Le décodage glouton écrit A, dont le premier token est le plus probable. Sur la phrase de la scène, le produit de A vaut 0,08 et celui de B 0,12.
beam_mistake = « La traduction la plus probable est la meilleure. » C'est celle que le modèle juge la plus probable ; on peut en préférer une autre.
explain_reply = Oui, dans la plupart des phrases et pour la plupart des têtes. Cherchez une exception.|Dans certaines phrases, avec certaines têtes : cherchez-en une.|Une tête parmi beaucoup suffit rarement pour cela.
explain_expect = Souvent rien ne change. Une carte dit où une tête regarde ; elle ne dit pas si la traduction en dépend.
explain_mistake = « Rien ne change, donc la tête est inutile. » Une phrase et une tête à la fois prouvent peu : essayez d'autres phrases, et deux têtes ensemble.
train_reply = Des nombres aléatoires donnent très rarement une diagonale : elle est apprise.|Oui, mais pas tout à fait uniformément.|Des nombres aléatoires n'ont aucune raison de choisir le premier mot. Si un mot reçoit davantage, c'est par hasard.
train_expect = Réparties sur tous les mots. Après l'entraînement à copier, une tête d'attention croisée montre une diagonale.
train_mistake = « Les programmeurs ont décidé de ce que fait chaque tête. » Ils n'ont décidé que de leur nombre ; l'entraînement a fait le reste.
share_reply = La couleur montre où la tête regarde, pas ce que serait la traduction sans elle.|Une image plus grande montre les mêmes poids.|Oui. C'est une expérience, et chacun peut la refaire.
share_expect = Désactiver la tête et traduire de nouveau. Une bonne affirmation nomme la couche, la tête, les phrases et ce qui a changé.
share_mistake = « Le modèle comprend. » Demandez quelle expérience donnerait un autre résultat s'il ne comprenait pas.
shows = Mesuré : votre phrase montre ce dont parle cette scène.
shows_not = Mesuré : votre phrase ne montre pas ce dont parle cette scène. L'expérience reste possible ; vous pouvez aussi prendre la phrase de la scène.
quiz_sheets = Quiz à imprimer
in_code = En code
in_code_checked = Les mêmes lignes, appliquées aux requêtes, clés et valeurs de cette tête : leurs poids diffèrent de ceux du réseau de { $furthest } au plus, ce qui est un arrondi. Le réseau calcule toutes les têtes et plusieurs phrases à la fois.
pattern = Le réseau feed-forward agit comme une mémoire de motifs : sa première matrice compare le vecteur à { $n } motifs, et chaque motif trouvé (son nombre dépasse 0) ajoute son propre vecteur par la seconde matrice. Dans « { $token } », { $above } des { $n } sont trouvés. Le plus fort est le numéro { $strongest }, avec { $value }.
pattern_words = Dans les { NUMBER($n, useGrouping: "always") } phrases du corpus livré, il est le plus grand pour { $words }.
costs = Ce que cela coûte, et ce que fait un réseau récurrent
costs_attention = auto-attention
costs_recurrent = réseau récurrent (GRU)
costs_formula = multiplications dans une couche, pour n tokens de d nombres
costs_of = en millions, pour n = { NUMBER($n, useGrouping: "always") } et d = { $d }
costs_steps = étapes qui doivent se suivre, pour n = { $n }
costs_path = étapes du premier token au dernier, pour n = { $n }
costs_said = Avant 2017, un réseau lisait un token après l'autre et transmettait un seul vecteur. L'attention compare toutes les paires à la fois : à l'entraînement, tous les tokens sont calculés en même temps, et chacun atteint tout autre en une étape. Le prix est le n² : dans un long texte, ce sont les paires qui coûtent le plus.

## Handwriting

reader_title = Il lit votre écriture
reader_question = Un modèle reçoit l'image d'un mot, découpée en bandes étroites, et écrit le mot lettre par lettre. Quels traits le modèle regarde-t-il quand il écrit la deuxième lettre ?
reader_options = Le mot entier, partout un peu|Un morceau de la deuxième lettre|La lettre qu'il vient d'écrire
reader_reply = Non : une tête avance le long du mot. Pendant qu'une lettre s'écrit, presque tout son poids est sur une ou deux bandes.|Oui. Une tête avance le long du mot, lettre après lettre, comme le doigt.|Cette lettre est déjà connue : le décodeur l'a écrite. La tête est passée plus à droite.
reader_answer = La tête { $head } avance le long du mot : pendant que « { $second } » s'écrit, une des { $strips } bandes reçoit { $share } de son poids. Une bande tient ici la place d'un mot : une couche linéaire fait un vecteur de ses pixels, et la suite est la même qu'avec des mots. Que la lettre dépende de ces traits, on ne le voit qu'en les recouvrant : « { $letter } » passe de { $before } à { $after }. { $outcome } Le modèle a aussi appris la langue : sans rien voir de l'image, après « { $begun } », il juge « { $expected } » le plus probable, à { $chance }.
reader_gap = Il ne devine pas la lettre : il lit le papier vide comme un espace.
reader_read = Il écrit quand même la lettre : ce qui reste sur le papier et les lettres d'avant suffisent.
reader_other = Il lit autre chose dans ce qui reste.
reader_look = Choisissez une lettre. En couleur : les bandes qu'une tête regarde pendant que cette lettre s'écrit.
reader_picture = En couleur : les bandes qu'une tête regarde pendant que la deuxième lettre s'écrit.
reader_try = Recouvrir une lettre
reader_done = « { $letter } » est recouverte de papier. Qu'écrit le modèle à sa place : la lettre, une autre, ou un espace ?
reader_measured = Probabilité de « { $letter } » : { $before } → { $after }. Lu maintenant : « { $text } ». La langue seule, après « { $begun } » : « { $expected } » à { $chance }.
reader_short = Écrivez un mot d'au moins deux lettres.
reader_letter = Lettre à recouvrir
reader_whole = tel qu'écrit
reader_painted = lettre recouverte
reader_class = Mots de la classe
reader_teacher = Faites écrire un mot, sur la surface d'écriture ou sur un téléphone (Salle, « Écrire un mot au doigt »). Avant l'expérience, la classe dit ce que le modèle écrira là où la lettre manque. But : la même attention fonctionne sur une image, et « où il regarde » reste une affirmation à vérifier.
reader_sheet = De chaque lettre du mot, tirez un trait vers les traits que vous regarderiez pour la lire.
reader_expect = Un morceau de la deuxième lettre. Dans « beauty », sans le u, le modèle écrit un espace, alors qu'après « bea » il attend le u.
reader_mistake = « Il devine la lettre qui manque. » Il a appris quelles lettres se suivent, mais le papier vide est une chose qu'il voit : un espace entre deux mots.

## Since 2017

since_title = Depuis 2017
since_about = **Pas d'encodeur.** Une seule pile lit le texte et le continue ; il n'y a plus d'attention croisée.|**Positions rotatives.** On n'ajoute plus de vecteur : q et k tournent d'un angle qui croît avec la position.|**RMSNorm.** Un vecteur est divisé par sa propre moyenne quadratique ; on ne soustrait aucune moyenne.|**Un feed-forward à porte.** Une moitié de ses nombres ouvre ou ferme l'autre.|**Clés groupées.** Plusieurs têtes partagent un k et un v.|**Experts.** Les plus grands modèles ont beaucoup de réseaux feed-forward par couche et n'en utilisent que quelques-uns pour chaque token.
since_question = Un modèle de langage a lu dix tokens et en ajoute un. Pour quels tokens ses couches doivent-elles calculer de nouveaux vecteurs ?
since_options = Pour aucun, il se souvient du reste|Pour les onze, à nouveau|Pour le token qui arrive
since_reply = Chaque couche a un vecteur pour le nouveau token : c'est de lui qu'on prédit le suivant.|C'est ce qui se passe sans cache, et les vecteurs des dix premiers ressortent tels quels.|Oui. Des dix autres, on garde k et v, calculés aux étapes précédentes.
since_answer = Le masque empêche un token de voir les suivants. Le k et le v des tokens précédents ne changent donc plus, et on peut les garder : c'est le cache. De chaque token, tiny-decoder a besoin de { $layers } couches × { $keys } têtes × { $width } nombres de k et v = { NUMBER($kept, useGrouping: "always") }. Si chacune des { $heads } têtes avait son k et son v, ce serait { NUMBER($whole, useGrouping: "always") }. Dans un long texte, c'est cela qui remplit la mémoire ; aussi plusieurs têtes partagent-elles un k et un v (clés groupées). Le tableau montre ce qui a changé d'autre depuis 2017.
since_look = Le modèle utilisé à côté de tiny-decoder, fait comme les modèles de langage d'aujourd'hui.
since_try = Se passer du cache
since_done = tiny-decoder continue « { $begun } », avec son cache et sans lui. Écrit-il d'autres mots, et combien calcule-t-il de plus ?
since_measured = Vecteurs de tokens par couche : { $cached } avec le cache, { $uncached } sans. Texte écrit : « { $text } »
since_axis = vecteurs de tokens
since_teacher = Faites additionner les nombres de 1 à 10 à la classe avant l'expérience. But : le Transformer de 2017 est toujours là, et presque tout ce qui a changé le rend moins coûteux ou rend son entraînement plus stable.
since_sheet = Pour chaque modèle, multipliez couches × têtes ayant un k et un v × nombres des deux. Combien de nombres garde-t-il d'un texte de 1 000 tokens ?
since_expect = Pour celui qui vient d'arriver. Sans cache, les mots restent les mêmes, et chaque token demande plus de travail que le précédent.
since_found = Les produits de la feuille : { $own }, et { $decoder } pour tiny-decoder ; pour 1 000 tokens, mille fois plus.
since_mistake = « Le cache garde des réponses. » Il garde k et v de chaque token lu. La suite est calculée à chaque fois.
since_layers = couches
since_layers_both = { $encoder } dans l'encodeur, { $decoder } dans le décodeur
since_layers_alone = { $decoder }, décodeur seul
since_order = ordre des mots
since_order_added = un vecteur s'ajoute à celui du mot
since_order_turned = q et k tournent (rotatif)
since_order_scores = un nombre s'ajoute à chaque score
since_order_none = pas donné
since_norm = norme
since_norm_mean = moyenne et taille (LayerNorm)
since_norm_size = taille seule (RMSNorm)
since_fed = feed-forward
since_fed_plain = { $n } nombres
since_fed_gated = { $n } nombres, avec porte
since_keys = têtes ayant un k et un v
since_keys_of = { $keys } pour { $heads } têtes
since_width = nombres d'un k et d'un v
since_kept = gardé de chaque token
