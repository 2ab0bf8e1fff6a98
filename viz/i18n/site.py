"""Words of the site that runs without a server."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "site.tagline": (
        "A small Transformer translates English in this page. See where every attention head looks.",
        "一个小型 Transformer 就在本页把英语译成其他语言。看看每个注意力头在看哪里。",
        "Un petit Transformer traduit l'anglais dans cette page. Voyez où regarde chaque tête d'attention.",
    ),
    "site.language": ("Language of this page", "页面语言", "Langue de cette page"),
    "site.placeholder": ("Type an English sentence", "输入一个英语句子", "Écrivez une phrase en anglais"),
    "site.translate": ("Translate", "翻译", "Traduire"),
    "site.examples": ("Sentences to try", "试试这些句子", "Des phrases à essayer"),
    "site.loading": ("Loading the model", "正在加载模型", "Chargement du modèle"),
    "site.loading_so_far": (
        "Loading the model: {done} of {total} MB. It is kept for your next visit.",
        "正在加载模型：{done} / {total} MB。下次访问无需再次下载。",
        "Chargement du modèle : {done} sur {total} Mo. Il est gardé pour votre prochaine visite.",
    ),
    "site.step_so_far": (
        "Translating a long sentence: {step} tokens, at most {most}.",
        "正在翻译一个长句：已有 {step} 个词元，最多 {most} 个。",
        "Traduction d'une longue phrase : {step} tokens, {most} au plus.",
    ),
    "site.empty": ("Type a sentence first.", "请先输入一个句子。", "Écrivez d'abord une phrase."),
    "site.model": ("Model", "模型", "Modèle"),
    "site.other_model": (
        "The teacher's model does not run on a phone. This is {name}.",
        "老师所用的模型不能在手机上运行。这里是 {name}。",
        "Le modèle de l'enseignant ne tourne pas sur un téléphone. Voici {name}.",
    ),
    "site.too_long": (
        "This text has {n} characters; the page takes {most}. Shorten it.",
        "这段文字有 {n} 个字符，本页最多接受 {most} 个。请缩短。",
        "Ce texte a {n} caractères ; la page en accepte {most}. Raccourcissez-le.",
    ),
    "site.failed_long": (
        "This text has {n} tokens; the page takes {most}. Shorten it, or translate it sentence by sentence.",
        "这段文字有 {n} 个词元，本页最多接受 {most} 个。请缩短，或一句一句地翻译。",
        "Ce texte a {n} tokens ; la page en accepte {most}. Raccourcissez-le, ou traduisez phrase par phrase.",
    ),
    "site.failed_network": (
        "The model could not be loaded: the connection failed. Check it and reload the page.",
        "无法加载模型：连接失败。请检查网络后重新加载页面。",
        "Le modèle n'a pas pu être chargé : la connexion a échoué. Vérifiez-la et rechargez la page.",
    ),
    "site.failed_damaged": (
        "The model arrived damaged twice. Reload the page; if it happens again, the file on the host is not the one that was exported.",
        "模型两次下载都已损坏。请重新加载页面；如果仍然如此，说明服务器上的文件与导出的不一致。",
        "Le modèle est arrivé abîmé deux fois. Rechargez la page ; si cela recommence, le fichier de l'hébergeur n'est pas celui qui a été exporté.",
    ),
    "site.failed_memory": (
        "This device has too little free memory for the model. Close other tabs and reload the page, or look at the pictures below.",
        "这台设备的可用内存不足以运行模型。请关闭其他标签页后重新加载，或看看下面的图片。",
        "Cet appareil n'a pas assez de mémoire libre pour le modèle. Fermez d'autres onglets et rechargez la page, ou regardez les images ci-dessous.",
    ),
    "site.failed_other": (
        "This could not be computed. Reload the page; a newer browser may be needed.",
        "无法完成计算。请重新加载页面；也可能需要更新的浏览器。",
        "Le calcul n'a pas abouti. Rechargez la page ; il faut peut-être un navigateur plus récent.",
    ),
    "site.pictures": ("Translations made beforehand", "事先做好的译文", "Des traductions préparées"),
    "site.pictures_hint": (
        "Each picture shows where one cross-attention head looks: a row is a token of the translation, a column a token of the sentence.",
        "每张图显示一个交叉注意力头看向哪里：每行是译文的一个词元，每列是原句的一个词元。",
        "Chaque image montre où regarde une tête d'attention croisée : une ligne est un token de la traduction, une colonne un token de la phrase.",
    ),
    "site.unknown": (
        "The model does not know {characters}: it reads an unknown token there.",
        "模型不认识 {characters}，会读成未知词元。",
        "Le modèle ne connaît pas {characters} : il lit à cet endroit un token inconnu.",
    ),
    "site.cut": (
        "The translation did not end by itself and was cut.",
        "译文没有自行结束，已被截断。",
        "La traduction ne s'est pas terminée d'elle-même et a été coupée.",
    ),
    "site.long": (
        "This is far longer than the sentences the model learned from.",
        "这个句子远比模型学过的句子长。",
        "C'est bien plus long que les phrases sur lesquelles le modèle a appris.",
    ),
    "site.change": ("Change something", "改动一下", "Changer quelque chose"),
    "site.hide": ("Hide a source token from the decoder", "对解码器隐藏一个源词元", "Cacher un token source au décodeur"),
    "site.hide_none": ("none", "不隐藏", "aucun"),
    "site.positions": ("Positions of the source", "源句的位置编码", "Positions de la source"),
    "site.positions_kept": ("as they are", "保持原样", "telles quelles"),
    "site.positions_zero": ("removed", "去掉", "supprimées"),
    "site.positions_shuffle": ("shuffled", "打乱", "mélangées"),
    "site.positions_reverse": ("reversed", "颠倒", "inversées"),
    "site.head_hint": (
        "To switch a head off, open it below.",
        "要关掉一个头，请在下方打开它。",
        "Pour désactiver une tête, ouvrez-la ci-dessous.",
    ),
    "site.kind_encoder_self": ("encoder", "编码器", "encodeur"),
    "site.kind_decoder_self": ("decoder", "解码器", "décodeur"),
    "site.kind_cross": ("cross", "交叉", "croisée"),
    "site.head": ("{kind} {layer}·{head}", "{kind} {layer}·{head}", "{kind} {layer}·{head}"),
    "site.force": ("Choose where a row looks", "指定一行看向哪里", "Choisir où regarde une ligne"),
    "site.force_hint": (
        "In the open head, {head}: the row looks at the tokens that you choose, equally at each, and at no other.",
        "在打开的头（{head}）里：这一行只看你选的词元，权重均分。",
        "Dans la tête ouverte, {head} : la ligne regarde les tokens choisis, également chacun, et aucun autre.",
    ),
    "site.force_row": ("Row", "行", "Ligne"),
    "site.force_keys": ("looks at", "看向", "regarde"),
    "site.off_chip": ("{head} off", "{head} 已关闭", "{head} désactivée"),
    "site.forced_chip": ("{head}, row {row} chosen", "{head}，第 {row} 行已指定", "{head}, ligne {row} choisie"),
    "site.said_chip": ("begins with “{words}”", "以“{words}”开头", "commence par « {words} »"),
    "site.take_back": ("Take this change back", "撤销这项改动", "Annuler ce changement"),
    "site.undo": ("Undo", "撤销", "Annuler"),
    "site.undo_all": ("Undo all", "全部撤销", "Tout annuler"),
    "site.before": ("As the model says it", "模型原译", "Le modèle seul"),
    "site.after": ("With the change", "改动之后", "Avec le changement"),
    "site.unchanged": (
        "The translation stays the same. That is an answer too: for this sentence the change does not matter.",
        "译文没有变化。这也是一个结果：对这个句子来说，这项改动没有影响。",
        "La traduction reste la même. C'est aussi une réponse : pour cette phrase, le changement ne compte pas.",
    ),
    "site.steps": ("Word by word", "逐词生成", "Mot à mot"),
    "site.steps_hint": (
        "At each step the model gives every token of its vocabulary a probability and takes the most probable one. "
        "Choose another one, and it goes on from there.",
        "每一步，模型为词表里的每个词元给出一个概率，并选概率最大的那个。点选另一个，模型就从那里继续。",
        "À chaque étape, le modèle donne une probabilité à chaque token de son vocabulaire et prend le plus probable. "
        "Choisissez-en un autre : il continue à partir de là.",
    ),
    "site.step_back": ("Previous step", "上一步", "Étape précédente"),
    "site.step_on": ("Next step", "下一步", "Étape suivante"),
    "site.step_of": ("Step {step} of {steps}", "第 {step} 步，共 {steps} 步", "Étape {step} sur {steps}"),
    "site.translation": ("Translation", "译文", "Traduction"),
    "site.choose": ("Go on from “{piece}”", "从“{piece}”继续", "Continuer à partir de « {piece} »"),
    "site.said": ("What the model says here", "模型在这里写出的词元", "Ce que le modèle écrit ici"),
    "site.about": (
        "Made with Regard. Everything is computed in your browser; what you type goes nowhere. The model was trained on sentence "
        "pairs from Tatoeba (CC BY 2.0; tatoeba.org, manythings.org/anki).",
        "由 Regard 制作。所有计算都在你的浏览器里完成，你输入的内容不会发送到任何地方。模型用 Tatoeba 句对训练"
        "（CC BY 2.0；tatoeba.org、manythings.org/anki）。",
        "Fait avec Regard. Tout est calculé dans votre navigateur ; ce que vous écrivez ne va nulle part. Le modèle a appris sur des "
        "paires de phrases de Tatoeba (CC BY 2.0 ; tatoeba.org, manythings.org/anki).",
    ),
}  # fmt: skip
