### The quiz before the lesson, and the one after it: the same ten ideas, asked in another way.

unknown = Je ne sais pas
tokens = Tokens
tokens_before = « unfoldable » n'est pas dans le vocabulaire du modèle, mais un, fold et able y sont. Que lit le modèle ?
tokens_before_options = un, fold et able|un mot inconnu|dix lettres isolées
tokens_after = « unopened » n'est pas dans le vocabulaire du modèle, mais un, open et ed y sont. Combien de tokens le modèle lit-il ?
tokens_after_options = 3|1|8
tokens_why = Ce qui manque au vocabulaire est lu par les parties qu'il contient. Ces parties sont les tokens.
dot = Score q·k
dot_before = Une requête q = (1, 2) et une clé k = (3, 1). Quel est leur score q·k ?
dot_before_options = 5|7|6
dot_after = Une requête q = (2, 1) et une clé k = (1, 4). Quel est leur score q·k ?
dot_after_options = 6|8|9
dot_why = Multiplier les premiers nombres, multiplier les seconds, additionner : 1·3 + 2·1 = 5 et 2·1 + 1·4 = 6.
softmax = Softmax
softmax_before = Trois mots ont le même score. Quels poids le softmax leur donne-t-il ?
softmax_before_options = Un tiers chacun|Chacun reçoit 1|Chacun reçoit 0
softmax_after = Un mot sur trois a un score bien plus élevé que les autres. Quels poids le softmax leur donne-t-il ?
softmax_after_options = Presque 1, 0 et 0|Presque 3, 0 et 0|Un tiers à chacun
softmax_why = Le softmax transforme les scores en parts positives de somme 1 : des parts égales pour des scores égaux, presque tout pour un score bien plus élevé.
rest = Somme d'une ligne
rest_before = Une ligne d'une carte donne 0,6 à un mot et 0,3 à un deuxième. Que reste-t-il pour tous les autres ensemble ?
rest_before_options = 0,1|0,9|1,0
rest_after = Une ligne d'une carte donne 0,25 à chacun de trois mots. Que reste-t-il pour tous les autres ensemble ?
rest_after_options = 0,25|0,75|1,00
rest_why = La somme des poids d'une ligne vaut 1.
mask = Masque
mask_before = Qu'apprendrait un décodeur à l'entraînement s'il voyait le mot suivant de la bonne traduction ?
mask_before_options = À copier ce mot|À traduire plus vite|À éviter les fautes
mask_after = Le décodeur va écrire le troisième mot d'une traduction. Quels mots de la traduction peut-il regarder ?
mask_after_options = Ceux d'avant|Ceux d'après|Tous sauf lui
mask_why = Un masque cache les mots suivants : à l'entraînement, le mot suivant est la réponse ; à l'usage, il n'est pas encore écrit.
cross = Attention croisée
cross_before = L'attention croisée relie l'encodeur, qui lit la phrase, et le décodeur, qui écrit la traduction. Quels mots regardent lesquels ?
cross_before_options = La traduction regarde la phrase|La phrase regarde la traduction|La phrase se regarde elle-même
cross_after = Pour « The dog sleeps », le modèle écrit « chien ». Quelle sorte de carte montre s'il a regardé « dog » ?
cross_after_options = L'attention croisée|L'auto-attention encodeur|L'auto-attention décodeur
cross_why = Dans l'attention croisée, les requêtes viennent de la traduction déjà écrite, les clés et les valeurs de la phrase.
order = Ordre des mots
order_before = Sans positions, un encodeur reçoit « dog sees man » au lieu de « man sees dog ». Que calcule-t-il pour « dog » ?
order_before_options = Le même vecteur|Le vecteur de man|Un vecteur de zéros
order_after = Un encodeur ne reçoit pas de positions. Quelle paire est identique pour lui ?
order_after_options = Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom
order_why = L'attention ignore la place des mots. Sans positions, les mêmes mots dans un autre ordre sont la même entrée.
beam = Recherche en faisceau
beam_before = Premier mot : A a 0,6, B a 0,4. Après A, le meilleur deuxième mot a 0,3, après B il a 0,9. Quelle paire de mots est la plus probable ?
beam_before_options = Celle avec B|Celle avec A|Elles se valent
beam_after = Premier mot : A a 0,5, B a 0,3. Après A, le meilleur deuxième mot a 0,4, après B il a 0,8. Le décodage glouton commence par A. Que laisse-t-il échapper ?
beam_after_options = Une paire plus probable|Un premier mot plus probable|Rien, A est meilleur
beam_why = Les probabilités d'une paire se multiplient : 0,6·0,3 = 0,18 est moins que 0,4·0,9 = 0,36, et 0,5·0,4 = 0,20 moins que 0,3·0,8 = 0,24. C'est pourquoi un faisceau garde plusieurs débuts.
training = Entraînement
training_before = Que change l'entraînement dans le modèle, étape par étape ?
training_before_options = Les nombres appris|Le nombre de couches|La liste des tokens
training_after = À l'entraînement, le modèle donne au bon mot suivant une probabilité de 0,1. Que devient-elle juste après une étape d'entraînement sur cet exemple ?
training_after_options = Un peu plus haute|Un peu plus basse|Exactement la même
training_why = Chaque étape change un peu les paramètres, pour que le bon mot suivant devienne plus probable. Les couches et le vocabulaire restent comme ils ont été faits.
off = Ce que prouve un poids
off_before = Une tête met 90 % de son poids sur un mot. Que savez-vous avec certitude ?
off_before_options = La tête lit ce mot|Ce mot est la cause|Le reste est inutile
off_after = Vous désactivez une tête et la traduction reste la même. Que savez-vous avec certitude ?
off_after_options = Elle était inutile ici|Elle est toujours inutile|Elle ne regardait rien
off_why = Un poids dit où lit une tête. Si cela compte, une expérience le dit, et seulement pour la phrase essayée.
