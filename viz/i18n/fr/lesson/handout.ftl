### The first and the last pages of the teacher's outline.

goals = Après la leçon, les élèves savent
goals_list = dire ce qu'est un token et pourquoi un modèle a besoin de positions|calculer à la main un poids d'attention à partir de q et k, et dire d'où viennent q, k et v|dire quels mots regardent lesquels dans les trois sortes d'attention|dire ce que fait une couche en plus de l'attention, et comment un vecteur devient un mot|expliquer pourquoi le décodeur ne doit pas voir les mots suivants et ce que l'entraînement réduit|vérifier par une expérience une affirmation sur une tête
prior = Ce qu'il faut savoir avant
prior_text = Additionner et multiplier des nombres décimaux et négatifs, les pourcentages, les puissances, et savoir ce qu'est un logarithme. Ni programmation, ni matrices, ni réseaux de neurones.
plan = Déroulement
plan_head = minutes sur 90|minutes sur 45|scène|mots nouveaux|ce que la classe doit trouver
words = Mots nouveaux.
board = Au tableau
board_lines = score = q·k / √dₖ|poids = softmax(scores) : positifs, et de somme 1 sur chaque ligne|résultat d'une tête = somme des poids × v|une couche : vecteur + résultat de l'attention, puis + résultat du réseau feed-forward|perte = moyenne de −ln p des bons tokens|encodeur : tous les mots voient tous les mots ; décodeur : un mot ne voit que les précédents ; attention croisée : la traduction voit la phrase|un poids dit où une tête regarde ; une expérience dit si cela compte
quiz = Le quiz d'avant la leçon et celui d'après ; bonnes réponses en gras
