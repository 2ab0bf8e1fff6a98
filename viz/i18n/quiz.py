"""The quiz before the lesson, and the one after it: the same ten ideas, asked in another way.

In each list of options the first is right; the page shuffles them and adds ``quiz.unknown``.
"""

STRINGS: dict[str, tuple[str, ...]] = {
    "quiz.unknown": ("I do not know", "我不知道", "Je ne sais pas"),
    "quiz.tokens": ("Tokens", "词元", "Tokens"),
    "quiz.tokens_before": (
        "“unfoldable” is not in the model's vocabulary, but un, fold and able are. What does the model read?",
        "模型的词表里没有“unfoldable”，但有 un、fold 和 able。模型读到什么？",
        "« unfoldable » n'est pas dans le vocabulaire du modèle, mais un, fold et able y sont. Que lit le modèle ?",
    ),
    "quiz.tokens_before_options": (
        "un, fold and able|one unknown word|ten single letters",
        "三个部分|一个未知词|十个字母",
        "un, fold et able|un mot inconnu|dix lettres isolées",
    ),
    "quiz.tokens_after": (
        "“replayed” is not in the model's vocabulary, but re, play and ed are. How many tokens does the model read?",
        "模型的词表里没有“replayed”，但有 re、play 和 ed。模型读到几个词元？",
        "« replayed » n'est pas dans le vocabulaire du modèle, mais re, play et ed y sont. Combien de tokens le modèle "
        "lit-il ?",
    ),
    "quiz.tokens_after_options": ("3|1|8", "3|1|8", "3|1|8"),
    "quiz.tokens_why": (
        "What the vocabulary lacks is read in the parts that it has. These parts are the tokens.",
        "词表里没有的词，按词表里有的部分来读。这些部分就是词元。",
        "Ce qui manque au vocabulaire est lu par les parties qu'il contient. Ces parties sont les tokens.",
    ),
    "quiz.dot": ("Score q·k", "分数 q·k", "Score q·k"),
    "quiz.dot_before": (
        "A query is q = (1, 2) and a key is k = (3, 1). What is their score q·k?",
        "查询 q = (1, 2)，键 k = (3, 1)。它们的分数 q·k 是多少？",
        "Une requête q = (1, 2) et une clé k = (3, 1). Quel est leur score q·k ?",
    ),
    "quiz.dot_before_options": ("5|7|6", "5|7|6", "5|7|6"),
    "quiz.dot_after": (
        "A query is q = (2, 1) and a key is k = (1, 4). What is their score q·k?",
        "查询 q = (2, 1)，键 k = (1, 4)。它们的分数 q·k 是多少？",
        "Une requête q = (2, 1) et une clé k = (1, 4). Quel est leur score q·k ?",
    ),
    "quiz.dot_after_options": ("6|8|9", "6|8|9", "6|8|9"),
    "quiz.dot_why": (
        "Multiply the first numbers, multiply the second numbers, and add: 1·3 + 2·1 = 5, and 2·1 + 1·4 = 6.",
        "第一个数相乘，第二个数相乘，再相加：1·3 + 2·1 = 5，2·1 + 1·4 = 6。",
        "Multiplier les premiers nombres, multiplier les seconds, additionner : 1·3 + 2·1 = 5 et 2·1 + 1·4 = 6.",
    ),
    "quiz.softmax": ("Softmax", "softmax", "Softmax"),
    "quiz.softmax_before": (
        "Three words have the same score. Which weights does the softmax give them?",
        "三个词的分数相同。softmax 给它们什么权重？",
        "Trois mots ont le même score. Quels poids le softmax leur donne-t-il ?",
    ),
    "quiz.softmax_before_options": (
        "One third each|Each the full 1|Each the value 0",
        "各得三分之一|每个都得到 1|每个都得到 0",
        "Un tiers chacun|Chacun reçoit 1|Chacun reçoit 0",
    ),
    "quiz.softmax_after": (
        "One of three words has a far higher score than the others. Which weights does the softmax give them?",
        "三个词中，一个的分数比另外两个高得多。softmax 给它们什么权重？",
        "Un mot sur trois a un score bien plus élevé que les autres. Quels poids le softmax leur donne-t-il ?",
    ),
    "quiz.softmax_after_options": (
        "Almost 1, 0 and 0|Almost 3, 0 and 0|One third to each",
        "接近 1、0、0|接近 3、0、0|每个三分之一",
        "Presque 1, 0 et 0|Presque 3, 0 et 0|Un tiers à chacun",
    ),
    "quiz.softmax_why": (
        "The softmax turns scores into positive shares that add up to 1: equal shares for equal scores, and nearly "
        "everything for a score that is far higher.",
        "softmax 把分数变成总和为 1 的正份额：分数相同，份额相同；分数高得多的，几乎得到全部。",
        "Le softmax transforme les scores en parts positives de somme 1 : des parts égales pour des scores égaux, "
        "presque tout pour un score bien plus élevé.",
    ),
    "quiz.rest": ("Sum of a row", "一行之和", "Somme d'une ligne"),
    "quiz.rest_before": (
        "One row of a map gives 0.6 to one word and 0.3 to a second. What is left for all the others together?",
        "图中的一行给一个词 0.6，给另一个词 0.3。其余的词一共还剩多少？",
        "Une ligne d'une carte donne 0,6 à un mot et 0,3 à un deuxième. Que reste-t-il pour tous les autres ensemble ?",
    ),
    "quiz.rest_before_options": ("0.1|0.9|1.0", "0.1|0.9|1.0", "0,1|0,9|1,0"),
    "quiz.rest_after": (
        "One row of a map gives 0.25 to each of three words. What is left for all the others together?",
        "图中的一行给三个词各 0.25。其余的词一共还剩多少？",
        "Une ligne d'une carte donne 0,25 à chacun de trois mots. Que reste-t-il pour tous les autres ensemble ?",
    ),
    "quiz.rest_after_options": ("0.25|0.75|1.00", "0.25|0.75|1.00", "0,25|0,75|1,00"),
    "quiz.rest_why": (
        "The weights of one row add up to 1.",
        "一行的权重之和是 1。",
        "La somme des poids d'une ligne vaut 1.",
    ),
    "quiz.mask": ("Mask", "掩码", "Masque"),
    "quiz.mask_before": (
        "What would a decoder learn in training if it saw the next word of the right translation?",
        "训练时，如果解码器看得见正确译文的下一个词，它会学到什么？",
        "Qu'apprendrait un décodeur à l'entraînement s'il voyait le mot suivant de la bonne traduction ?",
    ),
    "quiz.mask_before_options": (
        "To copy that word|To translate faster|To avoid mistakes",
        "照抄那个词|译得更快些|少犯些错误",
        "À copier ce mot|À traduire plus vite|À éviter les fautes",
    ),
    "quiz.mask_after": (
        "The decoder is about to write the third word of a translation. Which words of the translation may it look at?",
        "解码器正要写译文的第三个词。它可以看译文里的哪些词？",
        "Le décodeur va écrire le troisième mot d'une traduction. Quels mots de la traduction peut-il regarder ?",
    ),
    "quiz.mask_after_options": (
        "Those before it|Those after it|All except it",
        "它前面的词|它后面的词|除它以外的词",
        "Ceux d'avant|Ceux d'après|Tous sauf lui",
    ),
    "quiz.mask_why": (
        "A mask hides the later words: in training the next word is the answer, and in use it is not written yet.",
        "掩码把后面的词遮住：训练时下一个词就是答案，使用时它还没写出来。",
        "Un masque cache les mots suivants : à l'entraînement, le mot suivant est la réponse ; à l'usage, il n'est pas "
        "encore écrit.",
    ),
    "quiz.cross": ("Cross-attention", "交叉注意力", "Attention croisée"),
    "quiz.cross_before": (
        "Cross-attention connects the encoder, which reads the sentence, and the decoder, which writes the "
        "translation. Which words look at which?",
        "交叉注意力连接编码器（读源句）和解码器（写译文）。谁看谁？",
        "L'attention croisée relie l'encodeur, qui lit la phrase, et le décodeur, qui écrit la traduction. Quels "
        "mots regardent lesquels ?",
    ),
    "quiz.cross_before_options": (
        "Translation looks at sentence|Sentence looks at translation|Sentence looks at the sentence",
        "译文的词看源句的词|源句的词看译文的词|源句的词看源句的词",
        "La traduction regarde la phrase|La phrase regarde la traduction|La phrase se regarde elle-même",
    ),
    "quiz.cross_after": (
        "The model writes “chien” for “The dog sleeps”. Which kind of map shows whether it looked at “dog”?",
        "模型把“The dog sleeps”译出了“chien”。哪一种图能看出它是否看了“dog”？",
        "Pour « The dog sleeps », le modèle écrit « chien ». Quelle sorte de carte montre s'il a regardé « dog » ?",
    ),
    "quiz.cross_after_options": (
        "Cross-attention|Encoder self-attention|Decoder self-attention",
        "交叉注意力图|编码器自注意力图|解码器自注意力图",
        "L'attention croisée|L'auto-attention encodeur|L'auto-attention décodeur",
    ),
    "quiz.cross_why": (
        "In cross-attention the queries come from the translation so far, the keys and values from the sentence.",
        "在交叉注意力里，查询来自已写出的译文，键和值来自源句。",
        "Dans l'attention croisée, les requêtes viennent de la traduction déjà écrite, les clés et les valeurs de la "
        "phrase.",
    ),
    "quiz.order": ("Order of words", "词序", "Ordre des mots"),
    "quiz.order_before": (
        "Without positions, “dog sees man” is given to an encoder in place of “man sees dog”. What does it compute "
        "for “dog”?",
        "没有位置信息，编码器收到的不是“man sees dog”，而是“dog sees man”。它给“dog”算出什么？",
        "Sans positions, un encodeur reçoit « dog sees man » au lieu de « man sees dog ». Que calcule-t-il pour "
        "« dog » ?",
    ),
    "quiz.order_before_options": (
        "The same vector|The vector of man|A vector of zeros",
        "与原来相同的向量|原来“man”的向量|一个全为零的向量",
        "Le même vecteur|Le vecteur de man|Un vecteur de zéros",
    ),
    "quiz.order_after": (
        "An encoder is given no positions. Which two sentences are the same to it?",
        "编码器得不到位置信息。对它来说，哪两个句子是一样的？",
        "Un encodeur ne reçoit pas de positions. Quelles deux phrases sont pour lui les mêmes ?",
    ),
    "quiz.order_after_options": (
        "Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom",
        "Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom",
        "Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom",
    ),
    "quiz.order_why": (
        "Attention itself does not know where a word stands. Without positions, the same words in another order are "
        "the same input.",
        "注意力本身不知道词在哪里。没有位置信息，同样的词换个顺序仍是同样的输入。",
        "L'attention ignore la place des mots. Sans positions, les mêmes mots dans un autre ordre sont la même entrée.",
    ),
    "quiz.beam": ("Beam search", "束搜索", "Recherche en faisceau"),
    "quiz.beam_before": (
        "First word: A has 0.6, B has 0.4. After A the best second word has 0.3, after B it has 0.9. Which pair of "
        "words is more probable?",
        "第一个词：A 是 0.6，B 是 0.4。A 之后最好的第二个词是 0.3，B 之后是 0.9。哪一对词的概率更大？",
        "Premier mot : A a 0,6, B a 0,4. Après A, le meilleur deuxième mot a 0,3, après B il a 0,9. Quelle paire de "
        "mots est la plus probable ?",
    ),
    "quiz.beam_before_options": (
        "The one with B|The one with A|Both just alike",
        "以 B 开头的|以 A 开头的|两对一样大",
        "Celle avec B|Celle avec A|Les deux pareil",
    ),
    "quiz.beam_after": (
        "First word: A has 0.5, B has 0.3. After A the best second word has 0.4, after B it has 0.8. Greedy decoding "
        "begins with A. What does it miss?",
        "第一个词：A 是 0.5，B 是 0.3。A 之后最好的第二个词是 0.4，B 之后是 0.8。贪心解码从 A 开始。它错过了什么？",
        "Premier mot : A a 0,5, B a 0,3. Après A, le meilleur deuxième mot a 0,4, après B il a 0,8. Le décodage "
        "glouton commence par A. Que manque-t-il ?",
    ),
    "quiz.beam_after_options": (
        "A more probable pair|A more probable first word|Nothing, A is better",
        "概率更大的一对词|概率更大的第一个词|什么也没错过",
        "Une paire plus probable|Un premier mot plus probable|Rien, A est meilleur",
    ),
    "quiz.beam_why": (
        "The probabilities of a pair are multiplied: 0.6·0.3 = 0.18 is less than 0.4·0.9 = 0.36, and 0.5·0.4 = 0.20 is "
        "less than 0.3·0.8 = 0.24. A beam keeps several beginnings for that reason.",
        "一对词的概率相乘：0.6·0.3 = 0.18 小于 0.4·0.9 = 0.36，0.5·0.4 = 0.20 小于 0.3·0.8 = 0.24。因此束搜索会保留几个开头。",
        "Les probabilités d'une paire se multiplient : 0,6·0,3 = 0,18 est moins que 0,4·0,9 = 0,36, et 0,5·0,4 = 0,20 "
        "moins que 0,3·0,8 = 0,24. C'est pourquoi un faisceau garde plusieurs débuts.",
    ),
    "quiz.training": ("Training", "训练", "Entraînement"),
    "quiz.training_before": (
        "What does training change in the model, step by step?",
        "训练一步一步地改变模型的什么？",
        "Que change l'entraînement dans le modèle, étape par étape ?",
    ),
    "quiz.training_before_options": (
        "The learned numbers|The number of layers|The list of tokens",
        "学得的那些数|层的数目|词元的列表",
        "Les nombres appris|Le nombre de couches|La liste des tokens",
    ),
    "quiz.training_after": (
        "In training the model gives the right next word a probability of 0.1. What is that probability right "
        "after one step of training on this example?",
        "训练中，模型给正确的下一个词 0.1 的概率。从这个例子学了一步之后，这个概率会怎样？",
        "À l'entraînement, le modèle donne au bon mot suivant une probabilité de 0,1. Que devient-elle juste "
        "après une étape d'entraînement sur cet exemple ?",
    ),
    "quiz.training_after_options": (
        "Somewhat higher|Somewhat lower|Exactly the same",
        "变大一些|变小一些|完全不变",
        "Un peu plus haute|Un peu plus basse|Exactement la même",
    ),
    "quiz.training_why": (
        "Each step changes the parameters a little, so that the right next word becomes more probable. Layers and "
        "vocabulary stay as they were made.",
        "每一步都把参数改动一点，使正确的下一个词概率更大。层数和词表不变。",
        "Chaque étape change un peu les paramètres, pour que le bon mot suivant devienne plus probable. Les couches et "
        "le vocabulaire restent comme ils ont été faits.",
    ),
    "quiz.off": ("What a weight proves", "权重能证明什么", "Ce que prouve un poids"),
    "quiz.off_before": (
        "A head puts 90% of its weight on one word. What do you know for certain?",
        "一个头把 90% 的权重放在一个词上。你能确定什么？",
        "Une tête met 90 % de son poids sur un mot. Que savez-vous avec certitude ?",
    ),
    "quiz.off_before_options": (
        "The head reads that word|That word caused the output|Other words do not matter",
        "这个头在读那个词|那个词导致了输出|别的词都不重要",
        "La tête lit ce mot|Ce mot est la cause|Le reste est inutile",
    ),
    "quiz.off_after": (
        "You switch one head off, and the translation stays the same. What do you know for certain?",
        "你关掉一个头，译文没有变。你能确定什么？",
        "Vous désactivez une tête et la traduction reste la même. Que savez-vous avec certitude ?",
    ),
    "quiz.off_after_options": (
        "It was not needed here|It is never of any use|It looked at no word",
        "这里不需要它|它从来没有用|它没有看任何词",
        "Elle était inutile ici|Elle est toujours inutile|Elle ne regardait rien",
    ),
    "quiz.off_why": (
        "A weight says where a head reads. Whether that matters, an experiment says, and only for the sentence that was "
        "tried.",
        "权重说明头在读哪里。那是否重要，要由实验来回答，而且只对试过的句子成立。",
        "Un poids dit où lit une tête. Si cela compte, une expérience le dit, et seulement pour la phrase essayée.",
    ),
}
