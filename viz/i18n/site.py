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
    "site.failed": (
        "This sentence could not be computed. Try a shorter one, or reload the page.",
        "无法计算这个句子。请换一个短一些的句子，或重新加载页面。",
        "Cette phrase n'a pas pu être calculée. Essayez-en une plus courte, ou rechargez la page.",
    ),
    "site.cannot_load": (
        "The model could not be loaded. Check the connection and reload the page. An old phone may lack the memory for it.",
        "无法加载模型。请检查网络后重新加载页面。较旧的手机可能内存不足。",
        "Le modèle n'a pas pu être chargé. Vérifiez la connexion et rechargez la page. Un vieux téléphone peut manquer de mémoire.",
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
    "site.off_chip": ("{kind} {layer}·{head} off", "{kind} {layer}·{head} 已关闭", "{kind} {layer}·{head} désactivée"),
    "site.switch_on": ("Switch on again", "重新打开", "Réactiver"),
    "site.undo": ("Undo all changes", "撤销所有改动", "Annuler tous les changements"),
    "site.before": ("As the model says it", "模型原译", "Le modèle seul"),
    "site.after": ("With the change", "改动之后", "Avec le changement"),
    "site.unchanged": (
        "The translation stays the same. That is an answer too: here the model does not need what you took away.",
        "译文没有变化。这也是一个结果：在这个句子里，模型不依赖你去掉的东西。",
        "La traduction reste la même. C'est aussi une réponse : ici le modèle n'a pas besoin de ce que vous avez enlevé.",
    ),
    "site.steps": ("Word by word", "逐词生成", "Mot à mot"),
    "site.steps_hint": (
        "At each step the model gives every token of its vocabulary a probability and takes the most probable one.",
        "每一步，模型为词表里的每个词元给出一个概率，并选概率最大的那个。",
        "À chaque étape, le modèle donne une probabilité à chaque token de son vocabulaire et prend le plus probable.",
    ),
    "site.step": ("Step", "步骤", "Étape"),
    "site.step_of": ("Step {step} of {steps}. Written so far:", "第 {step} 步，共 {steps} 步。已写出：",
                     "Étape {step} sur {steps}. Écrit jusqu'ici :"),
    "site.nothing_yet": ("nothing yet", "还没有", "rien encore"),
    "site.about": (
        "Made with Regard. Everything is computed in your browser; what you type goes nowhere. The model was trained on sentence "
        "pairs from Tatoeba (CC BY 2.0; tatoeba.org, manythings.org/anki).",
        "由 Regard 制作。所有计算都在你的浏览器里完成，你输入的内容不会发送到任何地方。模型用 Tatoeba 句对训练"
        "（CC BY 2.0；tatoeba.org、manythings.org/anki）。",
        "Fait avec Regard. Tout est calculé dans votre navigateur ; ce que vous écrivez ne va nulle part. Le modèle a appris sur des "
        "paires de phrases de Tatoeba (CC BY 2.0 ; tatoeba.org, manythings.org/anki).",
    ),
}  # fmt: skip
