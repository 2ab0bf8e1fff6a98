"""Words of the sentence stage."""

STRINGS: dict[str, tuple[str, ...]] = {
    "sentence.another": ("Another sentence", "换一句", "Autre phrase"),
    "sentence.link": ("Link", "链接", "Lien"),
    "sentence.link_help": (
        "Copy a link that restores everything on screen",
        "复制可恢复当前画面的链接",
        "Copier un lien qui restitue tout l'écran",
    ),
    "sentence.copied": ("Copied", "已复制", "Copié"),
    "sentence.copy_from_bar": (
        "Copy it from the address bar",
        "请从地址栏复制",
        "À copier dans la barre d'adresse",
    ),
    "sentence.translate": ("Translate", "翻译", "Traduire"),
    "sentence.placeholder": ("Write a sentence", "写一个句子", "Écrivez une phrase"),
    "sentence.box": ("Sentence to translate", "要翻译的句子", "Phrase à traduire"),
    "sentence.source_row": ("Source tokens", "源词元", "Tokens de la source"),
    "sentence.target_row": ("Translation tokens", "译文词元", "Tokens de la traduction"),
    "sentence.examples": ("Try", "试试", "Essayez"),
    "sentence.source": ("Source", "原文", "Source"),
    "sentence.target": ("Translation", "译文", "Traduction"),
    "sentence.text": ("Text", "文本", "Texte"),
    "sentence.next": ("Next token", "下一词元", "Token suivant"),
    "sentence.language_en": ("English", "英语", "Anglais"),
    "sentence.language_fr": ("French", "法语", "Français"),
    "sentence.language_de": ("German", "德语", "Allemand"),
    "sentence.language_zh": ("Chinese", "中文", "Chinois"),
    "sentence.said": ("Translation: {text}", "译文：{text}", "Traduction : {text}"),
    "sentence.empty": (
        "Write a sentence, or choose an example.",
        "请写一个句子，或选择一个示例。",
        "Écrivez une phrase, ou choisissez un exemple.",
    ),
    "sentence.cut": (
        "Too long: the first {kept} of {total} tokens are translated. Shorten the text to translate all of it.",
        "文本过长：仅翻译 {total} 个词元中的前 {kept} 个。请缩短文本以完整翻译。",
        "Trop long : les {kept} premiers tokens sur {total} sont traduits. Raccourcissez le texte pour tout traduire.",
    ),
    "sentence.unknown": (
        "The model's vocabulary does not contain {characters}; the model reads “unknown” instead.",
        "模型的词表里没有 {characters}，模型会把它读作“未知”。",
        "Le vocabulaire du modèle ne contient pas {characters} ; le modèle lit « inconnu » à la place.",
    ),
    "sentence.bytes": (
        "The model's vocabulary does not contain {characters}; the model reads their bytes one by one instead.",
        "模型的词表里没有 {characters}，模型会逐个读取它们的字节。",
        "Le vocabulaire du modèle ne contient pas {characters} ; le modèle en lit les octets un à un.",
    ),
    "sentence.breaks": (
        "Line breaks are read as spaces.",
        "换行按空格处理。",
        "Les retours à la ligne sont lus comme des espaces.",
    ),
    "sentence.no_link": (
        "This text is too long for a link.",
        "文本过长，无法放入链接。",
        "Ce texte est trop long pour tenir dans un lien.",
    ),
    "sentence.unfinished": (
        "The translation was stopped at {n} {n|token|tokens}, before the model finished it.",
        "译文在 {n} 个词元处停止，模型尚未结束。",
        "La traduction a été arrêtée à {n} {n|token|tokens}, avant que le modèle ne la termine.",
    ),
    "sentence.token": ("token {piece}, id {id}", "词元 {piece}，编号 {id}", "token {piece}, id {id}"),
    "sentence.token_probability": (
        "token {piece}, id {id}, probability {probability}",
        "词元 {piece}，编号 {id}，概率 {probability}",
        "token {piece}, id {id}, probabilité {probability}",
    ),
}
