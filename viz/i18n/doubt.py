"""Words of what stands below the sentence when its translation cannot be trusted."""

STRINGS: dict[str, tuple[str, ...]] = {
    "doubt.far": (
        "This sentence is unlike those that the model was trained on, so its attention may mean little.",
        "这个句子与该模型见过的句子相差很大，它的注意力可能说明不了什么。",
        "Cette phrase ne ressemble pas à celles que le modèle a apprises : son attention ne signifie peut-être pas "
        "grand-chose.",
    ),
    "doubt.split": ("Try it in shorter sentences.", "请试着拆成几个短句。", "Essayez avec des phrases plus courtes."),
    "doubt.plain": ("Try everyday words.", "请试试更常用的词。", "Essayez avec des mots plus courants."),
    "doubt.plain_in": (
        "Try everyday {language} words.",
        "请试试更常用的{language}词。",
        "Essayez avec des mots plus courants, en {language}.",
    ),
    "doubt.whole": ("Try a whole sentence.", "请试试完整的句子。", "Essayez avec une phrase entière."),
    "doubt.whole_in": (
        "Try a whole sentence in {language}.",
        "请试试完整的{language}句子。",
        "Essayez avec une phrase entière en {language}.",
    ),
    "doubt.language_en": ("English", "英语", "anglais"),
    "doubt.language_fr": ("French", "法语", "français"),
    "doubt.language_de": ("German", "德语", "allemand"),
    "doubt.language_zh": ("Chinese", "中文", "chinois"),
    "doubt.loop": (
        "The translation repeated “{text}” again and again, so it was stopped.",
        "译文一直重复“{text}”，因此被停止了。",
        "La traduction répétait sans cesse « {text} » : elle a été arrêtée.",
    ),
    "doubt.loop_cut": (
        "The translation repeats “{text}” again and again, and was cut at the limit of {n} {n|token|tokens}.",
        "译文一直重复“{text}”，达到 {n} 个词元的长度上限后被截断。",
        "La traduction répète sans cesse « {text} » et a été coupée à la limite de {n} {n|token|tokens}.",
    ),
    "doubt.loop_ended": (
        "The translation repeats “{text}” again and again.",
        "译文一直重复“{text}”。",
        "La traduction répète sans cesse « {text} ».",
    ),
    "doubt.capitals": (
        "The model knows few words that are written in capitals.",
        "该模型认识的全大写单词很少。",
        "Le modèle connaît peu de mots en majuscules.",
    ),
    "doubt.lower": ("Read it in lower case", "改用小写", "Passer en minuscules"),
}
