"""Words of the first steps: what this is, the box, the tour, the gallery and the glossary.

``first.forms_<term>`` are the forms by which a label on screen is known to hold a term, its name first.
"""

STRINGS: dict[str, tuple[str, ...]] = {
    "first.what": (
        "A Transformer translates your sentence, and you see which words each of its attention heads looks at.",
        "Transformer 翻译你的句子，你可以看到它的每个注意力头看哪些词。",
        "Un Transformer traduit votre phrase, et vous voyez quels mots regarde chacune de ses têtes d'attention.",
    ),
    "first.box": ("Your own sentence", "你自己的句子", "Votre propre phrase"),
    "first.invite": ("Type a sentence", "输入一个句子", "Écrivez une phrase"),
    "first.invite_ids": ("Type ids: {ids}", "输入编号：{ids}", "Écrivez des numéros : {ids}"),
    "first.invite_en": ("Type an English sentence", "输入一个英语句子", "Écrivez une phrase en anglais"),
    "first.invite_fr": ("Type a French sentence", "输入一个法语句子", "Écrivez une phrase en français"),
    "first.invite_de": ("Type a German sentence", "输入一个德语句子", "Écrivez une phrase en allemand"),
    "first.invite_zh": ("Type a Chinese sentence", "输入一个中文句子", "Écrivez une phrase en chinois"),
    "first.gallery": ("Sentences to try", "例句", "Phrases à essayer"),
    "first.tried_elsewhere": (
        "These sentences were chosen for the model {model}. What do you see with the model in use?",
        "这些句子是为模型 {model} 选的。用现在的模型会看到什么？",
        "Ces phrases ont été choisies pour le modèle {model}. Que voyez-vous avec le modèle utilisé ?",
    ),
    "first.own_language": ("Translate into English", "译成中文", "Traduire en français"),
    "first.words": ("Glossary", "术语", "Glossaire"),
    "first.tour": ("New here? 60 seconds", "第一次来？60 秒", "Première visite ? 60 secondes"),
    "first.tour_title": ("Regard in 60 seconds", "60 秒了解 Regard", "Regard en 60 secondes"),
    "first.back": ("Back", "上一步", "Précédent"),
    "first.next": ("Next", "下一步", "Suivant"),
    "first.recent": ("Recent sentences", "最近的句子", "Phrases récentes"),
    "first.stop_sentence": ("Your sentence", "你的句子", "Votre phrase"),
    "first.stop_sentence_text": (
        "The first line is the sentence, cut into tokens; the second is the model's translation. Type another "
        "sentence in the box and press Enter.",
        "第一行是切成词元的句子，第二行是模型的译文。在输入框里写另一个句子，按回车。",
        "La première ligne est la phrase, découpée en tokens ; la seconde est la traduction du modèle. Écrivez une "
        "autre phrase dans le champ de saisie et appuyez sur Entrée.",
    ),
    "first.stop_heads": ("What a head looks at", "一个头看哪里", "Ce que regarde une tête"),
    "first.stop_heads_text": (
        "Each small picture on Explore is one attention head. Click one to see it large: a row is a word being "
        "written, and strongly coloured cells are the words that the head looks at.",
        "“探索”页的每个小图是一个注意力头。单击可放大：一行是正在写的词，颜色浓的格子是这个头所看的词。",
        "Chaque petite image de la page Explorer est une tête d'attention. Cliquez sur l'une d'elles pour l'agrandir : une "
        "ligne est un mot en train d'être écrit, les cases les plus colorées sont les mots que la tête regarde.",
    ),
    "first.stop_off": ("Does the translation need it?", "译文需要它吗？", "La traduction en a-t-elle besoin ?"),
    "first.stop_off_text": (
        "Press “Switch this head off” beside the large picture. The sentence is translated again without that head. "
        "Often nothing changes, sometimes a word does.",
        "按大图旁的“关闭此头”，句子会在没有这个头的情况下重新翻译。往往什么也不变，有时会变一个词。",
        "Appuyez sur « Désactiver cette tête » à côté de la grande image. La phrase est traduite de nouveau sans "
        "cette tête. Souvent rien ne change, parfois un mot change.",
    ),
    "first.stop_overview": ("The whole model", "整个模型", "Le modèle entier"),
    "first.stop_overview_text": (
        "The page Overview shows every part of the model on one screen. Click a part to open its page.",
        "“总览”页把模型的所有部分放在一屏上，单击任一部分可打开它的页面。",
        "La page Aperçu montre toutes les parties du modèle sur un écran. Cliquez sur une partie pour ouvrir sa page.",
    ),
    "first.stop_lesson": ("Learn how it works", "学习它的原理", "Apprendre comment il fonctionne"),
    "first.stop_lesson_text": (
        "The lesson asks twelve questions, with an experiment for each. Every question comes with a sentence, and "
        "you can type your own. The lesson takes 45 or 90 minutes.",
        "课程提出十二个问题，每个问题有一个实验。每个问题都配有例句，也可以输入你自己的句子。共 45 或 90 分钟。",
        "La leçon pose douze questions, avec une expérience pour chacune. Chaque question a sa phrase d'exemple, et "
        "vous pouvez écrire la vôtre. La leçon dure 45 ou 90 minutes.",
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
        "Idiom: the French has no cats and no dogs; it rains “cordes” (ropes). Which words does the decoder look at "
        "while it writes “cordes”?",
        "习语：法语里没有猫和狗，说的是下“cordes”（绳子）。写“cordes”时，解码器看了哪些词？",
        "Expression idiomatique : ni chat ni chien en français. Quels mots le décodeur regarde-t-il en écrivant "
        "« cordes » ?",
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
        "The place comes before the verb: “花园” is written before “读”.",
        "地点在动词前：先写“花园”，后写“读”。",
        "Le lieu avant le verbe : « 花园 » est écrit avant « 读 ».",
    ),
    "first.term": ("**{term}**: {about}", "**{term}**：{about}", "**{term}** : {about}"),
    "first.term_token": ("token", "词元", "token"),
    "first.forms_token": ("token|tokens", "词元", "token|tokens"),
    "first.about_token": (
        "a word or part of a word, the unit that the model reads and writes",
        "词或词的一部分，模型读写的单位",
        "un mot ou une partie de mot, l'unité que le modèle lit et écrit",
    ),
    "first.term_head": ("head", "头", "tête"),
    "first.forms_head": ("head|heads", "头", "tête|têtes"),
    "first.about_head": (
        "one of several attentions computed side by side in a layer, each with weights of its own",
        "一层中并行计算的多个注意力之一，各有自己的权重",
        "l'une des attentions calculées côte à côte dans une couche, chacune avec ses propres poids",
    ),
    "first.term_layer": ("layer", "层", "couche"),
    "first.forms_layer": ("layer|layers", "层", "couche|couches"),
    "first.about_layer": (
        "one step of the computation; the result of a layer is the input of the next",
        "计算中的一步；一层的结果是下一层的输入",
        "une étape du calcul ; le résultat d'une couche est l'entrée de la suivante",
    ),
    "first.term_weight": ("weight", "权重", "poids"),
    "first.forms_weight": ("weight|weights", "权重", "poids"),
    "first.about_weight": (
        "how much a head looks at a token, from 0 to 1; the weights of a row add up to 1",
        "头看某个词元的程度，0 到 1；一行的权重之和为 1",
        "combien une tête regarde un token, de 0 à 1 ; la somme des poids d'une ligne vaut 1",
    ),
    "first.term_cross": ("cross-attention", "交叉注意力", "attention croisée"),
    "first.forms_cross": ("cross-attention|cross", "交叉注意力|交叉", "attention croisée|croisée"),
    "first.about_cross": (
        "the decoder looks at the source sentence; in self-attention a sentence looks at itself",
        "解码器看源句；自注意力则是句子看自己",
        "le décodeur regarde la phrase source ; en auto-attention une phrase se regarde elle-même",
    ),
    "first.term_query": ("query, key, value", "查询、键、值", "requête, clé, valeur"),
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
    "first.term_sink": ("sink", "注意力汇点", "puits d'attention"),
    "first.forms_sink": ("sink|sinks", "注意力汇点|汇点", "puits d'attention|puits"),
    "first.about_sink": (
        "a token such as </s> or the full stop on which many heads put weight, often because they have little to pass on",
        "如 </s> 或句号这样的词元：许多头把权重放在上面，往往是因为没有多少要传递",
        "un token comme </s> ou le point, où beaucoup de têtes mettent du poids, souvent parce qu'elles ont peu à transmettre",
    ),
    "first.term_log_prob": ("log p", "log p", "log p"),
    "first.forms_log_prob": ("log p|log-probability", "log p|对数概率", "log p|log-probabilité"),
    "first.about_log_prob": (
        "the natural logarithm of a probability: 0 is certain, −0.7 is one half, −2.3 is one tenth",
        "概率的自然对数：0 是确定，−0.7 是二分之一，−2.3 是十分之一",
        "le logarithme naturel d'une probabilité : 0 est certain, −0,7 une chance sur deux, −2,3 une sur dix",
    ),
    "first.term_embedding": ("embedding", "词嵌入", "plongement"),
    "first.forms_embedding": ("embedding|embeddings", "词嵌入", "plongement|plongements"),
    "first.about_embedding": (
        "the vector with which a token enters the model",
        "词元进入模型时的向量",
        "le vecteur avec lequel un token entre dans le modèle",
    ),
    "first.term_greedy": ("greedy, beam", "贪心、束搜索", "glouton, faisceau"),
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
}
