"""Words of the lesson: its scenes, each with a question, a guess, an answer, a view and one change."""

STRINGS: dict[str, tuple[str, ...]] = {
    "lesson.scene": ("Scene", "场景", "Scène"),
    "lesson.of": (
        "Scene {n} of {total} · {minutes} min",
        "第 {n}/{total} 场 · {minutes} 分钟",
        "Scène {n} sur {total} · {minutes} min",
    ),
    "lesson.guess": ("Your guess", "你的猜测", "Votre hypothèse"),
    "lesson.first_guess": (
        "Guess first. The experiment opens after your guess.",
        "先猜一猜，然后才能做实验。",
        "Donnez d'abord votre hypothèse. L'expérience s'ouvre ensuite.",
    ),
    "lesson.first_vote": (
        "Vote first. The experiment opens after the vote.",
        "先投票，投票之后才能做实验。",
        "Votez d'abord. L'expérience s'ouvre après le vote.",
    ),
    "lesson.carried": (
        "The change of the lesson's scene {n}, “{title}”, is still active.",
        "课程第 {n} 场“{title}”的改动仍在生效。",
        "La modification de la scène {n} de la leçon, « {title} », est encore active.",
    ),
    "lesson.act_before": ("before", "改动前", "avant"),
    "lesson.act_after": ("after", "改动后", "après"),
    "lesson.act_masked": ("with the mask", "有掩码", "avec le masque"),
    "lesson.undo": ("Undo the change", "撤销改动", "Annuler le changement"),
    "lesson.before": ("Before: {text}", "之前：{text}", "Avant : {text}"),
    "lesson.after": ("After: {text}", "之后：{text}", "Après : {text}"),
    "lesson.open": ("Open on its own page", "在单独页面打开", "Ouvrir sur sa page"),
    "lesson.previous": ("Back", "上一场", "Précédent"),
    "lesson.next": ("Next", "下一场", "Suivant"),
    "lesson.teacher": ("For the teacher", "教师用", "Pour l'enseignant"),
    "lesson.teacher_files": (
        "Files for you, so that nothing of this stands on the projector: open the notes on your own screen.",
        "这些是给你的文件，不会出现在投影上：请在自己的屏幕上打开讲义。",
        "Des fichiers pour vous : rien de cela n'apparaît au projecteur. Ouvrez les notes sur votre propre écran.",
    ),
    "lesson.notes": ("Notes and answers for this scene", "本场讲义与答案", "Notes et réponses de cette scène"),
    "lesson.large": ("Large type", "大字", "Grands caractères"),
    "lesson.outline": ("Teacher's outline", "教师提纲", "Plan de l'enseignant"),
    "lesson.worksheet": ("Worksheet to print", "练习单（可打印）", "Feuille à imprimer"),
    "lesson.worksheet_all": ("Worksheets for all scenes", "全部练习单", "Feuilles de toutes les scènes"),
    "lesson.minutes": ("{n} min", "{n} 分钟", "{n} min"),
    "lesson.sheet_heading": ("Looking into a Transformer", "走进 Transformer", "Au cœur d'un Transformer"),
    "lesson.sheet_name": ("Name", "姓名", "Nom"),
    "lesson.sheet_sentence": ("Our sentence", "我们的句子", "Notre phrase"),
    "lesson.sheet_translation": ("The model's translation", "模型的译文", "La traduction du modèle"),
    "lesson.sheet_intervened": (
        "Its translation with these changes: {changes}",
        "做了以下改动后的译文：{changes}",
        "Sa traduction avec ces changements : {changes}",
    ),
    "lesson.sheet_guess": ("My guess: … because …", "我的猜测：……，因为……", "Mon hypothèse : …, car …"),
    "lesson.sheet_saw": ("What I saw", "我看到的", "Ce que j'ai vu"),
    "lesson.sheet_changed": ("What the change did", "改动带来的变化", "L'effet du changement"),
    "lesson.sharpest": (
        "The most focused head of cross-attention: layer {layer}, head {head}. Its focus, the mean of each row's "
        "largest weight, is {share:.0%}.",
        "交叉注意力中集中度最高的头：第 {layer} 层第 {head} 头。集中度是每行最大权重的平均，这里为 {share:.0%}。",
        "La tête la plus concentrée de l'attention croisée : couche {layer}, tête {head}. Sa concentration, la "
        "moyenne du plus grand poids de chaque ligne, vaut {share:.0%}.",
    ),
    "lesson.sure": (
        "How sure the model is of a token, on average: {before} → {after}.",
        "模型对一个词元的平均把握：{before} → {after}。",
        "À quel point le modèle est sûr d'un token, en moyenne : {before} → {after}.",
    ),
    "lesson.sure_whole": (
        "Probability of the whole translation: {before} → {after}.",
        "整句译文的概率：{before} → {after}。",
        "Probabilité de la traduction entière : {before} → {after}.",
    ),
    "lesson.need_own": (
        "This scene needs a model that loads as Regard's own Transformer. The model in use runs in its original code.",
        "本场需要能作为 Regard 自带的 Transformer 载入的模型。当前模型用它原来的代码运行。",
        "Cette scène demande un modèle chargé comme Transformer de Regard. Le modèle utilisé tourne dans son code "
        "d'origine.",
    ),
    # box
    "lesson.box_title": ("A black box translates", "会翻译的黑箱", "Une boîte noire traduit"),
    "lesson.box_question": (
        "The model wrote the translation below your sentence. Which words of the sentence did it use while writing "
        "the last word?",
        "模型写出了句子下面的译文。写最后一个词时，它用到了句子里的哪些词？",
        "Le modèle a écrit la traduction sous votre phrase. Quels mots de la phrase a-t-il utilisés pour écrire le "
        "dernier mot ?",
    ),
    "lesson.box_options": (
        "All, with different weights|Only the last one of the sentence|Only the one with the same meaning",
        "所有的词，权重各不相同|只用句子的最后一个词|只用意思相同的那个词",
        "Tous, avec des poids différents|Seulement le dernier de la phrase|Seulement celui de même sens",
    ),
    "lesson.box_answer": (
        "The model has two halves: the encoder reads the sentence (the source), and the decoder writes the "
        "translation token by token; a token is a word or part of a word. For each token, attention gives every "
        "word of the sentence a weight, and the mark at the end too: so it can change more than the end of the "
        "translation. The model looks in many ways at once, called heads, each with weights of its own. The map "
        "shows the mean of all heads; a single head often looks at one word only.",
        "模型分两半：编码器读要翻译的句子（源句），解码器一个词元一个词元地写译文；词元是词或词的一部分。每写一个词元，注意力就给源句的每个词一个权重，句末的标点也有：所以它能改变的不只是译文的结尾。模型同时用许多种方式看源句，每一种叫作一个头，有自己的权重。图上是所有头的平均；单独一个头往往只看一个词。",
        "Le modèle a deux moitiés : l'encodeur lit la phrase (la source), le décodeur écrit la traduction token "
        "par token ; un token est un mot ou un morceau de mot. Pour chaque token, l'attention donne un poids à "
        "chaque mot de la phrase, et aussi à la ponctuation finale : elle peut donc changer plus que la fin de la "
        "traduction. Le modèle regarde de plusieurs façons à la fois : ce sont les têtes, chacune avec ses poids. La "
        "carte montre leur moyenne ; une seule tête ne regarde souvent qu'un mot.",
    ),
    "lesson.average": (
        "In the frame: the row of “{row}”. Its largest weight is {most:.0%}, on “{word}”; its smallest is {least:.0%}.",
        "框内是“{row}”那一行：最大的权重 {most:.0%}，在“{word}”上；最小的 {least:.0%}。",
        "Encadrée : la ligne de « {row} ». Son plus grand poids, {most:.0%}, est sur « {word} » ; le plus petit vaut {least:.0%}.",
    ),
    "lesson.box_look": (
        "Each row belongs to one word of the translation. The stronger the colour of a cell, the more the model "
        "looked at the word of its column while it wrote the word of its row.",
        "每一行对应译文的一个词。格子颜色越深，模型写这个词时，看该列的词就越多。",
        "Chaque ligne correspond à un mot de la traduction. Plus une case est colorée, plus le modèle a regardé "
        "le mot de sa colonne en écrivant celui de sa ligne.",
    ),
    "lesson.box_map": (
        "The whole model. The path that predicts the last word is highlighted. Click a part to open it. The page "
        "Overview shows the same map for any token.",
        "整个模型。突出显示的是预测最后一个词的路径。单击一个部分可打开它。“总览”页可以对任何词元显示这张图。",
        "Le modèle entier. Le chemin qui prédit le dernier mot est mis en évidence. Cliquez sur une partie pour "
        "l'ouvrir. La page Aperçu montre la même carte pour n'importe quel token.",
    ),
    "lesson.box_try": ("Remove the final punctuation", "去掉末尾标点", "Retirer la ponctuation finale"),
    "lesson.box_done": (
        "Only the final punctuation is gone. Compare the two translations: did only their ends change?",
        "只去掉了末尾标点。比较两个译文：变的只是末尾吗？",
        "Seule la ponctuation finale a disparu. Comparez les deux traductions : n'ont-elles changé qu'à la fin ?",
    ),
    "lesson.box_try_add": ("Add a question mark", "在末尾加问号", "Ajouter un point d'interrogation"),
    "lesson.box_done_add": (
        "Only a question mark was added. Compare the two translations: did only their ends change?",
        "只加了一个问号。比较两个译文：变的只是末尾吗？",
        "Seul un point d'interrogation a été ajouté. Comparez les deux traductions : n'ont-elles changé qu'à la fin ?",
    ),
    "lesson.box_teacher": (
        "Let students point at words before anything is shown, and write two guesses on the board. Aim: students "
        "see that attention can be made visible. The page Overview shows the whole model on one screen; return "
        "to it at the end.",
        "展示之前先让学生指出词，把两种猜测写在黑板上。目标：注意力是可以看见的。“总览”页把整个模型放在一屏上，课程结束时可以再回来看。",
        "Avant d'afficher quoi que ce soit, faites montrer des mots et notez deux hypothèses au tableau. But : "
        "voir que l'attention peut être rendue visible. La page Aperçu montre tout le modèle sur un écran ; "
        "revenez-y à la fin.",
    ),
    "lesson.box_sheet": (
        "Draw a line from each word of the translation to the word of the sentence that you would look at.",
        "从译文的每个词画一条线，连到你认为该看的源词。",
        "Tracez un trait de chaque mot de la traduction vers le mot de la phrase que vous regarderiez.",
    ),
    # pieces
    "lesson.pieces_title": ("What the model reads", "模型读到什么", "Ce que lit le modèle"),
    "lesson.pieces_question": (
        "How does the model read a word that was not in its training texts?",
        "训练文本里没有的词，模型怎样读？",
        "Comment le modèle lit-il un mot absent de ses textes d'entraînement ?",
    ),
    "lesson.pieces_options": (
        "It skips the word and reads on|In smaller parts that it knows|Letter by letter, as we spell",
        "跳过它，接着往下读|拆成几个认识的部分|一个字母一个字母地读",
        "Il le saute et lit la suite|Par morceaux qu'il connaît|Lettre par lettre, en épelant",
    ),
    "lesson.pieces_answer": (
        "A frequent word is usually one token; a rare word is split into several. The token </s> marks the end. Each "
        "token has a number in the vocabulary: the model reads these numbers, not letters. Each number stands for a "
        "vector, a list of learned numbers, called the token's embedding; all that follows is computed from it.",
        "常用词通常是一个词元，罕见词拆成几个，词元 </s> 表示结尾。每个词元在词表里有一个编号：模型读的是这些编号，不是字母。每个编号对应一个向量，也就是一串学得的数，叫作这个词元的词嵌入；后面的一切都由它算出。",
        "Un mot fréquent est le plus souvent un seul token ; un mot rare est divisé. Le token </s> marque la "
        "fin. Chaque token a un numéro dans le vocabulaire : le modèle lit ces numéros, pas des lettres. À "
        "chaque numéro correspond un vecteur, une liste de nombres appris, le plongement du token ; toute la "
        "suite se calcule à partir de lui.",
    ),
    "lesson.pieces_look": (
        "The tokens of the sentence and their numbers in the vocabulary.",
        "句子的词元及其在词表中的编号。",
        "Les tokens de la phrase et leurs numéros dans le vocabulaire.",
    ),
    "lesson.pieces_try": ("Double the longest word", "把最长的词写两遍", "Doubler le mot le plus long"),
    "lesson.pieces_done": (
        "This word does not exist. Into which tokens was it split, and how did the model translate it?",
        "这个词并不存在。它被拆成了哪些词元？模型怎样翻译它？",
        "Ce mot n'existe pas. En quels tokens a-t-il été divisé, et comment le modèle l'a-t-il traduit ?",
    ),
    "lesson.pieces_teacher": (
        "Ask for a word that no dictionary contains and type it. Aim: a token is not a word. Note that the space "
        "before a word belongs to its first token.",
        "请学生说一个词典里没有的词，输入它。目标：词元不等于词。注意：词前的空格属于它的第一个词元。",
        "Demandez un mot qu'aucun dictionnaire ne contient et tapez-le. But : un token n'est pas un mot. Notez que "
        "l'espace devant un mot appartient à son premier token.",
    ),
    "lesson.pieces_sheet": (
        "Invent a word. Write how you think it will be split into tokens, then how it was split.",
        "造一个词。写下你认为它会怎样拆成词元，再写实际的拆法。",
        "Inventez un mot. Écrivez comment il sera divisé en tokens selon vous, puis comment il l'a été.",
    ),
    # positions
    "lesson.positions_title": ("Where each word stands", "每个词在哪里", "La place de chaque mot"),
    "lesson.positions_question": (
        "Suppose the model is not told where each word stands. Can it still translate “the man sees the dog” and "
        "“the dog sees the man” differently?",
        "假设不告诉模型每个词的位置，它还能把“这个人看见狗”和“狗看见这个人”译得不同吗？",
        "Supposons qu'on ne dise pas au modèle où se trouve chaque mot. Peut-il encore traduire différemment « "
        "l'homme voit le chien » et « le chien voit l'homme » ?",
    ),
    "lesson.positions_options": (
        "Yes, it reads from left to right|Yes, grammar tells who sees whom|No, to it words have no order",
        "能，它从左到右一个个读|能，语法会说明谁看见谁|不能，词对它没有顺序",
        "Oui, il lit de gauche à droite|Oui, la grammaire dit qui voit qui|Non, l'ordre lui reste inconnu",
    ),
    "lesson.positions_answer": (
        "Attention compares words two by two and does not ask where they stand. So a model has to be given the "
        "positions: most models add to each word a vector that encodes its position; some, such as T5, change "
        "each comparison by a number that depends on the distance. When the positions are set to zero, both "
        "sentences give the encoder the same set of vectors, and the translations become identical.",
        "注意力只两两比较词，不问它们在哪里。所以必须把位置告诉模型：多数模型给每个词加上一个表示位置的向量，有的（如 T5）在每次比较里加上一个取决于距离的数。把位置置零，两个句子给编码器的是同一组向量，译文就完全相同。",
        "L'attention compare les mots deux à deux sans demander où ils se trouvent. Il faut donc donner les "
        "positions au modèle : la plupart ajoutent à chaque mot un vecteur qui code sa position ; certains, "
        "comme T5, ajoutent à chaque comparaison un nombre qui dépend de la distance. Quand les positions sont "
        "mises à zéro, les deux phrases donnent à l'encodeur le même ensemble de vecteurs, et les traductions "
        "deviennent identiques.",
    ),
    "lesson.positions_look": (
        "Two sentences of the same words. Compare their translations, then what one head looks at.",
        "两个用词相同的句子。先比较译文，再看一个头看哪里。",
        "Deux phrases faites des mêmes mots. Comparez leurs traductions, puis ce que regarde une tête.",
    ),
    "lesson.positions_try": ("Set all positions to zero", "把所有位置置零", "Mettre les positions à zéro"),
    "lesson.positions_done": (
        "The words are the same, but the model no longer gets their positions. Compare the two translations.",
        "词没有变，但模型不再得到它们的位置。比较这时的两个译文。",
        "Les mots sont les mêmes, mais le modèle ne reçoit plus leurs positions. Comparez les deux traductions.",
    ),
    "lesson.no_twin": (
        "Here the words cannot be put in a second order. Type a sentence of three or more different words, or use the "
        "sentence of this scene.",
        "这个句子排不出第二种词序。请输入三个以上不同的词（用空格隔开），或使用本场的例句。",
        "Ici, les mots ne permettent pas de second ordre. Écrivez une phrase d'au moins trois mots différents, ou "
        "prenez la phrase de cette scène.",
    ),
    "lesson.positions_teacher": (
        "Hand out the words on cards and shuffle them. Aim: order is information that has to be given to the model. "
        "A comparison: in a library without shelf numbers, two arrangements of the same books look alike.",
        "把词写在卡片上分给学生，打乱顺序。目标：顺序是必须告诉模型的信息。打个比方：图书馆的书没有索书号，同一批书的两种摆法就看不出区别。",
        "Distribuez les mots sur des cartes et mélangez-les. But : l'ordre est une information qu'il faut donner au "
        "modèle. Une comparaison : dans une bibliothèque sans cotes, on ne distingue pas deux rangements des mêmes "
        "livres.",
    ),
    "lesson.positions_sheet": (
        "Write the model's translations into the table. Then write two other sentences with the same words and different meanings.",
        "把模型的译文填进表里。再另写两句用词相同、意思不同的话。",
        "Notez les traductions du modèle dans le tableau. Écrivez ensuite deux autres phrases avec les mêmes mots et des sens différents.",
    ),
    # head
    "lesson.head_title": ("One head by hand", "手算一个头", "Une tête à la main"),
    "lesson.head_question": (
        "From each word's vector a head computes two lists of numbers: a query q (what the word looks for) and a "
        "key k (how it can be found). How can it compare a q with a k?",
        "一个头由每个词的向量算出两串数：查询 q（这个词要找什么）和键 k（它怎样被找到）。怎样比较一个 q 和一个 k？",
        "À partir du vecteur de chaque mot, une tête calcule deux listes de nombres : une requête q (ce que le "
        "mot cherche) et une clé k (comment on le trouve). Comment comparer un q et un k ?",
    ),
    "lesson.head_options": (
        "Multiply them pair by pair, then add up|Count in how many places they are equal|Compare only their two "
        "largest numbers",
        "逐对相乘，再把积相加|数一数有几个位置相等|只比较各自最大的那个数",
        "Les multiplier deux à deux, puis additionner|Compter les places où ils ont le même nombre|Comparer "
        "leurs deux plus grands nombres",
    ),
    "lesson.head_answer": (
        "A word's vector gives q, k and v in the same way: each of their numbers is a sum of the vector's "
        "numbers, each times a learned factor. The factors form three matrices, one for q, one for k and one for "
        "v. Think of a library: q is what you ask for, k is the label on a book, v is what the book says. Where "
        "q and k are both large and have the same sign, the product is large, so the sum says how well the label "
        "fits the request. It is divided by √d_k (d_k is how many numbers q has). The softmax turns the results "
        "into positive shares that add up to 1: 2, 1 and 0 become 0.67, 0.24 and 0.09 (e², e and 1, each divided "
        "by their sum). These shares are the weights. The head's result is the sum of the contents v, each times "
        "its weight. Without the division one share can come close to 1, and training can then hardly change it.",
        "q、k、v 都这样由词的向量算出：向量里的每个数乘以一个学得的系数，再相加，就得到它们的一个数。这些系数排成三个矩阵，q、k、v 各一个。想象图书馆：q 是你要找的，k 是书上的标签，v 是书的内容。q 和 k 同号且都大的地方，乘积就大，所以乘积之和说明标签与请求有多匹配。这个和除以 √d_k（d_k 是 q 里有几个数），再由 softmax 变成总和为 1 的正份额：2、1、0 变成 0.67、0.24、0.09（e²、e、1 各除以三者之和）。这些份额就是权重。头的结果是各个内容 v 乘以自己的权重再相加。如果不除，就可能有一个份额接近 1，训练就很难再改变它。",
        "Le vecteur d'un mot donne q, k et v de la même façon : chacun de leurs nombres est une somme des "
        "nombres du vecteur, chacun multiplié par un facteur appris. Ces facteurs forment trois matrices, une "
        "pour q, une pour k, une pour v. Pensez à une bibliothèque : q est ce que vous demandez, k l'étiquette "
        "d'un livre, v son contenu. Là où q et k sont tous deux grands et de même signe, leur produit est grand "
        ": la somme dit donc si l'étiquette convient à la demande. On la divise par √d_k (d_k est le nombre "
        "d'éléments de q). Le softmax transforme les résultats en parts positives de somme 1 : 2, 1 et 0 "
        "deviennent 0,67, 0,24 et 0,09 (e², e et 1, divisés par leur somme). Ces parts sont les poids. Le "
        "résultat de la tête est la somme des contenus v, chacun multiplié par son poids. Sans la division, une "
        "part peut s'approcher de 1, et l'entraînement ne peut alors presque plus la changer.",
    ),
    "lesson.head_look": (
        "Above: the weights of one word. Below: its query q, the key k of every source word, and their dot products "
        "q·k. The weights above are computed from these sums.",
        "上：一个词的权重。下：它的查询 q、每个源词的键 k 以及点积 q·k。上面的权重由这些点积算出。",
        "En haut : les poids d'un mot. En dessous : sa requête q, la clé k de chaque mot source et leurs "
        "produits scalaires q·k, à partir desquels ces poids sont calculés.",
    ),
    "lesson.head_try": ("Leave out the division by √d_k", "不除以 √d_k", "Ne pas diviser par √d_k"),
    "lesson.head_done": (
        "Compare the bars: which word gets more weight without the division, and how much is left for the others?",
        "比较柱条：不除时哪个词的权重变大了？其他词还剩多少？",
        "Comparez les barres : quel mot gagne du poids sans la division, et que reste-t-il aux autres ?",
    ),
    "lesson.head_teacher": (
        "Let two students check one sum with a calculator. Aim: attention is arithmetic. Introduce the comparison "
        "with a library here and use it from now on: request, label, book.",
        "让两名学生用计算器核对一个和。目标：注意力就是算术。在这里引入图书馆的比喻，之后一直用：请求、标签、书。",
        "Deux élèves vérifient une somme à la calculatrice. But : l'attention est de l'arithmétique. Introduisez ici "
        "la comparaison avec une bibliothèque et gardez-la : demande, étiquette, livre.",
    ),
    "lesson.head_sheet": (
        "q = (1, −2, 0, 3), k = (2, 1, 5, 1), k' = (0, −1, 0, 2). Compute q·k and q·k', divide both by √4. Which key "
        "gets more weight?",
        "q = (1, −2, 0, 3)，k = (2, 1, 5, 1)，k' = (0, −1, 0, 2)。算 q·k 和 q·k'，都除以 √4。哪个键的权重更大？",
        "q = (1, −2, 0, 3), k = (2, 1, 5, 1), k' = (0, −1, 0, 2). Calculez q·k et q·k', divisez par √4. Quelle clé "
        "reçoit le plus de poids ?",
    ),
    # heads
    "lesson.heads_title": ("Many heads", "多个头", "Beaucoup de têtes"),
    "lesson.heads_question": (
        "The decoder is a stack of layers. In each layer several heads look at the source (cross-attention), "
        "each with its own q, k and v. Do they all look at the same words?",
        "解码器由一层一层叠成，每层都有好几个头看源句（交叉注意力），每个头有自己的 q、k、v。它们看的都是同样的词吗？",
        "Le décodeur est une pile de couches. Dans chacune, plusieurs têtes regardent la source (attention "
        "croisée), chacune avec ses propres q, k et v. Regardent-elles toutes les mêmes mots ?",
    ),
    "lesson.heads_options": (
        "Yes, and then they all take a vote|Yes, those of the same layer do|No, they look at different words",
        "是，看完以后一起投票|是，同一层的头都一样|不是，各头看的不一样",
        "Oui, et elles votent ensuite|Oui, au sein d'une même couche|Non, chacune en voit d'autres",
    ),
    "lesson.heads_answer": (
        "In a trained model some heads follow the order of the words, some put much of their weight on the final "
        "punctuation or on </s>, some spread it over several words. Nobody programmed this. One layer "
        "without its cross-attention often changes only some words, because the other layers read the source too.",
        "在训练好的模型里，有的头按词序逐个看过去，有的把不少权重放在句末标点或 </s> 上，有的分散到好几个词上。这些都不是人为规定的。关掉一层的交叉注意力，往往只改变个别词，因为其他层也在读源句。",
        "Dans un modèle entraîné, certaines têtes suivent l'ordre des mots, d'autres mettent une bonne part de leur "
        "poids sur la ponctuation finale ou sur </s>, d'autres le répartissent sur plusieurs mots. Personne ne l'a "
        "programmé. Sans l'attention croisée d'une couche, souvent seuls quelques mots changent, car les autres "
        "couches lisent aussi la source.",
    ),
    "lesson.heads_look": (
        "Every head of cross-attention: layers from top to bottom, heads from left to right. In each map the "
        "largest weight has the strongest colour, so compare patterns, not colours.",
        "交叉注意力的所有头：从上到下是层，从左到右是头。每张图里最大的权重颜色最深，所以要比图案，不要比颜色。",
        "Toutes les têtes d'attention croisée : les couches de haut en bas, les têtes de gauche à droite. Dans "
        "chaque carte, le plus grand poids a la couleur la plus forte : comparez les motifs, pas les couleurs.",
    ),
    "lesson.heads_try": ("Switch off one layer", "关掉一层", "Désactiver une couche"),
    "lesson.heads_done": (
        "The cross-attention of layer {layer} is off. Which words of the translation changed, and which stayed?",
        "第 {layer} 层的交叉注意力已关闭。译文中哪些词变了，哪些没变？",
        "L'attention croisée de la couche {layer} est désactivée. Quels mots de la traduction ont changé, lesquels "
        "sont restés ?",
    ),
    "lesson.heads_teacher": (
        "Give each pair of students one head to describe in five words, then sort the heads by “diagonal” on the page "
        "Explore. Aim: heads differ.",
        "每两名学生用五个词描述一个头，再到“探索”页按“对角性”排序。目标：头各不相同。",
        "Chaque binôme décrit une tête en cinq mots, puis triez les têtes par « diagonale » sur la page Explorer. "
        "But : les têtes diffèrent.",
    ),
    "lesson.heads_sheet": (
        "Choose one head and describe it in five words. Which other head resembles it?",
        "选一个头，用五个词描述它。哪个头与它相像？",
        "Choisissez une tête et décrivez-la en cinq mots. Quelle autre lui ressemble ?",
    ),
    # layer
    "lesson.layer_title": ("One whole layer", "完整的一层", "Une couche entière"),
    "lesson.layer_question": (
        "Attention gives each word a result: a vector as long as the word's own. What does the layer do with these "
        "two vectors?",
        "注意力为每个词给出一个结果：一个和这个词自己的向量一样长的向量。这一层怎样处理这两个向量？",
        "L'attention donne à chaque mot un résultat : un vecteur aussi long que celui du mot. Que fait la couche de "
        "ces deux vecteurs ?",
    ),
    "lesson.layer_options": (
        "The result is added to the vector|The result replaces the vector|The result is put behind it",
        "结果加到向量上|用结果取代旧向量|把结果接在向量后",
        "Le résultat s'ajoute au vecteur|Le résultat remplace le vecteur|Le résultat se met à la suite",
    ),
    "lesson.layer_reply": (
        "Yes, number by number.|Then the layers above would no longer have what the vector held before.|Then the "
        "vector would have more numbers after each layer. It always has as many as before.",
        "对，逐个数相加。|那样，后面的层就得不到向量里原有的内容了。|那样每过一层，向量里的数就会变多。其实它的长度始终不变。",
        "Oui, nombre par nombre.|Les couches suivantes n'auraient alors plus ce que le vecteur contenait.|Le vecteur "
        "aurait alors plus de nombres après chaque couche. Il en a toujours autant.",
    ),
    "lesson.layer_answer": (
        "A layer works in steps. Attention brings each word a result from the other words, and it is added to "
        "the word's vector. The sum is normalised, that is, brought to a common size. A feed-forward network "
        "(two learned matrices with a simple function between them) reads this vector alone and no other word. "
        "Its result is added too, and the next layer receives the sum. These sums, from the first layer to the "
        "last, are called the residual stream. If attention's result takes the vector's place, what came before "
        "is missing in all later layers, and the translation usually falls apart.",
        "一层依次做这几件事。注意力从别的词为每个词带来一个结果，加到这个词的向量上。得到的和再经归一化，也就是调整到统一的尺度。前馈网络（两个学得的矩阵，中间一个简单的函数）只读这一个向量，不看别的词。它的结果同样加上去，下一层收到的就是这个和。从第一层到最后一层的这些和，叫作残差流。如果用注意力的结果取代向量，原有的内容在后面各层就没有了，译文往往不成句子。",
        "Une couche procède par étapes. L'attention apporte à chaque mot un résultat tiré des autres mots, qui "
        "s'ajoute à son vecteur. La somme est normalisée, c'est-à-dire ramenée à une taille commune. Un réseau "
        "feed-forward (deux matrices apprises et une fonction simple entre elles) lit ce seul vecteur et aucun "
        "autre mot. Son résultat s'ajoute aussi, et la couche suivante reçoit la somme. La suite de ces sommes "
        "s'appelle le flux résiduel. Si le résultat de l'attention remplace le vecteur, ce qu'il contenait "
        "manque à toutes les couches suivantes, et la traduction n'a en général plus de sens.",
    ),
    "lesson.layer_look": (
        "One word on its way through a layer. Add the first two rows.",
        "一个词怎样经过一层。把前两行加起来看看。",
        "Un mot traverse une couche. Additionnez les deux premières lignes.",
    ),
    "lesson.layer_followed": (
        "“{token}” in layer {layer} of the encoder: the first {n} of {width} numbers.",
        "编码器第 {layer} 层里的“{token}”：{width} 个数中的前 {n} 个。",
        "« {token} » dans la couche {layer} de l'encodeur : les {n} premiers nombres sur {width}.",
    ),
    "lesson.step_starts": ("the word's vector", "这个词的向量", "le vecteur du mot"),
    "lesson.step_attended": ("+ result of attention", "+ 注意力的结果", "+ résultat de l'attention"),
    "lesson.step_summed": ("= sum", "= 和", "= somme"),
    "lesson.step_normalised": (
        "(normalised sum)",
        "（归一化后的和）",
        "(somme normalisée)",
    ),
    "lesson.step_fed": (
        "+ result of feed-forward",
        "+ 前馈网络的结果",
        "+ résultat du feed-forward",
    ),
    "lesson.step_ends": (
        "= sum for the next layer",
        "= 交给下一层的和",
        "= somme pour la couche suivante",
    ),
    "lesson.step_normalised_post": ("normalised sum", "归一化后的和", "somme normalisée"),
    "lesson.step_ends_post": (
        "= for the next layer, normalised again",
        "= 再次归一化，交给下一层",
        "= pour la couche suivante, normalisé de nouveau",
    ),
    "lesson.layer_try": ("Replace instead of adding", "不相加，直接取代", "Remplacer au lieu d'ajouter"),
    "lesson.layer_done": (
        "In layer {layer} of the encoder, attention's result now takes the place of each word's vector. Is the sentence "
        "still there?",
        "在编码器第 {layer} 层，注意力的结果取代了每个词的向量。句子的意思还在吗？",
        "Dans la couche {layer} de l'encodeur, le résultat de l'attention remplace le vecteur de chaque mot. La phrase "
        "est-elle encore là ?",
    ),
    "lesson.layer_teacher": (
        "Let the class add the first two rows with a calculator, then show that the third says the same. Aim: a layer "
        "adds to a vector. Only attention looks at other words.",
        "让学生用计算器把前两行相加，再看第三行，正是这个和。目标：一层是往向量上加东西；只有注意力看别的词。",
        "Faites additionner les deux premières lignes à la calculatrice ; la troisième dit la même chose. But : une "
        "couche ajoute à un vecteur. Seule l'attention regarde les autres mots.",
    ),
    "lesson.layer_sheet": (
        "Add the first two rows, number by number, and write the sums into the third. Fill in the last row the same way.",
        "把前两行的数逐个相加，和写在第三行。用同样的办法填最后一行。",
        "Additionnez les deux premières lignes, nombre par nombre, et notez les sommes dans la troisième. Remplissez de même la dernière ligne.",
    ),
    "lesson.layer_expect": (
        "It is added. The third row is the sum of the first two, the last row the sum of the third and the fifth, up to "
        "rounding. When the result replaces the vector, the translation makes no sense.",
        "相加。第三行是前两行之和，最后一行是第三行与第五行之和（有舍入误差）。用结果取代向量时，译文不知所云。",
        "Il s'ajoute. La troisième ligne est la somme des deux premières, la dernière celle de la troisième et de la "
        "cinquième, à l'arrondi près. Si le résultat remplace le vecteur, la traduction n'a plus de sens.",
    ),
    "lesson.layer_mistake": (
        "“The feed-forward network mixes the words once more.” It works on one word's vector at a time. Only attention "
        "carries something from one word to another.",
        "“前馈网络再把各个词混合一遍。”它每次只处理一个词的向量。只有注意力把信息从一个词带到另一个词。",
        "« Le réseau feed-forward mélange encore les mots. » Il traite le vecteur d'un seul mot à la fois. Seule "
        "l'attention porte quelque chose d'un mot à un autre.",
    ),
    # encoder
    "lesson.encoder_title": ("Words take in their context", "词吸收上下文", "Les mots s'imprègnent du contexte"),
    "lesson.encoder_question": (
        "In every encoder layer the other words change each word's vector. After the last layer, how similar is "
        "it to the vector at the start (1: same direction, 0: no similarity)?",
        "在编码器的每一层，别的词都会改变一个词的向量。最后一层之后，它与最初的向量还有多相似（1：方向相同，0：毫不相似）？",
        "Dans chaque couche de l'encodeur, les autres mots changent le vecteur de chaque mot. Après la dernière "
        "couche, à quel point ressemble-t-il au vecteur de départ (1 : même direction, 0 : aucune ressemblance) "
        "?",
    ),
    "lesson.encoder_options": (
        "It is still the same|It is still similar|It is not similar",
        "还是一样|仍然相近|毫不相似",
        "Il est resté le même|Il est encore proche|Il n'est plus proche",
    ),
    "lesson.encoder_answer": (
        "Each layer adds something to the vector: information from the words that its heads looked at. So the same "
        "word has different vectors in different sentences. A word that is hidden cannot pass on anything to the "
        "other source words; the decoder may still look at it directly.",
        "每一层都给向量加上一些信息，这些信息来自各个头所看的词。所以同一个词在不同句子里有不同的向量。被隐藏的词不能再把信息传给别的源词，但解码器仍可以直接看它。",
        "Chaque couche ajoute quelque chose au vecteur : de l'information venue des mots que ses têtes ont regardés. "
        "Le même mot a donc des vecteurs différents dans des phrases différentes. Un mot caché ne transmet plus rien "
        "aux autres mots source ; le décodeur peut encore le regarder directement.",
    ),
    "lesson.encoder_look": (
        "How similar each word is to its starting vector after each layer: 1 is the same direction, 0 is no "
        "similarity.",
        "每层之后，各词与其初始向量的相似程度：1 为方向相同，0 为毫不相似。",
        "À quel point chaque mot ressemble à son vecteur de départ après chaque couche : 1, même direction ; 0, "
        "aucune ressemblance.",
    ),
    "lesson.encoder_mean": (
        "After the last layer: {mean:.2f} on average.",
        "最后一层之后：平均 {mean:.2f}。",
        "Après la dernière couche : {mean:.2f} en moyenne.",
    ),
    "lesson.encoder_start": ("start", "最初", "départ"),
    "lesson.encoder_try": ("Hide one word from the other words", "让别的词看不到某个词", "Cacher un mot aux autres"),
    "lesson.encoder_done": (
        "In the encoder no other word can look at “{token}” any more; the decoder still can. Which words of the "
        "translation changed?",
        "在编码器里，别的词再也看不到“{token}”；解码器仍能看到。译文中哪些词变了？",
        "Dans l'encodeur, plus aucun mot ne peut regarder « {token} » ; le décodeur le peut encore. Quels mots de la "
        "traduction ont changé ?",
    ),
    "lesson.encoder_teacher": (
        "Compare two sentences in which one word has two meanings. Aim: a vector stands for a word in its sentence. "
        "Note that a cosine compares directions, not lengths.",
        "请学生比较两个句子，其中同一个词的意思不同。目标：一个向量代表的是句子里的这个词。注意：余弦比较的是方向，不是长度。",
        "Comparez deux phrases où un mot a deux sens. But : un vecteur représente un mot dans sa phrase. Notez qu'un "
        "cosinus compare des directions, pas des longueurs.",
    ),
    "lesson.encoder_sheet": (
        "Which word changed most between the first and the last layer? Give a reason.",
        "从第一层到最后一层，哪个词变得最多？说出理由。",
        "Quel mot a le plus changé entre la première et la dernière couche ? Donnez une raison.",
    ),
    # mask
    "lesson.mask_title": ("Later words are hidden", "遮住后面的词", "Les mots suivants sont cachés"),
    "lesson.mask_question": (
        "In training the decoder receives the whole correct translation. Why may it not look at the words that come "
        "later?",
        "训练时解码器拿到整句正确译文。为什么不许它看后面的词？",
        "À l'entraînement, le décodeur reçoit toute la bonne traduction. Pourquoi ne doit-il pas regarder les mots "
        "suivants ?",
    ),
    "lesson.mask_options": (
        "It would learn only to copy them|The computation would take longer|Later words are of no use to it",
        "它就只学会照抄|计算会花更多时间|后面的词对它没用",
        "Il n'apprendrait qu'à les copier|Le calcul prendrait plus de temps|Les mots suivants ne l'aident pas",
    ),
    "lesson.mask_answer": (
        "A decoder that sees the next word learns to copy it and fails when translating, because then the next word "
        "does not exist yet. The mask sets all scores to the right of the diagonal to minus infinity, so their "
        "weights are 0. A model that was trained with the mask has never learned to use the later words. When weight "
        "falls on them, its predictions usually get worse.",
        "解码器如果看得到下一个词，学会的就是照抄，翻译时就会失败，因为那时下一个词还不存在。掩码把对角线右边的分数设为负无穷，权重就是 0。带掩码训练的模型从未学过利用后面的词。权重一旦落在它们上面，预测通常会变差。",
        "Un décodeur qui voit le mot suivant apprend à le copier et échoue en traduisant, car ce mot n'existe alors "
        "pas encore. Le masque met à moins l'infini tous les scores à droite de la diagonale : leurs poids sont "
        "nuls. Un modèle entraîné avec le masque n'a pas appris à utiliser les mots suivants. Quand du poids tombe sur "
        "eux, ses prédictions sont en général moins bonnes.",
    ),
    "lesson.mask_look": (
        "One decoder head's self-attention: the translation looks at itself. With the mask, nothing lies to the "
        "right of the diagonal.",
        "解码器一个头的自注意力：译文看自己。有掩码时，对角线右边全为空。",
        "Auto-attention d'une tête du décodeur : la traduction se regarde elle-même. Avec le masque, rien à "
        "droite de la diagonale.",
    ),
    "lesson.mask_try": ("Remove the mask", "取消掩码", "Retirer le masque"),
    "lesson.mask_done": (
        "Now weight also falls to the right of the diagonal. Did the model become more or less certain of its own "
        "translation?",
        "现在对角线右边也有权重。模型对自己的译文更有把握了，还是更没有把握？",
        "Du poids tombe maintenant aussi à droite de la diagonale. Le modèle est-il devenu plus ou moins sûr de sa "
        "propre traduction ?",
    ),
    "lesson.mask_teacher": (
        "Read a sentence aloud and stop; the class says the next word. Then show the rest and ask again: now it is "
        "too easy. Aim: with the mask, the model has the same task in training as when it translates.",
        "念一句话，中途停下，让全班说下一个词；再亮出全句重问：太容易了。目标：有了掩码，模型训练时的任务就与翻译时一样。",
        "Lisez une phrase et arrêtez-vous ; la classe dit le mot suivant. Montrez la suite et redemandez : c'est "
        "trop facile. But : grâce au masque, la tâche du modèle est la même à l'entraînement et en traduction.",
    ),
    "lesson.mask_sheet": (
        "Colour the cells that the decoder may see while it predicts the third word. Then do the same for all rows.",
        "涂出解码器预测第三个词时可以看的格子，再完成所有各行。",
        "Coloriez les cases que le décodeur peut voir quand il prédit le troisième mot. Faites ensuite toutes les "
        "lignes.",
    ),
    # loss
    "lesson.loss_title": ("What training makes smaller", "训练要让什么变小", "Ce que l'entraînement fait diminuer"),
    "lesson.loss_question": (
        "In training the model is given the right translation up to some word. To the right next word it gives a "
        "probability of 0.2. What does training make smaller?",
        "训练时，模型拿到正确译文的前几个词，它给正确的下一个词 0.2 的概率。训练要让什么变小？",
        "À l'entraînement, le modèle reçoit la bonne traduction jusqu'à un certain mot. Au bon mot suivant, il donne "
        "une probabilité de 0,2. Qu'est-ce que l'entraînement fait diminuer ?",
    ),
    "lesson.loss_options": (
        "The share of wrong sentences|The number of wrong words|The surprise at this word",
        "译错的句子所占的比例|译错的词的个数|对这个词的意外程度",
        "La part de phrases fausses|Le nombre de mots faux|La surprise devant ce mot",
    ),
    "lesson.loss_reply": (
        "A whole sentence is not counted as right or wrong: each of its tokens is looked at.|A count of errors stays the "
        "same when the learned numbers change a little, so it shows no direction.|Yes. The surprise is −ln p: 1.6 for a "
        "probability of 0.2, and 0 for 1.",
        "并不把整句算作对或错：看的是其中每一个词元。|学得的数稍稍改变时，错误的个数不变，所以它指不出方向。|对。意外程度是 −ln p：概率 0.2 时为 1.6，概率 1 时为 0。",
        "Une phrase entière n'est pas comptée juste ou fausse : on regarde chacun de ses tokens.|Un nombre d'erreurs "
        "reste le même quand les nombres appris changent un peu : il n'indique aucune direction.|Oui. La surprise vaut "
        "−ln p : 1,6 pour une probabilité de 0,2, et 0 pour 1.",
    ),
    "lesson.loss_answer": (
        "The decoder's last vector, times a learned matrix, gives each token of the vocabulary a score, and the "
        "softmax turns the scores into probabilities. The surprise at the right token is −ln p, the natural "
        "logarithm of its probability with the sign changed: 0 for 1, 0.7 for one half, 2.3 for one tenth; its "
        "unit is the nat. Its mean over all tokens is the loss, and training makes the loss smaller. Each row is "
        "given the right tokens so far, even where the model would have chosen another (teacher forcing); its "
        "right answer is the next one, which is hidden from it. The gradient says for each of the {n:,} learned "
        "numbers in which direction the loss falls. One small step lowers it here from {before:.2f} to "
        "{after:.2f}.",
        "解码器最后的向量乘以一个学得的矩阵，给词表里每个词元一个分数，softmax 再把分数变成概率。对正确词元的意外程度是 −ln p，也就是它的概率取自然对数再变号：概率 1 时为 0，二分之一时为 0.7，十分之一时为 2.3，单位是奈特。它在所有词元上的平均叫作损失，训练就是让损失变小。每一行拿到的都是到此为止的正确词元，即使模型自己会选别的（教师强制）；它的正确答案是下一个词元，这一行看不到它。对 {n:,} 个学得的数，梯度逐个指出往哪个方向改会让损失变小。这里走一小步，损失从 {before:.2f} 降到 {after:.2f}。",
        "Le dernier vecteur du décodeur, multiplié par une matrice apprise, donne un score à chaque token du "
        "vocabulaire ; le softmax en fait des probabilités. La surprise devant le bon token vaut −ln p, le "
        "logarithme naturel de sa probabilité, changé de signe : 0 pour 1, 0,7 pour une chance sur deux, 2,3 "
        "pour une sur dix ; son unité est le nat. Sa moyenne sur tous les tokens est la perte, que "
        "l'entraînement diminue. Chaque ligne reçoit les bons tokens jusque-là, même là où le modèle en aurait "
        "choisi un autre (teacher forcing) ; sa bonne réponse est le token suivant, qui lui est caché. Le "
        "gradient dit, pour chacun des {n:,} nombres appris, dans quel sens la perte diminue. Une petite étape "
        "la fait passer ici de {before:.2f} à {after:.2f}.",
    ),
    "lesson.loss_look": (
        "Each row: the token that the decoder has just been given, the right next token, and the model's own first choice "
        "where it is another.",
        "每一行：解码器刚拿到的词元，正确的下一个词元；模型自己的首选若不同，也写在旁边。",
        "Chaque ligne : le token que le décodeur vient de recevoir, le bon token suivant, et le premier choix du modèle "
        "s'il est autre.",
    ),
    "lesson.loss_head": (
        "given|right next token|model's own choice|p|−ln p",
        "拿到的词元|正确的下一个|模型自己的首选|p|−ln p",
        "token reçu|bon token suivant|choix du modèle|p|−ln p",
    ),
    "lesson.loss_head_after": ("p after|−ln p after", "之后的 p|之后的 −ln p", "p après|−ln p après"),
    "lesson.loss_said": (
        "Loss (mean of −ln p, in nats per token): {before} → {after}",
        "损失（−ln p 的平均，每词元的奈特数）：{before} → {after}",
        "Perte (moyenne de −ln p, en nats par token) : {before} → {after}",
    ),
    "lesson.loss_own": (
        "No person's translation of this sentence is stored: the model's own stands for the right one.",
        "这个句子没有存好的人工译文：这里把模型自己的译文当作正确译文。",
        "Aucune traduction humaine de cette phrase n'est enregistrée : celle du modèle en tient lieu.",
    ),
    "lesson.loss_try": ("Make one step of training", "训练一步", "Faire une étape d'entraînement"),
    "lesson.loss_done": (
        "A copy of the model has learned from this one pair of sentences; the model in use is unchanged. Which right token "
        "gained most?",
        "模型的一个副本从这一对句子学了一步，所用的模型没有变。哪个正确词元的概率升得最多？",
        "Une copie du modèle a appris de cette seule paire de phrases ; le modèle utilisé reste le même. Quel bon token a "
        "le plus gagné ?",
    ),
    "lesson.loss_teacher": (
        "Read out the beginning of the right translation and ask for the next word. Several are good, but only the one in "
        "the data counts. Aim: training raises the probability of the right next token, step by step.",
        "念出正确译文的开头，问下一个词。好几个词都说得通，但只有数据里的那个算数。目标：训练一步步提高正确的下一个词元的概率。",
        "Lisez le début de la bonne traduction et demandez le mot suivant. Plusieurs conviennent, mais seul "
        "compte celui des données. But : l'entraînement augmente étape par étape la probabilité du bon token "
        "suivant.",
    ),
    "lesson.loss_sheet": (
        "Three right tokens have p = 1, 0.5 and 0.25, so −ln p = 0, 0.69 and 1.39. Compute the mean. Which token adds most "
        "to the loss?",
        "三个正确词元的 p 为 1、0.5 和 0.25，−ln p 就是 0、0.69 和 1.39。算出平均值。哪个词元对损失的贡献最大？",
        "Trois bons tokens ont p = 1, 0,5 et 0,25, donc −ln p = 0, 0,69 et 1,39. Calculez la moyenne. Quel token pèse le "
        "plus dans la perte ?",
    ),
    "lesson.loss_expect": (
        "The surprise at the right word. On the sheet: the mean is 0.69, and the token with p = 0.25 adds most.",
        "对正确词的意外程度。练习单：平均为 0.69，p = 0.25 的词元贡献最大。",
        "La surprise devant le bon mot. Sur la feuille : la moyenne vaut 0,69, et le token de p = 0,25 pèse le plus.",
    ),
    "lesson.loss_found": (
        "In this sentence the right token “{right}” gains most: from {before:.2f} to {after:.2f}. Before the "
        "step the model's own choice was “{own}”.",
        "这个句子里，正确词元“{right}”升得最多：从 {before:.2f} 到 {after:.2f}。这一步之前，模型自己的首选是“{own}”。",
        "Dans cette phrase, le bon token « {right} » gagne le plus : de {before:.2f} à {after:.2f}. Avant "
        "l'étape, le modèle aurait choisi « {own} ».",
    ),
    "lesson.loss_mistake": (
        "“In training the model goes on from its own words.” It is given the right ones, also after a word that it would "
        "have chosen otherwise. Only when it translates does it read what it has written.",
        "“训练时模型接着自己写的词往下写。”给它的是正确的词，即使前一个词它本来会选别的。只有翻译时，它才读自己写的词。",
        "« À l'entraînement, le modèle continue à partir de ses propres mots. » Il reçoit les bons, même après un mot "
        "qu'il aurait choisi autrement. Il ne relit ce qu'il a écrit que lorsqu'il traduit.",
    ),
    "lesson.before_step": ("before the step", "这一步之前", "avant l'étape"),
    "lesson.after_step": ("after the step", "这一步之后", "après l'étape"),
    # cross
    "lesson.cross_title": ("From the translation back to the source", "从译文回看源句", "De la traduction à la source"),
    "lesson.cross_question": (
        "In cross-attention each row of the map is one step of the decoder: it reads a word and predicts the next. "
        "One figure labels the rows with the words read, another with the words predicted. Which figure is wrong?",
        "在交叉注意力图里，每一行是解码器的一步：读入一个词，预测下一个词。有的图用读入的词标注各行，有的图用预测的词。哪一种图的标注错了？",
        "En attention croisée, chaque ligne de la carte est une étape du décodeur : elle lit un mot et prédit le "
        "suivant. Une figure nomme les lignes par les mots lus, une autre par les mots prédits. Laquelle est fausse ?",
    ),
    "lesson.cross_options": (
        "The figure with the words read|Neither: it is the same step|The figure with the words predicted",
        "用读入的词标注的图|都没错，是同一步|用预测的词标注的图",
        "La figure avec les mots lus|Aucune : c'est la même étape|La figure avec les mots prédits",
    ),
    "lesson.cross_answer": (
        "Here the query q comes from the decoder, the keys k and values v from the encoder: the decoder asks, and "
        "the source words answer. In the library: the request is written in the language of the translation, the "
        "labels and books are in that of the source. One step reads the word just written and predicts the next, so "
        "both labels are right. It is easy to read such a map one row off, so always check the label.",
        "这里查询 q 来自解码器，键 k 和值 v "
        "来自编码器：解码器提问，源词回答。用图书馆打比方：请求用译文的语言写，标签和书用的是源句的语言。一步读入刚写的词，预测下一个词，所以两种标注都对。这种图很容易读错一行，所以一定要先看清标注。",
        "Ici la requête q vient du décodeur, les clés k et les valeurs v de l'encodeur : le décodeur demande, les "
        "mots source répondent. Dans la bibliothèque : la demande est écrite dans la langue de la traduction, les "
        "étiquettes et les livres dans celle de la source. Une étape lit le mot qui vient d'être écrit et prédit le "
        "suivant : les deux étiquettes sont donc justes. Il est facile de lire une telle carte avec une ligne de "
        "décalage ; vérifiez toujours l'étiquette.",
    ),
    "lesson.cross_look": (
        "Rows: the translation (q from the decoder). Columns: the source (k and v from the encoder). A large "
        "weight on </s> or the full stop often means that the head has little to pass on (an attention sink); in "
        "the last rows it can decide that the sentence ends.",
        "行：译文（q 来自解码器）。列：源句（k 和 v 来自编码器）。</s> 或句号上的大权重，往往表示这个头没有多少要传递（注意力汇点）；在最后几行，它可能决定句子结束。",
        "Lignes : la traduction (q vient du décodeur). Colonnes : la source (k et v viennent de l'encodeur). Un "
        "grand poids sur </s> ou sur le point veut souvent dire que la tête a peu à transmettre (un puits "
        "d'attention) ; dans les dernières lignes, il peut décider de la fin de la phrase.",
    ),
    "lesson.cross_try": ("Label the rows the other way", "换一种行标", "Changer les étiquettes des lignes"),
    "lesson.cross_done": (
        "The cells are the same; the labels have moved by one row. With which labels does each word look at the "
        "source word of the same meaning?",
        "格子没有变，标签移了一行。用哪种标注时，每个词看的是意思相同的源词？",
        "Les cases sont les mêmes ; les étiquettes ont glissé d'une ligne. Avec lesquelles chaque mot regarde-t-il "
        "le mot source de même sens ?",
    ),
    "lesson.cross_teacher": (
        "One student reads the rows, another the columns. Aim: know what a row means before drawing conclusions.",
        "一名学生念行，另一名念列。目标：先弄清一行的含义，再下结论。",
        "Un élève lit les lignes, un autre les colonnes. But : savoir ce que veut dire une ligne avant de conclure.",
    ),
    "lesson.cross_sheet": (
        "For two words of the translation, write the two source words with the largest weights.",
        "为译文的两个词，各写出权重最大的两个源词。",
        "Pour deux mots de la traduction, notez les deux mots source de plus grand poids.",
    ),
    # beam
    "lesson.beam_title": ("Choosing the words", "怎样选词", "Choisir les mots"),
    "lesson.beam_question": (
        "At each step the model gives every token a probability. Should it always take the most probable one?",
        "每一步，模型给每个词元一个概率。是否总该选概率最大的？",
        "À chaque étape, le modèle donne une probabilité à chaque token. Doit-il toujours prendre le plus probable ?",
    ),
    "lesson.beam_options": (
        "Yes, then the sentence is most probable|Either way, the sentence is the same|No, a good start can have a "
        "bad end",
        "应该，这样整句概率最大|怎么选，句子都是一样的|不，开头好，结尾未必好",
        "Oui, la phrase est alors la plus probable|Peu importe, la phrase est la même|Non, un bon début peut mal finir",
    ),
    "lesson.beam_answer": (
        "The decoder's last vector, times a learned matrix, gives each token of the vocabulary a score (its "
        "logit), and the softmax turns the scores into probabilities. Greedy decoding takes the most probable "
        "token each time. Beam search keeps several unfinished translations. At every step it compares all their "
        "continuations and keeps the best few. It may therefore find a sentence that is more probable as a "
        "whole. Regard divides the logarithm of the probability by the length, so that long translations are not "
        "at a disadvantage; the winner may then be a little less probable.",
        "解码器最后的向量乘以一个学得的矩阵，给词表里每个词元一个分数（logit），softmax 再把分数变成概率。贪心解码每次都选概率最大的。束搜索同时保留几个未完成的译文，每一步比较它们的所有续写，留下最好的几个。因此它可能找到整体概率更高的句子。Regard 用概率的对数除以长度，使长译文不吃亏；这样选出的译文，整体概率有时会略低。",
        "Le dernier vecteur du décodeur, multiplié par une matrice apprise, donne un score (logit) à chaque "
        "token du vocabulaire ; le softmax en fait des probabilités. Le décodage glouton prend chaque fois le "
        "plus probable. La recherche en faisceau garde plusieurs traductions inachevées. À chaque étape, elle "
        "compare toutes leurs suites et garde les meilleures. Elle peut donc trouver une phrase plus probable "
        "dans son ensemble. Regard divise le logarithme de la probabilité par la longueur, pour que les longues "
        "traductions ne soient pas désavantagées ; la gagnante peut alors être un peu moins probable.",
    ),
    "lesson.beam_look": (
        "The most probable tokens at the step where the two translations first differ.",
        "两个译文第一次不同的那一步，概率最大的几个词元。",
        "Les tokens les plus probables à l'étape où les deux traductions se séparent.",
    ),
    "lesson.beam_same": (
        "Both methods translate this sentence alike. Here is the step at which the model was least certain.",
        "两种方法对这个句子给出同样的译文。这里是模型最没有把握的一步。",
        "Les deux méthodes traduisent cette phrase de la même façon. Voici l'étape où le modèle était le moins sûr.",
    ),
    "lesson.beam_try": (
        "Keep four unfinished translations",
        "保留四个未完成的译文",
        "Garder quatre traductions inachevées",
    ),
    "lesson.beam_seen": (
        "Beam search keeps four unfinished translations. Does it choose another one?",
        "束搜索同时保留四个未完成的译文。它选出的译文不同吗？",
        "La recherche en faisceau garde quatre traductions inachevées. En choisit-elle une autre ?",
    ),
    "lesson.beam_done": (
        "This is beam search with width four. Does it choose another translation? The page Decode shows the whole "
        "tree.",
        "这是束宽为四的束搜索。它选出的译文不同吗？“解码”页显示整棵树。",
        "C'est une recherche en faisceau de largeur quatre. Choisit-elle une autre traduction ? La page Décoder montre "
        "l'arbre entier.",
    ),
    "lesson.beam_teacher": (
        "Together, find the step where the model is least certain, and ask which token a person would choose. Aim: "
        "the search method is a choice separate from the model.",
        "一起找到最没有把握的一步，问：人会选哪个词元？目标：搜索方法是独立于模型的选择。",
        "Cherchez ensemble l'étape la plus incertaine et demandez quel token choisirait une personne. But : la "
        "recherche est un choix distinct du modèle.",
    ),
    "lesson.beam_sheet": (
        "Path A: 0.6, then 0.3. Path B: 0.4, then 0.7. Multiply each. Which does greedy decoding take, and which is "
        "more probable?",
        "路径 A：先 0.6，再 0.3。路径 B：先 0.4，再 0.7。各自相乘。贪心解码选哪条？哪条概率更大？",
        "Chemin A : 0,6 puis 0,3. Chemin B : 0,4 puis 0,7. Multipliez. Lequel prend le décodage glouton, lequel est "
        "le plus probable ?",
    ),
    # explain
    "lesson.explain_title": ("Is it an explanation?", "这算解释吗？", "Est-ce une explication ?"),
    "lesson.explain_question": (
        "One head of cross-attention is more focused than all others, so it looks important. If it is switched off, "
        "what happens to the translation?",
        "交叉注意力有一个头，注意力比其他头都集中，看上去很重要。把它关掉，译文会怎样？",
        "Une tête d'attention croisée est plus concentrée que toutes les autres : elle semble importante. Si on la "
        "désactive, que devient la traduction ?",
    ),
    "lesson.explain_options": (
        "Its words stay as they are|One of its words is replaced|Its words become nonsense",
        "译文的词都不变|译文里换一个词|译文变得不知所云",
        "Ses mots restent les mêmes|Un de ses mots est remplacé|Ses mots n'ont plus de sens",
    ),
    "lesson.explain_answer": (
        "A map shows where a head looks. Only switching it off shows what the translation loses without it. If "
        "nothing changes, the head may still have a role: the translation may become less probable although its "
        "words stay, the head may matter in other sentences, or other heads may pass on the same information. "
        "{counted}",
        "图只显示一个头看哪里；关掉它，才知道译文失去什么。看不出效果也不等于没有作用：译文的词不变，概率也可能下降，它可能在别的句子里重要，也可能有别的头传递同样的信息。{counted}",
        "Une carte montre où une tête regarde. Il faut la désactiver pour savoir ce que la traduction perd sans "
        "elle. Si rien ne change, la tête peut quand même avoir un rôle : la traduction peut devenir moins "
        "probable sans changer de mots, la tête peut compter dans d'autres phrases, ou d'autres têtes peuvent "
        "transmettre la même information. {counted}",
    ),
    "lesson.explain_count": (
        "Of the {n_heads} heads of cross-attention, {n_change} {n_change|changes|change} this translation when "
        "switched off one at a time.",
        "就这一句而言，交叉注意力的 {n_heads} 个头里，逐个关掉时会改变译文的有 {n_change} 个。",
        "Sur les {n_heads} têtes d'attention croisée, désactivées une à une, {n_change} "
        "{n_change|change|changent} cette traduction.",
    ),
    "lesson.explain_open": (
        "How many of the {n_heads} heads of cross-attention change this translation? Try {n} of them in the grid, then "
        "the number stands here.",
        "交叉注意力的 {n_heads} 个头里，有多少个会改变译文？先在格子里试 {n} 个，答案就会出现在这里。",
        "Combien des {n_heads} têtes d'attention croisée changent cette traduction ? Essayez-en {n} dans la grille : "
        "le nombre s'affichera ici.",
    ),
    "lesson.explain_many": (
        "That is many. At its least certain step, the model gives the two most probable tokens nearly the same "
        "probability, {first:.2f} and {second:.2f}, so a small change is enough to swap them. Try a sentence of "
        "which the model is more certain.",
        "这里有很多。模型最没有把握的那一步，前两个词元的概率几乎相同：{first:.2f} 和 {second:.2f}，所以很小的改动就会改变选择。换一个它更有把握的句子试试。",
        "C'est beaucoup. À son étape la moins sûre, le modèle donne à ses deux premiers tokens presque la même "
        "probabilité, {first:.2f} et {second:.2f} : un petit changement suffit pour choisir autrement. Essayez une "
        "phrase dont il est plus sûr.",
    ),
    "lesson.heads_which": (
        "Of these three heads, one follows the words, one looks more at the end of the sentence than all others, and one "
        "spreads its weights most. Which is which?",
        "下面三个头：一个跟着词走，一个比其他头都更多地看句尾，一个的权重最分散。哪个是哪个？",
        "De ces trois têtes, l'une suit les mots, une autre regarde la fin de la phrase plus que toutes les autres, la "
        "troisième disperse le plus ses poids. Laquelle est laquelle ?",
    ),
    "lesson.heads_follows": ("{head}: follows the words", "{head}：跟着词走", "{head} : suit les mots"),
    "lesson.heads_ends": ("{head}: looks at the end", "{head}：看句尾", "{head} : regarde la fin"),
    "lesson.heads_spreads": ("{head}: spreads its weights", "{head}：权重分散", "{head} : disperse ses poids"),
    "lesson.meanings": (
        "“{word}” has the same embedding and the same place in both sentences. After the encoder the cosine of its two "
        "vectors is {apart:.2f}. In “{one}” and “{same}”, where it means the same, the cosine is {alike:.2f}.",
        "{word} 在这两句里词嵌入相同，位置也相同。经过编码器以后，两个向量的余弦是 {apart:.2f}。在 {one} 和 {same} 里意思相同，余弦是 {alike:.2f}。",
        "« {word} » a le même plongement et la même place dans les deux phrases. Après l'encodeur, le cosinus de ses "
        "deux vecteurs vaut {apart:.2f}. Dans « {one} » et « {same} », où le sens est le même, il vaut {alike:.2f}.",
    ),
    "lesson.heads_found": (
        "These heads of cross-attention change the translation of this sentence when switched off one at a time "
        "(layer·head): {heads}.",
        "逐个关掉时会改变这一句译文的交叉注意力头（层·头）：{heads}。",
        "Ces têtes d'attention croisée changent la traduction de cette phrase quand on les désactive une à une, "
        "couche·tête : {heads}.",
    ),
    "lesson.heads_none": (
        "No head of cross-attention changes the translation of this sentence when the heads are switched off one at "
        "a time.",
        "对这一句，单独关掉任何一个交叉注意力头，译文都不变。",
        "Désactivées une à une, les têtes d'attention croisée ne changent pas la traduction de cette phrase.",
    ),
    "lesson.explain_look": (
        "The most focused head. The button switches it off.",
        "注意力最集中的头。按钮会把它关掉。",
        "La tête la plus concentrée. Le bouton la désactive.",
    ),
    "lesson.explain_try": ("Switch this head off", "关掉这个头", "Désactiver cette tête"),
    "lesson.explain_done": (
        "Compare the two translations. Then look for a head that changes a word when it is switched off.",
        "比较两个译文。然后去找这样一个头：关掉它，译文里就有词改变。",
        "Comparez les deux traductions. Cherchez ensuite une tête qui change un mot quand on la désactive.",
    ),
    "lesson.explain_teacher": (
        "The most important scene. Let the class vote before you press the button, then let groups hunt for a head that "
        "changes a word. Aim: seeing where a head looks is not an explanation.",
        "最重要的一场。按下按钮之前先让学生投票，然后让他们分组去找关掉后译文会变的头。目标：看到头在看哪里，并不等于得到了解释。",
        "La scène la plus importante. Faites voter avant d'appuyer sur le bouton, puis laissez des groupes chercher une "
        "tête qui change un mot. But : voir où une tête regarde n'est pas une explication.",
    ),
    "lesson.explain_sheet": (
        "Write one thing that an attention map can tell you, and one that it cannot. Which heads did you try?",
        "写一件注意力图能告诉你的事，和一件不能的。你试了哪些头？",
        "Écrivez une chose qu'une carte d'attention peut dire, et une qu'elle ne peut pas. Quelles têtes avez-vous "
        "essayées ?",
    ),
    # train
    "lesson.train_title": ("Watch heads form", "观察注意力头的形成", "Voir les têtes se former"),
    "lesson.train_question": (
        "Before training all parameters are random numbers. What do the attention maps look like then?",
        "训练之前，所有参数都是随机数。那时注意力图是什么样？",
        "Avant l'entraînement, tous les paramètres sont des nombres aléatoires. À quoi ressemblent alors les cartes ?",
    ),
    "lesson.train_options": (
        "Already diagonal, but faint|Spread out over all the words|All on the very first word",
        "已经是淡淡的对角线|分散在所有的词上|全都在第一个词上",
        "Diagonales, mais plus pâles|Réparties sur tous les mots|Tout entières sur le premier mot",
    ),
    "lesson.train_answer": (
        "Random parameters give random scores, so the weights are spread out: in the untrained copy the largest "
        "weight of a row is {fresh:.2f} on average, where a perfectly even row would have {even:.2f}. In the "
        "same head of the trained model, its most focused one, it is {trained:.2f}. Nobody programs these "
        "patterns. Training changes the parameters a little after each small group of sentences (a batch), so "
        "that the right next token becomes more probable.",
        "随机参数给出随机分数，所以权重是分散的：在未训练的副本里，每行最大权重平均为 {fresh:.2f}，完全均匀则为 {even:.2f}；训练好的模型里，同一个头（集中度最高的头）是 {trained:.2f}。这些图案不是人为规定的。每看过一小批句子，参数就稍稍改变，使正确的下一个词元概率变大。",
        "Des paramètres aléatoires donnent des scores aléatoires, donc des poids répartis : dans la copie non "
        "entraînée, le plus grand poids d'une ligne vaut {fresh:.2f} en moyenne, contre {even:.2f} si tout était "
        "égal. Dans la même tête du modèle entraîné, la plus concentrée, il vaut {trained:.2f}. Personne ne "
        "programme ces motifs. L'entraînement change un peu les paramètres après chaque petit groupe de phrases "
        "(un lot), pour que le bon token suivant devienne plus probable.",
    ),
    "lesson.train_look": (
        "The most focused head of the trained model. The button starts a tiny model that learns while you watch, and "
        "shows this head before training, with random parameters.",
        "训练后的模型里注意力最集中的头。按下按钮，可以看着一个微型模型学习，并看到这个头在训练之前、参数随机时的样子。",
        "La tête la plus concentrée du modèle entraîné. Le bouton lance un tout petit modèle qui apprend sous vos "
        "yeux, et montre cette tête avant l'entraînement, avec des paramètres aléatoires.",
    ),
    "lesson.train_try": (
        "Train a tiny model to copy letters",
        "训练一个微型模型学习抄写字母",
        "Entraîner un tout petit modèle à copier des lettres",
    ),
    "lesson.train_seen": (
        "The same head before training and after it. How does each row spread its weight?",
        "同一个头，训练前与训练后。每一行的权重怎样分布？",
        "La même tête, avant et après l'entraînement. Comment chaque ligne répartit-elle son poids ?",
    ),
    "lesson.train_done": (
        "The tiny model learns to copy letters. Watch for the step at which a diagonal appears.",
        "这个微型模型在学习抄写字母。看对角线在第几步出现。",
        "Le tout petit modèle apprend à copier des lettres. Repérez l'étape où une diagonale apparaît.",
    ),
    "lesson.train_teacher": (
        "Start the training, then talk while it runs; it takes less than a minute on two cores. Aim: the patterns "
        "are learned, nobody programs them. The page Fine-tune offers more to train.",
        "先开始训练，边训练边讲；在双核机器上不到一分钟。目标：图案是学出来的，不是人为规定的。“微调”页还有别的训练任务。",
        "Lancez l'entraînement, puis parlez pendant qu'il tourne ; il dure moins d'une minute sur deux cœurs. But : "
        "les motifs sont appris, personne ne les programme. La page Affiner propose d'autres entraînements.",
    ),
    "lesson.train_sheet": (
        "Colour the map of a head as you expect it: on the left before training, on the right after it.",
        "按你的想法给一个头的图涂色：左边是训练前，右边是训练后。",
        "Coloriez la carte d'une tête comme vous l'imaginez : à gauche avant l'entraînement, à droite après.",
    ),
    # share
    "lesson.share_title": ("Test a claim", "检验一个论断", "Vérifier une affirmation"),
    "lesson.share_question": (
        "Somebody shows you an attention map and says: “This head found the noun, so the translation needs it.” How "
        "do you check that?",
        "有人拿来一张注意力图说：“这个头找到了名词，所以译文离不开它。”你怎样检验？",
        "Quelqu'un vous montre une carte d'attention et dit : « Cette tête a trouvé le nom, donc la traduction a "
        "besoin d'elle. » Comment le vérifier ?",
    ),
    "lesson.share_options": (
        "See how strong the cell's colour is|Look at the head in a larger picture|Translate again without that head",
        "看格子的颜色有多浓|把这个头的图放大看|关掉这个头再译一遍",
        "Regarder si la case est très colorée|Regarder la carte en plus grand|Traduire de nouveau sans la tête",
    ),
    "lesson.share_answer": (
        "A claim about a head needs three things: which layer and head it is, what a row of the map means, and what "
        "happens when the head is switched off, in more than one sentence. The link contains the sentence, the "
        "head, the labels and your claim, so others can repeat your experiment.",
        "关于一个头的论断需要三样东西：是哪一层哪个头；图的一行是什么意思；关掉这个头会怎样，而且不止一句。链接里有句子、头、标注和你的论断，别人可以重做你的实验。",
        "Une affirmation sur une tête demande trois choses : quelle couche et quelle tête, ce que veut dire une "
        "ligne de la carte, et ce qui se passe quand la tête est désactivée, dans plus d'une phrase. Le lien "
        "contient la phrase, la tête, les étiquettes et votre affirmation : d'autres peuvent refaire votre "
        "expérience.",
    ),
    "lesson.share_look": (
        "Choose a head, write what you think it does, and test it on several sentences.",
        "选一个头，写下你认为它的作用，用几个句子检验。",
        "Choisissez une tête, écrivez ce qu'elle fait selon vous, et vérifiez-le sur plusieurs phrases.",
    ),
    "lesson.share_try": ("Test it: switch this head off", "检验：关掉这个头", "Vérifier : désactiver cette tête"),
    "lesson.share_done": (
        "Which translations changed? Does the result support the claim?",
        "哪些译文变了？结果支持这个论断吗？",
        "Quelles traductions ont changé ? Le résultat confirme-t-il l'affirmation ?",
    ),
    "lesson.share_teacher": (
        "Each student sends one link with one claim and its test. Aim: a claim comes with a way to check it. Then show "
        "the page Overview once more.",
        "请每个学生交一个链接，附上一个论断和对它的检验。目标：论断要附上检验的方法。最后再看一遍“总览”页。",
        "Chaque élève envoie un lien avec une affirmation et sa vérification. But : une affirmation s'accompagne "
        "d'un moyen de la vérifier. Montrez encore une fois la page Aperçu.",
    ),
    "lesson.share_sheet": (
        "My claim, the head, the sentences, what changed, and the link.",
        "我的论断、哪个头、哪些句子、什么变了，以及链接。",
        "Mon affirmation, la tête, les phrases, ce qui a changé, et le lien.",
    ),
    "lesson.vote": ("Guess", "就猜这个", "Valider"),
    "lesson.explain_now": ("Explain", "解释", "Expliquer"),
    "lesson.same": ("The translation has not changed.", "译文没有变化。", "La traduction n'a pas changé."),
    "lesson.route": ("Route", "路线", "Parcours"),
    "lesson.route_short": ("45 min", "45 分钟", "45 min"),
    "lesson.route_full": ("90 min", "90 分钟", "90 min"),
    "lesson.timer_start": ("Start the timer", "开始计时", "Lancer le minuteur"),
    "lesson.timer": (
        "{spent} of {total} min · this scene until minute {until}",
        "{spent}/{total} 分钟 · 本场到第 {until} 分钟",
        "{spent} sur {total} min · cette scène jusqu'à la minute {until}",
    ),
    "lesson.own_sentence": ("Use the sentence of this scene", "使用本场的例句", "Prendre la phrase de cette scène"),
    "lesson.kept": (
        "The link in the address bar keeps the scene and your guesses.",
        "地址栏的链接会保存所在场景和你的猜测。",
        "Le lien de la barre d'adresse garde la scène et vos hypothèses.",
    ),
    "lesson.teacher_do": ("What to do.", "怎样进行", "Déroulement."),
    "lesson.teacher_expect": ("Expected answers.", "参考答案", "Réponses attendues."),
    "lesson.teacher_mistake": ("Common misconception.", "常见误解", "Erreur fréquente."),
    "lesson.teacher_line": ("{heading} {text}", "{heading}：{text}", "{heading} {text}"),
    "lesson.slides": ("Slides", "幻灯片", "Diapositives"),
    "lesson.worksheet_this": ("Worksheet for this scene", "本场练习单", "Feuille de cette scène"),
    "lesson.is_off": (
        "This head is switched off. Its weights are drawn faintly because they no longer affect the translation.",
        "这个头已关闭。它的权重画得很淡，因为它们对译文不再起作用。",
        "Cette tête est désactivée. Ses poids sont estompés, car ils n'ont plus d'effet sur la traduction.",
    ),
    "lesson.need_translation": (
        "This scene needs a model that translates. The model in use only reads text.",
        "本场需要能翻译的模型。当前模型只能阅读文本。",
        "Cette scène demande un modèle qui traduit. Le modèle utilisé ne fait que lire.",
    ),
    "lesson.need_scale": (
        "The model in use does not divide its scores by √d_k, so this scene has nothing to leave out.",
        "当前模型的分数不除以 √d_k，本场没有可去掉的步骤。",
        "Le modèle utilisé ne divise pas ses scores par √d_k : cette scène n'a rien à retirer.",
    ),
    "lesson.need_words": (
        "This scene changes words. The model in use has no vocabulary and reads numbers.",
        "本场要改动词。当前模型没有词表，只读编号。",
        "Cette scène change des mots. Le modèle utilisé n'a pas de vocabulaire : il lit des numéros.",
    ),
    "lesson.tried_elsewhere": (
        "The lesson was made with the model en-fr. With this one an experiment may show something else, or nothing.",
        "本课是用模型 en-fr 设计的。用现在的模型，实验的结果可能不同，也可能看不出变化。",
        "La leçon a été faite avec le modèle en-fr. Avec celui-ci, une expérience peut montrer autre chose, ou rien.",
    ),
    "lesson.tried_here": (
        "The experiments were also tried on this model; the expected answers were measured on en-fr.",
        "实验也在这个模型上试过；预期答案是在 en-fr 上测得的。",
        "Les expériences ont aussi été essayées sur ce modèle ; les réponses attendues ont été mesurées sur en-fr.",
    ),
    "lesson.decoder_title": (
        "The same machine without an encoder",
        "去掉编码器的同一台机器",
        "La même machine sans encodeur",
    ),
    "lesson.decoder_about": (
        "Without the encoder and its cross-attention, what is left reads a text and predicts the next token, again and "
        "again. GPT and Llama are built like this. The model tiny-decoder has four such layers: watch it continue a "
        "sentence, switch its heads off, and compare with what you have seen in this lesson.",
        "去掉编码器和交叉注意力，剩下的部分读一段文本并预测下一个词元，如此反复。GPT 和 Llama 就是这样构成的。模型 tiny-decoder 有四个这样的层：看它续写句子，关闭它的头，与本课所见作比较。",
        "Sans l'encodeur et l'attention croisée, ce qui reste lit un texte et prédit le token suivant, encore et encore. GPT "
        "et Llama sont construits ainsi. Le modèle tiny-decoder a quatre de ces couches : regardez-le continuer une phrase, "
        "désactivez ses têtes, et comparez avec ce que vous avez vu dans cette leçon.",
    ),
    "lesson.decoder_open": ("Open tiny-decoder", "打开 tiny-decoder", "Ouvrir tiny-decoder"),
    "lesson.use_shipped": ("Use the translation model", "使用翻译模型", "Utiliser le modèle de traduction"),
    "lesson.off": ("off", "关闭", "désactivée"),
    "lesson.with_scale": ("weights, divided by √d_k", "权重，除以 √d_k", "poids, avec division par √d_k"),
    "lesson.without_scale": ("weights, not divided", "权重，不除", "poids, sans division"),
    "lesson.twin": ("Sentence", "句子", "Phrase"),
    "lesson.with_positions": ("with positions", "有位置", "avec positions"),
    "lesson.without_positions": ("without positions", "无位置", "sans positions"),
    "lesson.forced": (
        "How sure the model is of a token of this translation: {masked} with the mask, {lifted} without.",
        "模型对这句译文里一个词元的把握：有掩码 {masked}，无掩码 {lifted}。",
        "À quel point le modèle est sûr d'un token de cette traduction : {masked} avec le masque, {lifted} sans.",
    ),
    "lesson.hunt": (
        "Head hunt: click a head to switch it off. Heads tried: {tried}. Heads that change the translation: "
        "{changed}. The number is the change in log p, the natural logarithm of the probability of the first "
        "translation: −0.7 makes it half as probable.",
        "寻找注意力头：单击一个头把它关掉。已试 {tried} 个头，其中 {changed} 个会改变译文。格中的数是原译文概率的自然对数（log p）的变化：−0.7 即概率减半。",
        "La chasse aux têtes : cliquez sur une tête pour la désactiver. Têtes essayées : {tried}. Têtes qui "
        "changent la traduction : {changed}. Le nombre est le changement de log p, le logarithme naturel de la "
        "probabilité de la première traduction : à −0,7, elle est deux fois moins probable.",
    ),
    "lesson.hunt_cell": (
        "layer {row}, head {column}: log-probability of the translation changes by {value} nats (natural logarithm: "
        "−0.7 halves the probability)",
        "第 {row} 层第 {column} 头：译文的对数概率变化 {value} 奈特（自然对数：−0.7 即概率减半）",
        "couche {row}, tête {column} : la log-probabilité de la traduction change de {value} nats (logarithme "
        "naturel : −0,7 divise la probabilité par deux)",
    ),
    "lesson.hunt_unknown": ("not tried yet", "还没试", "pas encore essayée"),
    "lesson.aligning": (
        "Layer {layer}, head {head}: of all heads of cross-attention, it puts the most weight on the source word "
        "that each written word depends on. (That is the source word without which its probability falls most.)",
        "第 {layer} 层第 {head} 头：交叉注意力的所有头中，它在每个译词所依赖的源词上权重最大（隐藏这个源词，译词的概率下降最多）。",
        "Couche {layer}, tête {head} : de toutes les têtes d'attention croisée, c'est elle qui met le plus de "
        "poids sur le mot source dont dépend chaque mot écrit (celui sans lequel sa probabilité baisse le plus).",
    ),
    "lesson.train_start": (
        "Train a tiny model to copy letters",
        "训练一个微型模型学习抄写字母",
        "Entraîner un tout petit modèle à copier des lettres",
    ),
    "lesson.train_again": ("Train again", "再训练一次", "Entraîner encore"),
    "lesson.train_left": ("trained", "训练后", "entraînée"),
    "lesson.train_right": ("untrained", "未训练", "non entraînée"),
    "lesson.claim": ("Your claim about this head", "你对这个头的论断", "Votre affirmation sur cette tête"),
    "lesson.claim_hint": (
        "This head finds the noun, so without it …",
        "这个头负责找名词，所以没有它……",
        "Cette tête trouve le nom, donc, sans elle…",
    ),
    "lesson.claim_on": ("head on", "头开启", "tête active"),
    "lesson.claim_off": ("head off", "头关闭", "tête désactivée"),
    "lesson.claim_sure": (
        "sure of the first one, per token",
        "对第一栏译文的把握（每词元）",
        "certitude de la première, par token",
    ),
    "lesson.claim_said": (
        "{changed} of {total} translations changed.",
        "{total} 个译文中有 {changed} 个变了。",
        "Traductions qui ont changé : {changed} sur {total}.",
    ),
    "lesson.link": ("Link to this claim", "这个论断的链接", "Lien vers cette affirmation"),
    "lesson.link_note": (
        "This link holds the sentence, the head and every change. The page Explore exports pictures, tables and a "
        "page that opens offline.",
        "这个链接包含句子、头和所有改动。“探索”页可导出图片、表格和可离线打开的网页。",
        "Ce lien contient la phrase, la tête et chaque changement. La page Explorer exporte images, tableaux et une "
        "page lisible hors ligne.",
    ),
    "lesson.box_reply": (
        "Yes. Every word gets a weight, large or small.|Not only the last: the two languages often put words in "
        "another order.|That word often has the largest weight in one head, but it is not the only one used.",
        "对。每个词都得到一个权重，有大有小。|不只是最后一个词：两种语言的词序往往不同。|在某个头里，那个词的权重常常最大，但用到的不只是它。",
        "Oui. Chaque mot reçoit un poids, grand ou petit.|Pas seulement le dernier : les deux langues ordonnent "
        "souvent les mots autrement.|Ce mot a souvent le plus grand poids dans une tête, mais il n'est pas le seul "
        "utilisé.",
    ),
    "lesson.box_expect": (
        "All the words, with different weights. The mark at the end can decide about words in the middle of the "
        "translation.",
        "所有的词，权重不同。末尾的标点可以决定译文中间的词。",
        "Tous les mots, avec des poids différents. La ponctuation finale peut décider de mots au milieu de la "
        "traduction.",
    ),
    "lesson.box_mistake": (
        "“It translates word by word.” Show a sentence whose words change order, and ask where the last word of the "
        "translation stands in the sentence.",
        "“它逐词翻译。”给出一个词序改变的句子，问：译文的最后一个词在源句的什么位置？",
        "« Il traduit mot à mot. » Montrez une phrase dont l'ordre change et demandez où se trouve, dans la phrase, "
        "le dernier mot de la traduction.",
    ),
    "lesson.pieces_reply": (
        "It does not skip it: the parts of the word are in the table of tokens.|Yes. These parts are called "
        "tokens.|Only where the vocabulary has no larger part that fits.",
        "不会跳过：词元表里就有这个词的各部分。|对。这些部分叫作词元。|只有没有更长的部分可用时才这样。",
        "Il ne le saute pas : ses parties figurent dans le tableau des tokens.|Oui. Ces parties s'appellent des "
        "tokens.|Seulement s'il n'existe pas de partie plus longue.",
    ),
    "lesson.pieces_expect": (
        "In smaller parts. The doubled word becomes two or more tokens. Its translation may invent a word, repeat one, "
        "or stay as it was.",
        "分成几部分。写了两遍的词变成两个或更多词元。它的译文可能生造一个词、重复一个词，也可能与原来一样。",
        "Par parties. Le mot doublé devient deux tokens ou plus. Sa traduction peut inventer un mot, en répéter un, ou "
        "rester la même.",
    ),
    "lesson.pieces_mistake": (
        "“What the vocabulary lacks cannot be read.” Type 猫: a character without a token of its own is read as its "
        "bytes, three tokens after ▁, which stands for the space. A vocabulary without tokens for bytes reads it as "
        "unknown. Reading a character is not the same as understanding it: look at the translation.",
        "“词表里没有的就读不了。”输入“猫”：没有自己词元的字符按字节读入：▁（表示空格）之后是三个词元。词表若没有字节词元，就读作未知。读得进去不等于懂：看看译文。",
        "« Ce qui manque au vocabulaire ne peut pas être lu. » Tapez 猫 : un caractère sans token à lui est lu octet "
        "par octet, en trois tokens après ▁, qui représente l'espace. Un vocabulaire sans tokens d'octets le lit « "
        "inconnu ». Lire un caractère n'est pas le comprendre : regardez la traduction.",
    ),
    "lesson.positions_reply": (
        "The encoder does not read from left to right: it receives all words at once.|In both sentences the words "
        "have the same forms: only their order tells who sees whom.|Yes. Without positions both sentences are the "
        "same set of words.",
        "编码器不是从左到右读的：它同时收到所有的词。|两个句子里的词形式都一样：谁看见谁，只由词序决定。|对。没有位置，两个句子就是同一组词。",
        "L'encodeur ne lit pas de gauche à droite : il reçoit tous les mots à la fois.|Dans les deux phrases, les "
        "mots ont les mêmes formes : seul leur ordre dit qui voit qui.|Oui. Sans positions, les deux phrases sont "
        "le même ensemble de mots.",
    ),
    "lesson.positions_expect": (
        "No. Without positions both sentences get the same translation. With the shuffled words, the largest change "
        "of any weight is 0 up to rounding.",
        "不能。没有位置，两个句子得到相同的译文。词序打乱时，权重的最大变化在舍入误差内为 0。",
        "Non. Sans positions, les deux phrases ont la même traduction. Mots mélangés, le plus grand changement d'un "
        "poids est nul à l'arrondi près.",
    ),
    "lesson.positions_mistake": (
        "“It reads the words one after the other.” The encoder receives all words at the same time; only the decoder "
        "writes one after the other.",
        "“它一个词接一个词地读。”编码器同时收到所有的词，只有解码器才一个接一个地写。",
        "« Il lit les mots l'un après l'autre. » L'encodeur reçoit tous les mots en même temps ; seul le décodeur "
        "écrit l'un après l'autre.",
    ),
    "lesson.head_reply": (
        "Yes. This sum is called the dot product.|The numbers are decimals: almost none of them are ever equal.|One "
        "number would decide alone, and all others would be ignored.",
        "对。这个和叫作点积。|这些数是小数，几乎不会有相等的。|那样只有一个数起作用，其余都被忽略。",
        "Oui. Cette somme s'appelle le produit scalaire.|Ce sont des nombres décimaux : ils ne sont presque jamais "
        "égaux.|Un seul nombre déciderait, et tous les autres seraient ignorés.",
    ),
    "lesson.head_expect": (
        "Multiply and add. On the sheet: q·k = 3, divided by √4 = 2 gives 1.5; q·k' = 8 gives 4. So the second key "
        "gets more weight.",
        "相乘再相加。练习单上：q·k = 3，除以 √4 = 2 得 1.5；q·k' = 8，得 4。所以第二个键的权重更大。",
        "Multiplier et additionner. Sur la feuille : q·k = 3, divisé par √4 = 2, donne 1,5 ; q·k' = 8 donne 4. La "
        "seconde clé reçoit donc plus de poids.",
    ),
    "lesson.head_mistake": (
        "“A large number in q means a large score.” A large number in only one of the lists adds little; both must "
        "be large.",
        "“q 里有大数，分数就大。”只有一串里的数大，贡献很小；两串都大才行。",
        "« Un grand nombre dans q donne un grand score. » Un grand nombre dans une seule liste ajoute peu ; il en "
        "faut dans les deux.",
    ),
    "lesson.heads_reply": (
        "There is no vote: the results of all heads are placed side by side and combined by one more learned "
        "matrix, W_O.|Look at the rows of the grid: the heads differ in every layer.|Yes. Compare the small maps: "
        "hardly two are alike.",
        "没有投票：各头的结果拼接在一起，再由一个学得的矩阵 W_O 合在一起。|看网格的各行：每一层的头都不同。|对。比较这些小图：几乎没有两个相同。",
        "Il n'y a pas de vote : les résultats des têtes sont mis côte à côte et combinés par une matrice de plus, "
        "apprise elle aussi, W_O.|Regardez les lignes de la grille : les têtes diffèrent dans chaque couche.|Oui. "
        "Comparez les petites cartes : il n'y en a presque pas deux semblables.",
    ),
    "lesson.heads_expect": (
        "They look at different words. Without one layer a tense or a pronoun may change, but the sentence usually "
        "keeps its meaning.",
        "它们看的东西不同。少了一层，时态或代词可能会变，但句意通常还在。",
        "Elles regardent des choses différentes. Sans une couche, un temps ou un pronom peut changer, mais la phrase "
        "garde en général son sens.",
    ),
    "lesson.heads_mistake": (
        "“A head with a clear pattern is important.” A pattern shows where a head looks, not whether the translation "
        "needs it. “Is it an explanation?” tests that.",
        "“图案清楚的头一定重要。”图案显示头看哪里，不显示译文是否需要它。“这算解释吗？”一场会检验。",
        "« Une tête au motif net est importante. » Un motif montre où une tête regarde, pas si la traduction en "
        "a besoin. La scène « Est-ce une explication ? » le vérifie.",
    ),
    "lesson.encoder_reply": (
        "Then the layers would do nothing: look at how the colour fades from row to row.|Yes. The similarity falls from "
        "layer to layer but does not reach 0.|Some of the start remains, because layers add to the vector.",
        "那样各层就什么也没做：看颜色怎样逐行变弱。|对。相似度逐层下降，但没有降到 0。|最初的信息还留下一部分，因为每一层都是在原来的向量上加。",
        "Les couches ne feraient alors rien : voyez comme la couleur faiblit de ligne en ligne.|Oui. La ressemblance "
        "baisse de couche en couche sans arriver à 0.|Il reste quelque chose du départ, car les couches ajoutent au "
        "vecteur.",
    ),
    "lesson.encoder_expect": (
        "It is still similar. Characters read as bytes change far more than words.",
        "仍然相近。按字节读入的字符比词变化大得多。",
        "Il est encore proche. Les caractères lus octet par octet changent bien plus que les mots.",
    ),
    "lesson.encoder_found": (
        "In this sentence “{most}” changes most between start and last layer, “{least}” least.",
        "这个句子里，从最初到最后一层，“{most}”变化最大，“{least}”变化最小。",
        "Dans cette phrase, entre le départ et la dernière couche, « {most} » change le plus, « {least} » le moins.",
    ),
    "lesson.encoder_mistake": (
        "“A word has one fixed meaning in the model.” Only its embedding is fixed; after the first layer it depends "
        "on the sentence.",
        "“一个词在模型里有固定的意思。”固定的只有词嵌入；第一层之后就取决于句子。",
        "« Un mot a un sens fixe dans le modèle. » Seul son plongement est fixe ; dès la première couche il dépend "
        "de la phrase.",
    ),
    "lesson.mask_reply": (
        "Yes. The next word is the answer that it has to predict.|The mask saves no time: the scores are computed "
        "and then set to minus infinity.|They would matter very much: the next word is the answer itself.",
        "对。下一个词正是它要预测的答案。|掩码不省时间：分数照样计算，然后设为负无穷。|它们非常重要：下一个词就是答案本身。",
        "Oui. Le mot suivant est la réponse qu'il doit prédire.|Le masque ne fait pas gagner de temps : les scores "
        "sont calculés puis mis à moins l'infini.|Ils compteraient beaucoup : le mot suivant est la réponse "
        "elle-même.",
    ),
    "lesson.mask_expect": (
        "It would only learn to copy. Without the mask the model is much less sure of its own translation. On the sheet, the third row has "
        "three cells coloured (the begin token and two words).",
        "它就只学会照抄。去掉掩码，模型对自己的译文就没有那么大的把握了。练习单上第三行涂三个格子（句首词元和两个词）。",
        "Il n'apprendrait qu'à copier. Sans masque, le modèle est bien moins sûr de sa traduction. Sur la feuille, la troisième "
        "ligne a trois cases coloriées (le token de début et deux mots).",
    ),
    "lesson.mask_mistake": (
        "“More information always helps.” Only if the model was trained with it and will have it when it is used.",
        "“信息越多越好。”只有训练时有、使用时也有的信息才有帮助。",
        "« Plus d'information aide toujours. » Seulement si le modèle a été entraîné avec elle et la recevra à "
        "l'usage.",
    ),
    "lesson.cross_reply": (
        "That is the word that the step reads, and it is one of two valid labels.|Yes. One step reads a word and "
        "predicts the next.|That is the word that the step predicts, and it is one of two valid labels.",
        "这是该步读入的词，是两种合理标注之一。|对。一步读入一个词，并预测下一个。|这是该步预测的词，是两种合理标注之一。",
        "C'est le mot que l'étape lit, l'une des deux étiquettes possibles.|Oui. Une étape lit un mot et prédit le "
        "suivant.|C'est le mot que l'étape prédit, l'une des deux étiquettes possibles.",
    ),
    "lesson.cross_expect": (
        "Neither: both name the same step. With the label “token predicted” most words stand beside the source "
        "word of the same meaning, on this head. Other heads fit the label “token read” better.",
        "都没错，两种标注指的是同一步。在这个头上，标注“预测的词元”时，多数词对着意思相同的源词；另一些头更适合标注“读入的词元”。",
        "Aucune : les deux nomment la même étape. Sur cette tête, avec l'étiquette « token prédit », la plupart "
        "des mots se trouvent en face du mot source de même sens. À d'autres têtes, l'étiquette « token lu » "
        "convient mieux.",
    ),
    "lesson.cross_mistake": (
        "“A strong colour on the full stop means that the full stop is important.” Often it is a sink: the head "
        "puts its weight there when it has little to pass on. Test it: hide the token and translate again.",
        "“句号上颜色浓，说明句号重要。”那往往是汇点：头没有多少要传递时，就把权重放在那里。检验一下：隐藏这个词元，再翻译一次。",
        "« Une case très colorée sur le point veut dire que le point est important. » C'est souvent un puits : la "
        "tête y met son poids quand elle a peu à transmettre. Vérifiez : cachez le token et traduisez de nouveau.",
    ),
    "lesson.beam_reply": (
        "Not always: the most probable first word can lead to improbable words later.|For many sentences it makes "
        "no difference. For others the beam finds a more probable translation.|Yes. The best sentence need not "
        "begin with the best word.",
        "不一定：最可能的第一个词，后面可能只接得上不太可能的词。|许多句子确实没有区别，但有些句子束搜索会找到概率更大的译文。|对。最好的句子不一定以最好的词开头。",
        "Pas toujours : le premier mot le plus probable peut mener à des mots peu probables.|Pour beaucoup de "
        "phrases, rien ne change. Pour d'autres, le faisceau trouve une traduction plus probable.|Oui. La meilleure "
        "phrase ne commence pas forcément par le meilleur mot.",
    ),
    "lesson.beam_expect": (
        "No. On the sheet: A 0.6 × 0.3 = 0.18, B 0.4 × 0.7 = 0.28. Greedy takes A, although B is more probable.",
        "不应该。练习单上：A 0.6 × 0.3 = 0.18，B 0.4 × 0.7 = 0.28。贪心选 A，但 B 的概率更大。",
        "Non. Sur la feuille : A 0,6 × 0,3 = 0,18, B 0,4 × 0,7 = 0,28. Le décodage glouton prend A, alors que B est plus "
        "probable.",
    ),
    "lesson.beam_mistake": (
        "“The most probable translation is the best one.” It is the one that the model finds most probable; people "
        "may prefer another.",
        "“概率最大的译文就是最好的。”那只是模型认为最可能的；人也许更喜欢另一个。",
        "« La traduction la plus probable est la meilleure. » C'est celle que le modèle juge la plus probable ; on "
        "peut en préférer une autre.",
    ),
    "lesson.explain_reply": (
        "Yes, in most sentences and for most heads. Look for an exception.|In some sentences, with some heads: look "
        "for one in the head hunt.|One head of many is rarely enough for that.",
        "对，在多数句子里，对多数头都是这样。找一找例外。|有些句子里，有的头是这样。到下面的“寻找注意力头”里找一个。|许多头中的一个，很少能造成这样的后果。",
        "Oui, dans la plupart des phrases et pour la plupart des têtes. Cherchez une exception.|Dans certaines "
        "phrases, avec certaines têtes : cherchez-en une.|Une tête parmi beaucoup suffit rarement pour cela.",
    ),
    "lesson.explain_expect": (
        "Often nothing changes. A map can tell where a head looks; it cannot tell whether the translation depends on "
        "it.",
        "往往什么也不变。图能告诉你头看哪里，不能告诉你译文是否取决于它。",
        "Souvent rien ne change. Une carte dit où une tête regarde ; elle ne dit pas si la traduction en dépend.",
    ),
    "lesson.explain_mistake": (
        "“No change, so the head is useless.” One sentence and one head at a time prove little: try other sentences, "
        "and two heads together.",
        "“没有变化，所以这个头没用。”一句话、一个头证明不了什么：换别的句子，或同时关掉两个头试试。",
        "« Rien ne change, donc la tête est inutile. » Une phrase et une tête à la fois prouvent peu : essayez "
        "d'autres phrases, et deux têtes ensemble.",
    ),
    "lesson.train_reply": (
        "Random numbers are very unlikely to give a diagonal: it is learned.|Yes, though not perfectly "
        "evenly.|Random numbers have no reason to choose the first word. Where one word gets more, that is chance.",
        "随机数极少产生对角线，它是学出来的。|对，只是不完全均匀。|随机数没有理由偏爱第一个词；哪个词得到的多一些，只是碰巧。",
        "Des nombres aléatoires donnent très rarement une diagonale : elle est apprise.|Oui, mais pas tout à fait "
        "uniformément.|Des nombres aléatoires n'ont aucune raison de choisir le premier mot. Si un mot reçoit "
        "davantage, c'est par hasard.",
    ),
    "lesson.train_expect": (
        "Spread over all words. After training on copying, a head of cross-attention shows a diagonal.",
        "分散在所有词上。学会抄写之后，交叉注意力有一个头呈现对角线。",
        "Réparties sur tous les mots. Après l'entraînement à copier, une tête d'attention croisée montre une "
        "diagonale.",
    ),
    "lesson.train_mistake": (
        "“The programmers decided what each head does.” They decided only how many heads there are; training did the "
        "rest.",
        "“每个头做什么是程序员决定的。”他们只决定头的数目，其余来自训练。",
        "« Les programmeurs ont décidé de ce que fait chaque tête. » Ils n'ont décidé que de leur nombre ; "
        "l'entraînement a fait le reste.",
    ),
    "lesson.share_reply": (
        "The colour shows where the head looks, not what the translation would be without it.|A larger picture "
        "shows the same weights.|Yes. That is an experiment, and anybody can repeat it.",
        "颜色显示头看哪里，不显示没有它译文会怎样。|放大的图还是同样的权重。|对。这是一个实验，谁都可以重做。",
        "La couleur montre où la tête regarde, pas ce que serait la traduction sans elle.|Une image plus grande "
        "montre les mêmes poids.|Oui. C'est une expérience, et chacun peut la refaire.",
    ),
    "lesson.share_expect": (
        "Switch the head off and translate again. A good claim names layer, head, sentences, and what changed.",
        "关掉这个头，再翻译一次。好的论断会写明层、头、句子和变化。",
        "Désactiver la tête et traduire de nouveau. Une bonne affirmation nomme la couche, la tête, les phrases et "
        "ce qui a changé.",
    ),
    "lesson.share_mistake": (
        "“The model understands.” Ask which experiment would have another result if it did not.",
        "“模型懂了。”问：如果它不懂，哪个实验的结果会不同？",
        "« Le modèle comprend. » Demandez quelle expérience donnerait un autre résultat s'il ne comprenait pas.",
    ),
}
