"""Words of the lesson: twelve scenes, each with a question, a guess, an answer, a view and one change."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "lesson.scene": ("Scene", "场景", "Scène"),
    "lesson.of": ("{n} of {total}", "{n} / {total}", "{n} sur {total}"),
    "lesson.guess": ("Your guess", "你的猜测", "Votre avis"),
    "lesson.reveal": ("Reveal", "揭晓", "Révéler"),
    "lesson.hide": ("Hide again", "重新隐藏", "Cacher de nouveau"),
    "lesson.first_guess": (
        "Guess first. The view opens with the answer.",
        "先猜。答案揭晓时视图随之打开。",
        "Devinez d'abord. La vue s'ouvre avec la réponse.",
    ),
    "lesson.change": ("Now change one thing", "现在改动一处", "Changez maintenant une chose"),
    "lesson.undo": ("Put it back", "恢复", "Remettre"),
    "lesson.before": ("Before", "之前", "Avant"),
    "lesson.after": ("After", "之后", "Après"),
    "lesson.open": ("Open on its own page", "在专页中打开", "Ouvrir sur sa page"),
    "lesson.previous": ("Back", "上一场", "Retour"),
    "lesson.next": ("Next", "下一场", "Suivant"),
    "lesson.seen": (
        "Scenes seen: {n} of {total}. The link keeps your place.",
        "已看 {n}/{total} 场；链接会记住进度。",
        "Scènes vues : {n} sur {total}. Le lien garde votre place.",
    ),
    "lesson.teacher": ("For the teacher", "教师提示", "Pour l'enseignant"),
    "lesson.outline": ("Teacher's outline", "教师提纲", "Plan de l'enseignant"),
    "lesson.worksheet": ("Worksheet to print", "可打印练习单", "Feuille à imprimer"),
    "lesson.worksheet_all": ("All twelve", "全部十二场", "Les douze"),
    "lesson.minutes": ("{n} min", "{n} 分钟", "{n} min"),
    "lesson.sheet_heading": ("Looking into a Transformer", "走进 Transformer", "Au cœur d'un Transformer"),
    "lesson.sheet_name": ("Name", "姓名", "Nom"),
    "lesson.sheet_sentence": ("Our sentence", "我们的句子", "Notre phrase"),
    "lesson.sheet_translation": ("The model's translation", "模型的译文", "La traduction du modèle"),
    "lesson.sheet_guess": ("I guess, because", "我猜……，因为", "Je pense que, parce que"),
    "lesson.sheet_saw": ("What I saw", "我看到了", "Ce que j'ai vu"),
    "lesson.sheet_changed": ("What the change did", "改动带来了什么", "L'effet du changement"),
    "lesson.sharpest": (
        "The sharpest head: layer {layer}, head {head}. Its largest weights average {share:.0%}.",
        "最尖锐的头：第 {layer} 层第 {head} 头，最大权重平均 {share:.0%}。",
        "La tête la plus nette : couche {layer}, tête {head}. Ses plus grands poids valent {share:.0%} en moyenne.",
    ),
    "lesson.log_prob": (
        "Mean log p of the words: {before:.2f} before, {after:.2f} after.",
        "各词的平均 log p：之前 {before:.2f}，之后 {after:.2f}。",
        "log p moyen des mots : {before:.2f} avant, {after:.2f} après.",
    ),
    "lesson.need_cross": (
        "This model has no cross-attention to show here: choose a translation model above.",
        "此模型没有交叉注意力可看：请在上方选一个翻译模型。",
        "Ce modèle n'a pas d'attention croisée à montrer : choisissez un modèle de traduction ci-dessus.",
    ),
    # 1
    "lesson.box_title": ("A black box translates", "黑箱在翻译", "Une boîte noire traduit"),
    "lesson.box_question": (
        "The machine wrote the second line from the first. Which words of the first line did it look at while writing the "
        "third word of the second?",
        "机器由第一行写出第二行。写第二行第三个词时，它看了第一行的哪些词？",
        "La machine a écrit la deuxième ligne d'après la première. Quels mots de la première regardait-elle en écrivant le "
        "troisième mot de la deuxième ?",
    ),
    "lesson.box_options": (
        "Only the third word|Only the word that means the same|All the words, some more than others",
        "只看第三个词|只看意思相同的那个词|所有的词，只是有多有少",
        "Seulement le troisième mot|Seulement le mot de même sens|Tous les mots, certains plus que d'autres",
    ),
    "lesson.box_answer": (
        "There is no single place: the model has many heads, and each looks its own way. In the sharpest one you often find "
        "the word of the same meaning; others look at neighbours, or at the full stop.",
        "没有唯一的地方：模型有许多头，各看各的。最尖锐的头里常见同义之词；其他头看邻居，或看句号。",
        "Il n'y a pas un seul endroit : le modèle a beaucoup de têtes, chacune regarde à sa façon. Dans la plus nette on "
        "trouve souvent le mot de même sens ; d'autres regardent les voisins ou le point.",
    ),
    "lesson.box_look": (
        "Each row is a word being written; the more colour, the more this head looked there.",
        "每行是正在写的词；颜色越浓，这个头看得越多。",
        "Chaque ligne est un mot en train d'être écrit ; plus c'est coloré, plus cette tête y regardait.",
    ),
    "lesson.box_try": ("Take away the last mark", "去掉末尾标点", "Ôter le signe final"),
    "lesson.box_done": (
        "One small mark gone. Did only the end of the translation change?",
        "只少了一个标点。变的只是译文末尾吗？",
        "Un petit signe en moins. La traduction n'a-t-elle changé qu'à la fin ?",
    ),
    "lesson.box_teacher": (
        "5 min. Let the class point at words before anything is shown, and write two guesses on the board. Goal: attention is "
        "something one can look at. Do not say yet what a head is.",
        "5 分钟。展示之前先让全班指词，把两种猜测写在黑板上。目标：注意力是看得见的。先别说什么是“头”。",
        "5 min. Faites montrer des mots avant d'afficher quoi que ce soit, notez deux avis au tableau. But : l'attention se "
        "regarde. Ne dites pas encore ce qu'est une tête.",
    ),
    "lesson.box_sheet": (
        "Draw a line from each word of the translation to the word that you would look at.",
        "从译文的每个词画线到你会看的源词。",
        "Tracez un trait de chaque mot de la traduction vers le mot que vous regarderiez.",
    ),
    # 2
    "lesson.pieces_title": ("What the model reads", "模型读到什么", "Ce que lit le modèle"),
    "lesson.pieces_question": (
        "How does the model read a word that it has never met?",
        "模型怎样读一个从没见过的词？",
        "Comment le modèle lit-il un mot qu'il n'a jamais rencontré ?",
    ),
    "lesson.pieces_options": (
        "It skips the word|Letter by letter|In pieces that it knows",
        "跳过它|逐个字母|用它认识的片段",
        "Il le saute|Lettre par lettre|Par morceaux qu'il connaît",
    ),
    "lesson.pieces_answer": (
        "In pieces. Common words are whole, rare ones fall into parts, down to single letters if need be. Each piece is a "
        "number in a list.",
        "用片段。常用词完整，罕见词拆开，必要时直到单个字母。每个片段是表中的一个编号。",
        "Par morceaux. Les mots courants sont entiers, les rares en parties, jusqu'aux lettres au besoin. Chaque morceau est "
        "un numéro dans une liste.",
    ),
    "lesson.pieces_look": (
        "The pieces of the sentence and their numbers.",
        "句子的片段与编号。",
        "Les morceaux de la phrase et leurs numéros.",
    ),
    "lesson.pieces_try": ("Double the longest word", "把最长的词写两遍", "Doubler le mot le plus long"),
    "lesson.pieces_done": (
        "An invented word. Into which pieces did it fall, and what did the model make of it?",
        "一个生造的词。它拆成了哪些片段？模型译成了什么？",
        "Un mot inventé. En quels morceaux est-il tombé, et qu'en a fait le modèle ?",
    ),
    "lesson.pieces_teacher": (
        "5 min. Ask for a word that no dictionary has and type it. Goal: nothing is unknown, and a token is not a word. Watch "
        "out: the space before a word belongs to its first piece.",
        "5 分钟。请学生造一个词典里没有的词并输入。目标：没有生词；词元不等于词。注意：词前的空格属于第一个片段。",
        "5 min. Demandez un mot qu'aucun dictionnaire n'a, tapez-le. But : rien n'est inconnu, un token n'est pas un mot. "
        "Attention : l'espace avant un mot appartient à son premier morceau.",
    ),
    "lesson.pieces_sheet": (
        "Invent a word. Write how you think it will be cut, then how it was cut.",
        "造一个词。写下你认为的切法，再写实际切法。",
        "Inventez un mot. Écrivez comment il sera coupé selon vous, puis comment il l'a été.",
    ),
    # 3
    "lesson.positions_title": ("Where each word stands", "每个词在哪里", "La place de chaque mot"),
    "lesson.positions_question": (
        "Suppose that the model were not told where each word stands. Would “the dog bites the man” and “the man bites the "
        "dog” differ for it?",
        "若不告诉模型每个词的位置，“狗咬人”和“人咬狗”对它有区别吗？",
        "Supposons qu'on ne dise pas au modèle où est chaque mot. « Le chien mord l'homme » et « l'homme mord le chien » "
        "différeraient-ils ?",
    ),
    "lesson.positions_options": (
        "Yes, it reads from left to right|No, to it a sentence is a bag of words|Only long sentences differ",
        "有，它从左读到右|没有，句子对它只是一袋词|只有长句才不同",
        "Oui, il lit de gauche à droite|Non, la phrase est un sac de mots|Seulement les longues",
    ),
    "lesson.positions_answer": (
        "No. Attention compares words two by two and never asks where they stand. So a vector that says the place is added to "
        "each word.",
        "没有。注意力只两两比较词，从不问在哪里。所以给每个词加上一个说明位置的向量。",
        "Non. L'attention compare les mots deux à deux sans demander leur place. On ajoute donc à chaque mot un vecteur qui dit "
        "sa place.",
    ),
    "lesson.positions_look": (
        "The same words in order and shuffled, put back in order to compare. Left pair: with positions. Right pair: without.",
        "同样的词，原序与打乱后（已排回以便比较）。左两图：有位置；右两图：无位置。",
        "Les mêmes mots dans l'ordre et mélangés, remis en ordre pour comparer. À gauche avec positions, à droite sans.",
    ),
    "lesson.positions_try": ("Shuffle the places", "打乱位置", "Mélanger les places"),
    "lesson.positions_done": (
        "The words are all there, their places are wrong. What did the translation keep?",
        "词都在，位置错了。译文保住了什么？",
        "Tous les mots sont là, leurs places sont fausses. Qu'a gardé la traduction ?",
    ),
    "lesson.positions_teacher": (
        "8 min. Hand out the words on cards and shuffle them. Goal: order must be told. The number under the maps is the point: "
        "without positions the change is 0 to rounding.",
        "8 分钟。把词写在卡片上打乱。目标：顺序必须告诉模型。图下的数字是关键：没有位置，变化在舍入误差内为 0。",
        "8 min. Distribuez les mots sur des cartes et mélangez. But : l'ordre doit être dit. Le nombre sous les cartes est "
        "l'essentiel : sans positions le changement est nul à l'arrondi près.",
    ),
    "lesson.positions_sheet": (
        "Write two sentences with the same words and different meanings.",
        "写出用词相同、意思不同的两句话。",
        "Écrivez deux phrases de mêmes mots et de sens différents.",
    ),
    # 4
    "lesson.head_title": ("One head by hand", "手算一个头", "Une tête à la main"),
    "lesson.head_question": (
        "A head must decide how much each word matters to another. It has two lists of numbers, q and k. What would you do with "
        "them?",
        "一个头要决定每个词对另一个词有多重要。它有两串数 q 和 k。你会怎么算？",
        "Une tête doit décider combien chaque mot compte pour un autre. Elle a deux listes de nombres, q et k. Qu'en feriez-vous ?",
    ),
    "lesson.head_options": (
        "Count equal numbers|Multiply them pair by pair and add up|Compare the largest",
        "数有几个相等|逐对相乘再相加|比较最大的数",
        "Compter les égaux|Multiplier deux à deux et additionner|Comparer les plus grands",
    ),
    "lesson.head_answer": (
        "Multiply pair by pair and add up. If both lists are large in the same places with the same sign, the sum is large: “this "
        "answers that”. Then divide by √d, take the softmax, and mix the values by these shares.",
        "逐对相乘再相加。若两串数在同样的地方同号且都大，和就大：“对上了”。再除以 √d，取 softmax，按份额混合值。",
        "Multiplier et additionner. Si les deux listes sont grandes aux mêmes places et de même signe, la somme est grande : « ceci "
        "répond à cela ». Puis diviser par √d, softmax, et mélanger les valeurs selon ces parts.",
    ),
    "lesson.head_look": (
        "The chosen word's q on top, every k below, the sums at the right. Point at any number.",
        "上面是所选词的 q，下面是每个 k，右边是和。指向任意数字看看。",
        "En haut le q du mot choisi, dessous chaque k, les sommes à droite. Pointez un nombre.",
    ),
    "lesson.head_try": ("Leave out √d", "去掉 √d", "Retirer √d"),
    "lesson.head_done": (
        "Without the division nearly all the weight falls on one word. Why would that be bad for learning?",
        "不除以 √d，权重几乎全落在一个词上。这对学习为什么不好？",
        "Sans la division, presque tout le poids tombe sur un mot. Pourquoi est-ce mauvais pour apprendre ?",
    ),
    "lesson.head_teacher": (
        "12 min. Let two pupils check one sum with a calculator: open the rest of the terms with “more”. Goal: attention is "
        "arithmetic. Watch out: a large number in only one list adds little.",
        "12 分钟。让两名学生用计算器核对一个和：点“其余”展开各项。目标：注意力就是算术。注意：只在一串里大的数贡献很小。",
        "12 min. Deux élèves vérifient une somme à la calculatrice : ouvrez « autres ». But : l'attention est de l'arithmétique. "
        "Attention : un grand nombre dans une seule liste compte peu.",
    ),
    "lesson.head_sheet": (
        "q = (1, −2, 0, 3), k = (2, 1, 5, 1). Compute q·k, divide by √4, and compare with k' = (0, −1, 0, 2).",
        "q = (1, −2, 0, 3)，k = (2, 1, 5, 1)。算 q·k，除以 √4，再与 k' = (0, −1, 0, 2) 比较。",
        "q = (1, −2, 0, 3), k = (2, 1, 5, 1). Calculez q·k, divisez par √4, comparez avec k' = (0, −1, 0, 2).",
    ),
    # 5
    "lesson.heads_title": ("Many heads", "许多头", "Beaucoup de têtes"),
    "lesson.heads_question": (
        "The model has many heads in each layer. Do they all do the same?",
        "模型每层有许多头。它们做的都一样吗？",
        "Le modèle a plusieurs têtes par couche. Font-elles toutes la même chose ?",
    ),
    "lesson.heads_options": (
        "Yes, they vote|No, they specialise|Only the first layer differs",
        "一样，它们投票|不一样，各有专长|只有第一层不同",
        "Oui, elles votent|Non, elles se spécialisent|Seule la première couche diffère",
    ),
    "lesson.heads_answer": (
        "They specialise: some follow the diagonal, some always look at one mark, some spread over everything. Nobody told them "
        "to; training did.",
        "各有专长：有的沿对角线，有的总看某个标点，有的平摊。没人要求，是训练的结果。",
        "Elles se spécialisent : certaines suivent la diagonale, d'autres fixent un signe, d'autres s'étalent. Personne ne le leur a "
        "dit ; l'entraînement l'a fait.",
    ),
    "lesson.heads_look": (
        "Every head of cross-attention: layers down, heads across.",
        "交叉注意力的每个头：向下是层，向右是头。",
        "Toutes les têtes de l'attention croisée : couches vers le bas, têtes en travers.",
    ),
    "lesson.heads_try": ("Switch off a whole layer", "关掉一整层", "Éteindre une couche"),
    "lesson.heads_done": (
        "All cross-attention of the first layer is off. Is the translation ruined, or nearly the same?",
        "第一层的交叉注意力全关了。译文毁了，还是几乎没变？",
        "Toute l'attention croisée de la première couche est éteinte. La traduction est-elle ruinée ou presque pareille ?",
    ),
    "lesson.heads_teacher": (
        "8 min. Give each pair of pupils one head to describe in five words; then sort by diagonal in Explore. Goal: heads differ. "
        "Watch out: a pretty pattern is not yet a use (scene 10).",
        "8 分钟。每两名学生用五个词描述一个头；再到“探索”中按对角线排序。目标：头各不同。注意：图案好看未必有用（见第 10 场）。",
        "8 min. Chaque binôme décrit une tête en cinq mots ; puis triez par diagonale dans Explorer. But : les têtes diffèrent. "
        "Attention : un beau motif n'est pas encore une utilité (scène 10).",
    ),
    "lesson.heads_sheet": (
        "Choose one head and describe it in five words. Which other head is like it?",
        "选一个头，用五个词描述。哪个头与它相像？",
        "Choisissez une tête et décrivez-la en cinq mots. Quelle autre lui ressemble ?",
    ),
    # 6
    "lesson.encoder_title": ("Words take in their context", "词吸收上下文", "Les mots prennent leur contexte"),
    "lesson.encoder_question": (
        "Layer after layer each word's vector is changed by the others. At the end, how much is it still like the word that it "
        "began as?",
        "一层层过去，每个词的向量被别的词改变。到最后，它与最初的词还有多像？",
        "Couche après couche, le vecteur de chaque mot est changé par les autres. À la fin, ressemble-t-il encore au mot de départ ?",
    ),
    "lesson.encoder_options": (
        "Exactly the same|Still related, but changed|Not at all",
        "完全一样|仍有关联，但变了|毫无相似",
        "Exactement le même|Encore lié, mais changé|Plus du tout",
    ),
    "lesson.encoder_answer": (
        "Related, but changed: layers add to the vector and never erase it. What was “bank” becomes “bank, by a river, here the "
        "subject”.",
        "有关联但变了：各层往向量上加，从不擦除。原来的“bank”变成“河边的 bank，这里作主语”。",
        "Lié mais changé : les couches ajoutent et n'effacent pas. « avocat » devient « avocat, le fruit, ici complément ».",
    ),
    "lesson.encoder_look": (
        "How like its first vector each word still is, after each layer: 1 is the same direction, 0 no likeness.",
        "每层之后，各词与其初始向量的相似度：1 为同方向，0 为毫不相像。",
        "Ressemblance de chaque mot à son premier vecteur après chaque couche : 1 même direction, 0 aucune.",
    ),
    "lesson.encoder_try": ("Hide one word from the others", "不让别的词看某个词", "Cacher un mot aux autres"),
    "lesson.encoder_done": (
        "No word may look at the hidden one any more. Which words of the translation changed?",
        "别的词再也看不到它。译文中哪些词变了？",
        "Aucun mot ne peut plus le regarder. Quels mots de la traduction ont changé ?",
    ),
    "lesson.encoder_teacher": (
        "8 min. Compare two sentences in which one word has two meanings. Goal: a vector stands for a word in its sentence. Watch out: "
        "cosine says direction, not size.",
        "8 分钟。比较同一词两义的两个句子。目标：向量代表句中的词。注意：余弦只看方向，不看大小。",
        "8 min. Comparez deux phrases où un mot a deux sens. But : un vecteur représente un mot dans sa phrase. Attention : le cosinus "
        "dit la direction, pas la taille.",
    ),
    "lesson.encoder_sheet": (
        "Which word changed most between the first and the last layer? Why that one?",
        "从第一层到最后一层，哪个词变得最多？为什么是它？",
        "Quel mot a le plus changé entre la première et la dernière couche ? Pourquoi lui ?",
    ),
    # 7
    "lesson.mask_title": ("No peeking ahead", "不许偷看后面", "Ne pas regarder devant"),
    "lesson.mask_question": (
        "While it learns, the decoder has the whole right translation before it. Why is it forbidden to look at the words that come "
        "later?",
        "学习时，正确译文全摆在解码器面前。为什么不许它看后面的词？",
        "Quand il apprend, le décodeur a toute la bonne traduction devant lui. Pourquoi lui interdire de regarder la suite ?",
    ),
    "lesson.mask_options": (
        "To save time|It would only copy|Later words do not matter",
        "为了省时间|它会只顾照抄|后面的词不重要",
        "Pour gagner du temps|Il ne ferait que copier|La suite ne compte pas",
    ),
    "lesson.mask_answer": (
        "It would copy the next word instead of learning to predict it, and be helpless when it writes alone, with nothing to copy.",
        "它会照抄下一个词，而不去学预测；独自写作、无可抄时便束手无策。",
        "Il copierait le mot suivant au lieu d'apprendre à le prédire, et serait perdu seul, sans rien à copier.",
    ),
    "lesson.mask_look": (
        "The decoder looking at its own words. Left: with the mask, nothing to the right of the diagonal. Right: without.",
        "解码器看自己写的词。左：有掩码，对角线右边全空。右：无掩码。",
        "Le décodeur regarde ses propres mots. À gauche avec masque, rien à droite de la diagonale. À droite, sans.",
    ),
    "lesson.mask_try": ("Lift the mask", "取消掩码", "Lever le masque"),
    "lesson.mask_done": (
        "This model never learned to look ahead. Does it help or hurt it?",
        "这个模型从没学过看后面。这对它是帮助还是妨碍？",
        "Ce modèle n'a jamais appris à regarder devant. Est-ce une aide ou une gêne ?",
    ),
    "lesson.mask_teacher": (
        "6 min. Read a sentence aloud and stop; the class says the next word. Then show the rest and ask again: too easy. Goal: the "
        "mask makes the exercise honest.",
        "6 分钟。念一句话中途停下，让全班说下一个词；再亮出全句重问：太容易了。目标：掩码让练习诚实。",
        "6 min. Lisez une phrase et arrêtez-vous ; la classe dit le mot suivant. Montrez la suite et redemandez : trop facile. But : le "
        "masque rend l'exercice honnête.",
    ),
    "lesson.mask_sheet": (
        "Colour the cells that the decoder may see when it writes its third word (5 × 5 table).",
        "在 5 × 5 表格中，涂出解码器写第三个词时可以看的格子。",
        "Coloriez les cases que le décodeur peut voir en écrivant son troisième mot (tableau 5 × 5).",
    ),
    # 8
    "lesson.cross_title": ("Looking back at the source", "回看源句", "Relire la source"),
    "lesson.cross_question": (
        "A row of the map belongs to one step of writing. Is it the word just written, or the word about to be written?",
        "图的一行对应写作的一步。它属于刚写完的词，还是将要写的词？",
        "Une ligne de la carte est une étape d'écriture. Est-ce le mot qu'on vient d'écrire ou celui qu'on va écrire ?",
    ),
    "lesson.cross_options": (
        "The word just written|The word about to be written|Both, it depends how one labels",
        "刚写完的词|将要写的词|两者都是，看怎么标",
        "Celui qu'on vient d'écrire|Celui qu'on va écrire|Les deux, selon l'étiquette",
    ),
    "lesson.cross_answer": (
        "Both. The step is fed the word just written and predicts the next. Off by one is the most common mistake with such maps; here a "
        "switch says which of the two the labels show.",
        "两者都是。这一步读入刚写的词，预测下一个。看这类图最常见的错误就是差一位；这里有开关说明标的是哪个。",
        "Les deux. L'étape reçoit le mot qu'on vient d'écrire et prédit le suivant. Se décaler d'un est l'erreur la plus fréquente ; ici un "
        "bouton dit ce que montrent les étiquettes.",
    ),
    "lesson.cross_look": (
        "Cross-attention of the sharpest head. Much weight on </s> or the full stop is a resting place, not a meaning.",
        "最尖锐的头的交叉注意力。大量权重落在 </s> 或句号上是歇脚处，并无含义。",
        "Attention croisée de la tête la plus nette. Beaucoup de poids sur </s> ou le point : un lieu de repos, pas un sens.",
    ),
    "lesson.cross_try": ("Label the rows the other way", "换一种行标", "Changer les étiquettes"),
    "lesson.cross_done": (
        "The cells are the same; the labels moved by one. Which labelling makes the map look like a dictionary?",
        "格子没变，标签移了一位。哪种标法让图像本词典？",
        "Les cases sont les mêmes, les étiquettes ont glissé d'un rang. Laquelle fait ressembler la carte à un dictionnaire ?",
    ),
    "lesson.cross_teacher": (
        "8 min. Have one pupil read rows, one columns. Goal: know what a row means before drawing conclusions. Watch out: sinks.",
        "8 分钟。一名学生念行，一名念列。目标：下结论前先弄清一行的含义。注意：注意力汇点。",
        "8 min. Un élève lit les lignes, un autre les colonnes. But : savoir ce que veut dire une ligne avant de conclure. Attention : les "
        "puits.",
    ),
    "lesson.cross_sheet": (
        "For two words of the translation write the two source words with the most weight.",
        "为译文的两个词各写出权重最大的两个源词。",
        "Pour deux mots de la traduction, notez les deux mots source de plus grand poids.",
    ),
    # 9
    "lesson.beam_title": ("Choosing words", "选词", "Choisir les mots"),
    "lesson.beam_question": (
        "At each step the model has a probability for every word. Should it always take the most probable?",
        "每一步，模型对每个词都有一个概率。该总选概率最大的吗？",
        "À chaque étape le modèle a une probabilité pour chaque mot. Doit-il toujours prendre le plus probable ?",
    ),
    "lesson.beam_options": (
        "Yes, that gives the most probable sentence|No, a good start can lead to a bad end|It makes no difference",
        "该，这样整句概率最大|不该，开头好未必结局好|没有区别",
        "Oui, la phrase sera la plus probable|Non, un bon début peut mal finir|C'est égal",
    ),
    "lesson.beam_answer": (
        "No: greedy choice can walk into a dead end. Beam search keeps several beginnings alive and compares whole sentences.",
        "不该：贪心可能走进死胡同。束搜索同时保留几个开头，比较整句。",
        "Non : le choix glouton peut mener à une impasse. La recherche en faisceau garde plusieurs débuts et compare des phrases entières.",
    ),
    "lesson.beam_look": (
        "The best candidates where the model was least sure.",
        "模型最没把握那一步的候选词。",
        "Les meilleurs candidats là où le modèle hésitait le plus.",
    ),
    "lesson.beam_try": ("Keep four beginnings alive", "同时保留四个开头", "Garder quatre débuts"),
    "lesson.beam_done": (
        "Beam search with four. The same sentence, or another? Open Decode to see the tree and fork it yourself.",
        "束宽为四。译文一样吗？打开“解码”看树，亲手分叉。",
        "Faisceau de quatre. Même phrase ou autre ? Ouvrez Décoder pour voir l'arbre et bifurquer vous-même.",
    ),
    "lesson.beam_teacher": (
        "8 min. Find the step of greatest doubt together and ask which candidate a person would take. Goal: search is a choice of its own. "
        "Often both give the same sentence: say so.",
        "8 分钟。一起找到最犹豫的一步，问人会选哪个。目标：搜索本身是一种选择。两者常常相同：如实说。",
        "8 min. Cherchez ensemble l'étape la plus hésitante et demandez quel candidat prendrait une personne. But : la recherche est un choix. "
        "Souvent les deux donnent la même phrase : dites-le.",
    ),
    "lesson.beam_sheet": (
        "Multiply: path A 0.6 × 0.3, path B 0.4 × 0.7. Which does greedy take, which is better?",
        "算一算：路径 A 0.6 × 0.3，路径 B 0.4 × 0.7。贪心选哪条？哪条更好？",
        "Multipliez : chemin A 0,6 × 0,3, chemin B 0,4 × 0,7. Lequel prend le glouton, lequel est meilleur ?",
    ),
    # 10
    "lesson.explain_title": ("Is it an explanation?", "这算解释吗？", "Est-ce une explication ?"),
    "lesson.explain_question": (
        "You have seen a head that looks exactly right. If it is switched off, what happens to the translation?",
        "你看到了一个看得“恰到好处”的头。把它关掉，译文会怎样？",
        "Vous avez vu une tête qui regarde juste où il faut. Si on l'éteint, que devient la traduction ?",
    ),
    "lesson.explain_options": (
        "It falls apart|One word changes|Often nothing changes",
        "一塌糊涂|变一个词|常常什么也不变",
        "Elle s'effondre|Un mot change|Souvent rien ne change",
    ),
    "lesson.explain_answer": (
        "Try it: often nothing changes, for other heads can do its work. A map shows where a head looks, not whether the answer hangs on it. "
        "Removing is the test.",
        "试一试：常常什么也不变，因为别的头能顶上。图只显示头看哪里，不显示答案是否取决于它。拿掉才是检验。",
        "Essayez : souvent rien ne change, d'autres têtes font son travail. Une carte montre où regarde une tête, non si la réponse en dépend. "
        "L'enlever est l'épreuve.",
    ),
    "lesson.explain_look": (
        "The sharpest head. This is the one that the button switches off.",
        "最尖锐的头。按钮关掉的就是它。",
        "La tête la plus nette. C'est elle que le bouton éteint.",
    ),
    "lesson.explain_try": ("Switch this head off", "关掉这个头", "Éteindre cette tête"),
    "lesson.explain_done": (
        "Compare the two translations and the two numbers. What would you now say about this head?",
        "比较两个译文和两个数字。现在你怎么评价这个头？",
        "Comparez les deux traductions et les deux nombres. Que diriez-vous maintenant de cette tête ?",
    ),
    "lesson.explain_teacher": (
        "10 min, the most important scene. Vote before the button. Goal: seeing is not explaining. Then let the class hunt for a head whose "
        "loss does change a word (Decode, “which heads”).",
        "10 分钟，最重要的一场。按下之前先表决。目标：看见不等于解释。然后让全班去找关掉后会改词的头（“解码”里的“哪些头”）。",
        "10 min, la scène la plus importante. Votez avant le bouton. But : voir n'est pas expliquer. Puis la classe cherche une tête dont la "
        "perte change un mot (Décoder, « quelles têtes »).",
    ),
    "lesson.explain_sheet": (
        "Write one thing that an attention map can tell you, and one that it cannot.",
        "写一件注意力图能告诉你的事，和一件不能的。",
        "Écrivez une chose qu'une carte d'attention peut dire, et une qu'elle ne peut pas.",
    ),
    # 11
    "lesson.train_title": ("Watch heads form", "看头成形", "Voir naître les têtes"),
    "lesson.train_question": (
        "Before training, all weights are random. What will the attention maps look like then?",
        "训练之前，权重全是随机的。那时注意力图是什么样？",
        "Avant l'entraînement, tous les poids sont au hasard. À quoi ressemblent alors les cartes ?",
    ),
    "lesson.train_options": (
        "Already diagonal|Spread almost evenly|All on the first word",
        "已经是对角线|几乎平摊|全在第一个词",
        "Déjà diagonales|Presque uniformes|Tout sur le premier mot",
    ),
    "lesson.train_answer": (
        "Almost even: with small random numbers all scores are near 0 and the softmax gives everyone the same share. Patterns come from "
        "examples.",
        "几乎平摊：小随机数使分数都近于 0，softmax 给人人同样的份额。图案来自例子。",
        "Presque uniformes : de petits nombres au hasard donnent des scores proches de 0 et le softmax des parts égales. Les motifs viennent des "
        "exemples.",
    ),
    "lesson.train_look": (
        "Left: a head of the trained model. Right: the same head with fresh random weights.",
        "左：训练好的模型的一个头。右：同一个头，用全新的随机权重。",
        "À gauche une tête du modèle entraîné. À droite la même avec des poids neufs, au hasard.",
    ),
    "lesson.train_try": ("Train for thirty seconds", "训练三十秒", "Entraîner trente secondes"),
    "lesson.train_done": (
        "On the next page choose a set of sentences and start; the heads are drawn as they change.",
        "到下一页选一组句子并开始；头会边变边画。",
        "À la page suivante, choisissez des phrases et lancez ; les têtes se dessinent en changeant.",
    ),
    "lesson.train_teacher": (
        "10 min. Start the run, then talk while it trains. Goal: nobody writes the patterns in. Watch out: on a slow machine thirty seconds are "
        "a handful of steps; say what to expect.",
        "10 分钟。先启动，边训练边讲。目标：图案不是谁写进去的。注意：慢机器三十秒只有几步，先说明预期。",
        "10 min. Lancez, puis parlez pendant l'entraînement. But : personne n'écrit les motifs. Attention : sur une machine lente, trente secondes "
        "font peu de pas ; prévenez.",
    ),
    "lesson.train_sheet": (
        "Sketch the map before training, after a little, and after much training.",
        "画出训练前、训练一会儿、训练很久后的图。",
        "Dessinez la carte avant, après un peu, et après beaucoup d'entraînement.",
    ),
    # 12
    "lesson.share_title": ("Take it with you", "带走它", "Emporter le tout"),
    "lesson.share_question": (
        "Somebody shows you an attention map and says: “This head found the noun, so the translation needs it.” How "
        "do you check that?",
        "有人拿来一张注意力图说：“这个头找到了名词，所以译文离不开它。”你怎样检验？",
        "Quelqu'un vous montre une carte d'attention et dit : « Cette tête a trouvé le nom, donc la traduction a "
        "besoin d'elle. » Comment le vérifier ?",
    ),
    "lesson.share_options": (
        "See how dark the cell is|Switch the head off and translate again|Look at the same head in a larger picture",
        "看格子颜色有多深|关掉这个头，再翻译一次|把同一个头的图放大看",
        "Regarder si la case est foncée|Désactiver la tête et traduire de nouveau|Regarder la même tête en plus grand",
    ),
    "lesson.share_answer": (
        "All three. One head of many was chosen, a row can be misread by one, and only removing it shows whether it matters. Now you can do all "
        "three yourself.",
        "三个都要问。那是从许多头里挑的一个；一行可能错读一位；只有关掉才知道是否要紧。现在你都会了。",
        "Les trois. On a choisi une tête parmi beaucoup, une ligne se lit de travers d'un rang, et seule sa suppression montre si elle compte. "
        "Vous savez maintenant faire les trois.",
    ),
    "lesson.share_look": (
        "The link in the address bar holds this sentence, this head and every change. Explore exports pictures, tables and a page that opens "
        "offline.",
        "地址栏的链接包含此句、此头和所有改动。“探索”可导出图片、表格和可离线打开的网页。",
        "Le lien de la barre d'adresse contient la phrase, la tête et chaque changement. Explorer exporte images, tableaux et une page lisible "
        "hors ligne.",
    ),
    "lesson.share_try": ("Undo every change", "撤销所有改动", "Annuler tous les changements"),
    "lesson.share_done": (
        "Everything is as it was. Try the twelve scenes again with a sentence of your own.",
        "一切复原。用你自己的句子把十二场再走一遍。",
        "Tout est comme avant. Refaites les douze scènes avec votre propre phrase.",
    ),
    "lesson.share_teacher": (
        "5 min. Each pupil sends one link with one finding. Goal: a claim comes with a way to check it.",
        "5 分钟。每个学生发一个链接和一条发现。目标：凡有主张，必附检验之法。",
        "5 min. Chaque élève envoie un lien avec une découverte. But : une affirmation vient avec le moyen de la vérifier.",
    ),
    "lesson.share_sheet": (
        "My finding, the link, and how others can check it.",
        "我的发现、链接，以及别人如何检验。",
        "Ma découverte, le lien, et comment la vérifier.",
    ),
}
