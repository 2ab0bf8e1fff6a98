"""Words of the first steps: what this is, the box, the tour, the gallery and the glossary.

``first.forms_<term>`` are the forms by which a label on screen is known to hold a term, its name first.
"""

STRINGS: dict[str, tuple[str, ...]] = {
    "first.what": (
        "A Transformer translates your sentence, and you see which words each of its attention heads looks at.",
        "Transformer 翻译你的句子，你可以看到它的每个注意力头看哪些词。",
        "Un Transformer traduit votre phrase, et vous voyez quels mots regarde chacune de ses têtes d'attention.",
    ),
    "first.what_alone": (
        "This model reads your text, and you see which words each of its attention heads looks at.",
        "这个模型阅读你的文本，你可以看到它的每个注意力头看哪些词。",
        "Ce modèle lit votre texte, et vous voyez quels mots regarde chacune de ses têtes d'attention.",
    ),
    "first.invite": ("Type a sentence", "输入一个句子", "Écrivez une phrase"),
    "first.invite_ids": ("Type ids: {ids}", "输入编号：{ids}", "Écrivez des numéros : {ids}"),
    "first.invite_en": ("Type an English sentence", "输入一个英语句子", "Écrivez une phrase en anglais"),
    "first.invite_fr": ("Type a French sentence", "输入一个法语句子", "Écrivez une phrase en français"),
    "first.invite_de": ("Type a German sentence", "输入一个德语句子", "Écrivez une phrase en allemand"),
    "first.invite_zh": ("Type a Chinese sentence", "输入一个中文句子", "Écrivez une phrase en chinois"),
    "first.tried_elsewhere": (
        "These sentences were chosen for the model {model}. What do you see with the model in use?",
        "这些句子是为模型 {model} 选的。用现在的模型会看到什么？",
        "Ces phrases ont été choisies pour le modèle {model}. Que voyez-vous avec le modèle utilisé ?",
    ),
    "first.own_language": ("Translate into English", "译成中文", "Traduire en français"),
    "first.door_lesson": ("Teach a lesson", "上一堂课", "Donner un cours"),
    "first.door_checkpoints": ("Open my own model", "打开我的模型", "Ouvrir mon modèle"),
    "first.tour_title": ("Tour", "导览", "Visite"),
    "first.tour_leave": ("Leave the tour (Esc)", "离开导览（Esc）", "Quitter la visite (Échap)"),
    "first.tour_back": ("Back", "上一步", "Précédent"),
    "first.tour_next": ("Next", "下一步", "Suivant"),
    "first.tour_finish": ("Done", "完成", "Terminé"),
    "first.tour_word": (
        "Click a word of the translation.",
        "单击译文里的一个词。",
        "Cliquez sur un mot de la traduction.",
    ),
    "first.tour_word_text": (
        "The sentence lights up: the stronger the colour of a word, the more this head looked at it to write yours.",
        "源句会亮起来：一个词颜色越深，这个头写你选的词时看它越多。",
        "La phrase se colore : plus un mot est foncé, plus cette tête l'a regardé pour écrire le vôtre.",
    ),
    "first.tour_head": ("Choose another head.", "换一个头。", "Choisissez une autre tête."),
    "first.tour_head_text": (
        "Each small picture is one attention head. Click one: it looks at other words.",
        "每个小图是一个注意力头。单击一个：它看的词不同。",
        "Chaque petite image est une tête d'attention. Cliquez sur l'une d'elles : elle regarde d'autres mots.",
    ),
    "first.tour_head_pulsing": (
        "Each small picture is one attention head. Click one that pulses: this translation depends on it.",
        "每个小图是一个注意力头。单击一个闪动的：这句译文离不开它。",
        "Chaque petite image est une tête d'attention. Cliquez sur une image qui palpite : cette traduction en dépend.",
    ),
    "first.tour_off": ("Switch this head off.", "关闭这个头。", "Désactivez cette tête."),
    "first.tour_off_text": (
        "The sentence is translated again without it, and what changed is written under the translation.",
        "句子会在没有它的情况下重新翻译，译文下面写出变了什么。",
        "La phrase est traduite de nouveau sans elle, et ce qui change s'écrit sous la traduction.",
    ),
    "first.tour_step": ("Look inside the head.", "看看这个头的内部。", "Regardez à l'intérieur de la tête."),
    "first.tour_step_text": (
        "“Look inside” shows step by step how a head computes where it looks.",
        "“查看内部”逐步展示一个头怎样算出看哪里。",
        "« Voir l'intérieur » montre pas à pas comment une tête calcule ce qu'elle regarde.",
    ),
    "first.tour_own": ("Type your own sentence.", "写一个你自己的句子。", "Écrivez votre propre phrase."),
    "first.tour_own_text": (
        "Click “Type another sentence”, write one, and press Enter.",
        "单击“换一句”，写一个句子，按回车。",
        "Cliquez sur « Écrire une autre phrase », écrivez-en une et appuyez sur Entrée.",
    ),
    "first.tour_done": ("That is the tour.", "导览到此结束。", "C'est la fin de la visite."),
    "first.tour_done_text": (
        "You have seen where a head looks, what depends on it, and how it computes. The lesson has fourteen questions, "
        "each with an experiment.",
        "你看到了一个头看哪里、什么依赖它、它怎样计算。课程里有十四个问题，每个都有一个实验。",
        "Vous avez vu ce que regarde une tête, ce qui en dépend et comment elle calcule. La leçon pose quatorze questions, "
        "chacune avec une expérience.",
    ),
    "first.shows_order": (
        "The word order changes: French puts “rouge” after the noun. Look for the cells off the diagonal.",
        "词序反转：法语把“rouge”放在名词后面。看偏离对角线的格子。",
        "L'ordre des mots s'inverse : « rouge » suit le nom. Cherchez les cases hors de la diagonale.",
    ),
    "first.shows_agreement": (
        "Agreement: “petite” is feminine because “fille” is. Which words does the decoder look at while it writes "
        "“petite”?",
        "一致关系：“petite”用阴性，因为“fille”是阴性。写它的时候，解码器看了哪些词？",
        "Accord : « petite » est au féminin à cause de « fille ». Quels mots le décodeur regarde-t-il en l'écrivant ?",
    ),
    "first.shows_ambiguity": (
        "Ambiguity: “right” has several meanings; here it is a direction. Compare with “He is right.”",
        "歧义：“right”有几个意思，这里指方向。与“He is right.”比较。",
        "Ambiguïté : « right » a plusieurs sens ; ici c'est une direction. Comparez avec « He is right. »",
    ),
    "first.shows_negation": (
        "Negation: one word in English, two in French (ne … pas).",
        "否定：英语一个词，法语两个（ne … pas）。",
        "Négation : un mot en anglais, deux en français (ne … pas).",
    ),
    "first.shows_idiom": (
        "Idiom: English is hungry, French has hunger: “J'ai faim”. Which word does the decoder look at while it writes "
        "“faim”?",
        "习语：法语说“J'ai faim”，字面意思是我有饥饿。写“faim”时，解码器看了哪个词？",
        "Expression : l'anglais est affamé, le français a faim. Quel mot le décodeur regarde-t-il en écrivant « faim » ?",
    ),
    "first.shows_distance": (
        "Long distance: “interesting” describes “book”, seven words earlier.",
        "长距离：“interesting”说的是七个词之前的“book”。",
        "Longue distance : « interesting » se rapporte à « book », sept mots plus tôt.",
    ),
    "first.shows_question": (
        "Question: remove the question mark and the French word order changes.",
        "疑问句：去掉问号，法语的词序就变了。",
        "Question : retirez le point d'interrogation et l'ordre des mots change.",
    ),
    "first.shows_head": (
        "A head that matters: one head of cross-attention changes this translation when it is off.",
        "起作用的头：交叉注意力里有一个头，关掉后译文会变。",
        "Une tête qui compte : désactivez une seule tête d'attention croisée, et cette traduction change.",
    ),
    "first.shows_beam": (
        "Beam search gives another translation than greedy decoding.",
        "束搜索与贪心解码给出不同的译文。",
        "La recherche en faisceau donne une autre traduction que le décodage glouton.",
    ),
    "first.shows_clause": (
        "The verb at the end: “hat” comes last in the clause after “dass”. Look for the cells off the diagonal.",
        "动词在句末：“dass”之后的从句里，“hat”排在最后。看偏离对角线的格子。",
        "Le verbe à la fin : « hat » vient en dernier après « dass ». Cherchez les cases hors de la diagonale.",
    ),
    "first.shows_perfect": (
        "The participle at the end: the object stands between “habe” and “gelesen”. Which source word does each of "
        "them look at?",
        "分词在句末：“habe”和“gelesen”把宾语夹在中间。它们各看源句的哪个词？",
        "Le participe à la fin : « habe » et « gelesen » encadrent l'objet. Quel mot source chacun regarde-t-il ?",
    ),
    "first.shows_separable": (
        "A verb in two parts: “calls” becomes “ruft … an”, with the rest of the sentence between them.",
        "动词分成两半：“calls”译成“ruft … an”，句子的其余部分夹在中间。",
        "Un verbe en deux morceaux : « calls » devient « ruft … an », le reste de la phrase est entre les deux.",
    ),
    "first.shows_second": (
        "The verb comes second: after “Gestern” the verb stands before the subject.",
        "动词居第二位：“Gestern”之后，动词排在主语前面。",
        "Le verbe en deuxième place : après « Gestern », il vient avant le sujet.",
    ),
    "first.shows_case": (
        "Case: “den” marks the object. Compare with “The dog sees me.”",
        "格：“den”标出宾语。与“The dog sees me.”比较。",
        "Le cas : « den » marque l'objet. Comparez avec « The dog sees me. »",
    ),
    "first.shows_compound": (
        "Two words become one: “train station” becomes “Bahnhof”. Which words do its tokens look at?",
        "两个词合成一个：“train station”译成“Bahnhof”。它的词元看了哪些词？",
        "Deux mots en un : « train station » devient « Bahnhof ». Que regardent ses tokens ?",
    ),
    "first.shows_measure": (
        "Measure word: Chinese writes “本” between the number and “书”; English has no word for it.",
        "量词：数词和“书”之间要用“本”，英语里没有对应的词。",
        "Classificateur : le chinois écrit « 本 » entre le nombre et « 书 » ; l'anglais n'a pas ce mot.",
    ),
    "first.shows_article": (
        "No articles: nothing in the translation stands for “the”. Does any row look at it?",
        "没有冠词：译文里没有与“the”对应的词。有哪一行看它吗？",
        "Pas d'article : rien ne traduit « the ». Une ligne le regarde-t-elle ?",
    ),
    "first.shows_time": (
        "Time comes before the verb: “昨天” comes early, “yesterday” comes last. Look for the cells off the diagonal.",
        "时间在动词前：“昨天”靠前，“yesterday”在句末。看偏离对角线的格子。",
        "Le temps avant le verbe : « 昨天 » est au début, « yesterday » à la fin. Cherchez hors de la diagonale.",
    ),
    "first.shows_particle": (
        "Question: Chinese puts “吗” at the end; English begins with “Do”.",
        "疑问句：中文句末用“吗”，英语以“Do”开头。",
        "Question : le chinois met « 吗 » à la fin ; l'anglais commence par « Do ».",
    ),
    "first.shows_place": (
        "The place comes before the verb: “花园” is written before “看书”.",
        "地点在动词前：先写“花园”，后写“看书”。",
        "Le lieu avant le verbe : « 花园 » est écrit avant « 看书 ».",
    ),
    "first.forms_token": ("token|tokens", "词元", "token|tokens"),
    "first.about_token": (
        "a word or part of a word, the unit that the model reads and writes",
        "词或词的一部分，模型读写的单位",
        "un mot ou une partie de mot, l'unité que le modèle lit et écrit",
    ),
    "first.forms_head": ("head|heads", "头", "tête|têtes"),
    "first.about_head": (
        "one way of looking, learned in training: for each token it gives every token that it may look at a "
        "weight. A layer has several",
        "训练中学会的一种看法：对每个词元，它给能看到的各个词元各一个权重。一层有好几个头",
        "une façon de regarder, apprise à l'entraînement : pour chaque token, elle donne un poids à chacun des "
        "tokens qu'il peut voir. Une couche en a plusieurs",
    ),
    "first.forms_layer": ("layer|layers", "层", "couche|couches"),
    "first.about_layer": (
        "one stage of the model: attention, then a feed-forward network. Its result is the input of the next layer",
        "模型的一级：先是注意力，再是前馈网络。它的结果是下一层的输入",
        "un étage du modèle : l'attention, puis un réseau feed-forward. Son résultat est l'entrée de la couche suivante",
    ),
    "first.forms_weight": ("weight|weights", "权重", "poids"),
    "first.about_weight": (
        "how much a head looks at a token, from 0 to 1; the weights of a row add up to 1",
        "头看某个词元的程度，0 到 1；一行的权重之和为 1",
        "combien une tête regarde un token, de 0 à 1 ; la somme des poids d'une ligne vaut 1",
    ),
    "first.forms_cross": ("cross-attention|cross", "交叉注意力|交叉", "attention croisée|croisée"),
    "first.about_cross": (
        "the decoder looks at the source sentence; in self-attention a sentence looks at itself",
        "解码器看源句；自注意力则是句子看自己",
        "le décodeur regarde la phrase source ; en auto-attention une phrase se regarde elle-même",
    ),
    "first.forms_query": (
        "query, key, value|query|queries|key and value",
        "查询、键、值|查询|键与值",
        "requête, clé, valeur|requête|requêtes|clé et valeur",
    ),
    "first.about_query": (
        "what a token looks for, how a token is found, and what it passes on: like the request, the label and the "
        "content of a book in a library",
        "词元要找什么、怎样被找到、传递什么：好比借书请求、书脊标签和书的内容",
        "ce qu'un token cherche, comment on le trouve, ce qu'il transmet : comme la demande, l'étiquette et le "
        "contenu d'un livre de bibliothèque",
    ),
    "first.forms_sink": ("sink|sinks", "注意力汇点|汇点", "puits d'attention|puits"),
    "first.about_sink": (
        "a token such as </s> or the full stop on which many heads put weight, often because they have little to "
        "pass on; in the last rows this weight can decide that the sentence ends",
        "如 </s> 或句号这样的词元：许多头把权重放在上面，往往是因为没有多少要传递；在最后几行，这些权重可能决定句子结束",
        "un token comme </s> ou le point, où beaucoup de têtes mettent du poids, souvent parce qu'elles ont peu à "
        "transmettre ; dans les dernières lignes, ces poids peuvent décider de la fin de la phrase",
    ),
    "first.forms_log_prob": ("log p|log-probability", "log p|对数概率", "log p|log-probabilité"),
    "first.about_log_prob": (
        "the natural logarithm of a probability: 0 is certain, −0.7 is one half, −2.3 is one tenth",
        "概率的自然对数：0 是确定，−0.7 是二分之一，−2.3 是十分之一",
        "le logarithme naturel d'une probabilité : 0 est certain, −0,7 une chance sur deux, −2,3 une sur dix",
    ),
    "first.forms_embedding": ("embedding|embeddings", "词嵌入", "plongement|plongements"),
    "first.about_embedding": (
        "the vector with which a token enters the model",
        "词元进入模型时的向量",
        "le vecteur avec lequel un token entre dans le modèle",
    ),
    "first.forms_greedy": (
        "greedy, beam|greedy|beam|beam search",
        "贪心、束搜索|贪心|束搜索",
        "glouton, faisceau|glouton|faisceau",
    ),
    "first.about_greedy": (
        "at each step, take the most probable token (greedy) or keep several unfinished translations (beam)",
        "每一步取概率最大的词元（贪心），或者同时保留几个未完成的译文（束搜索）",
        "à chaque étape, prendre le token le plus probable (glouton) ou garder plusieurs traductions inachevées "
        "(faisceau)",
    ),
    "first.forms_encoder": ("encoder", "编码器", "encodeur"),
    "first.about_encoder": (
        "the half of the model that reads the source sentence, all tokens at once",
        "模型中读源句的那一半，一次读入所有词元",
        "la moitié du modèle qui lit la phrase source, tous les tokens à la fois",
    ),
    "first.forms_decoder": ("decoder", "解码器", "décodeur"),
    "first.about_decoder": (
        "the half of the model that writes the translation, one token at a step",
        "模型中写译文的那一半，每一步写一个词元",
        "la moitié du modèle qui écrit la traduction, un token par étape",
    ),
    "first.forms_source": ("source|source sentence", "源句", "source|phrase source"),
    "first.about_source": (
        "the sentence that is translated",
        "要翻译的句子",
        "la phrase à traduire",
    ),
    "first.forms_vector": ("vector|vectors", "向量", "vecteur|vecteurs"),
    "first.about_vector": (
        "a list of numbers; the model computes with one for each token",
        "一串数；模型用每个词元的一串数来计算",
        "une liste de nombres ; le modèle calcule avec une liste par token",
    ),
    "first.forms_softmax": ("softmax", "softmax", "softmax"),
    "first.about_softmax": (
        "turns any numbers into positive shares that add up to 1; the largest number gets the largest share",
        "把任意的数变成总和为 1 的正份额；数越大，份额越大",
        "transforme des nombres quelconques en parts positives de somme 1 ; au plus grand nombre la plus grande part",
    ),
    "first.forms_mask": ("mask|masks|masked", "掩码", "masque|masques|masqué"),
    "first.about_mask": (
        "the list of tokens that a token may not look at, such as those after it",
        "一个词元不许看的词元，例如它后面的那些",
        "les tokens qu'un token n'a pas le droit de regarder, par exemple ceux qui le suivent",
    ),
    "first.forms_residual": ("residual stream|residual", "残差流|残差", "flux résiduel|résiduel"),
    "first.about_residual": (
        "a token's vector on its way through the layers: each layer adds its result to it",
        "词元的向量依次经过各层：每一层把自己的结果加上去",
        "le vecteur d'un token à travers les couches : chaque couche y ajoute son résultat",
    ),
    "first.forms_feed_forward": (
        "feed-forward|feed-forward network",
        "前馈网络|前馈",
        "feed-forward|réseau feed-forward",
    ),
    "first.about_feed_forward": (
        "the part of a layer that computes on each token's vector alone; attention is the other part",
        "一层里对每个词元的向量单独计算的部分；另一部分是注意力",
        "la partie d'une couche qui calcule sur le vecteur de chaque token seul ; l'attention est l'autre partie",
    ),
    "first.forms_logit": ("logit|logits", "logit", "logit|logits"),
    "first.about_logit": (
        "the score of a possible next token before the softmax makes it a probability",
        "某个候选词元在 softmax 变成概率之前的分数",
        "le score d'un token suivant possible, avant que le softmax en fasse une probabilité",
    ),
    "first.forms_nat": ("nat|nats", "奈特", "nat|nats"),
    "first.about_nat": (
        "the unit of log p and of −ln p: 0.7 nats less log p is half the probability",
        "log p 和 −ln p 的单位：log p 少 0.7 奈特，概率减半",
        "l'unité de log p et de −ln p : log p de 0,7 nat de moins, c'est une probabilité divisée par deux",
    ),
    "first.forms_entropy": ("entropy", "熵", "entropie"),
    "first.about_entropy": (
        "how spread out shares are: 0 where one has everything, largest where all are equal",
        "份额有多分散：全归一个时为 0，完全平均时最大",
        "à quel point des parts sont dispersées : 0 si une seule a tout, maximale si toutes sont égales",
    ),
    "first.forms_loss": (
        "loss",
        "损失",
        "perte",
    ),
    "first.about_loss": (
        "how surprised the model is by the right tokens: the mean of −ln p; training makes it smaller",
        "模型对正确词元有多意外：−ln p 的平均；训练就是让它变小",
        "à quel point le modèle est surpris par les bons tokens : la moyenne de −ln p ; l'entraînement la diminue",
    ),
    "first.forms_gradient": (
        "gradient|gradients",
        "梯度",
        "gradient|gradients",
    ),
    "first.about_gradient": (
        "for each learned number, how fast the loss grows when this number grows; training goes the other way",
        "对每个学得的数：它增大时，损失增大得有多快；训练朝相反的方向改",
        "pour chaque nombre appris, à quelle vitesse la perte augmente quand il augmente ; l'entraînement va "
        "dans l'autre sens",
    ),
    "first.forms_cosine": (
        "cosine|cosines",
        "余弦",
        "cosinus",
    ),
    "first.about_cosine": (
        "how alike the directions of two vectors are: 1 is the same direction, 0 a right angle",
        "两个向量的方向有多相近：1 是方向相同，0 是成直角",
        "à quel point deux vecteurs ont la même direction : 1, la même ; 0, un angle droit",
    ),
}
