"""Why a training or a survey cannot start or go on: the cases of ``RunError``."""

from __future__ import annotations

STRINGS: dict[str, tuple[str, ...]] = {
    "training_error.queue": (
        "This cannot start now",
        "现在无法开始",
        "Impossible de commencer maintenant",
    ),
    "training_error.off": (
        "Training and surveys are switched off on this server. Run Regard on your own machine.",
        "本服务器已关闭训练和测量。请在自己的电脑上运行 Regard。",
        "Les entraînements et les mesures sont désactivés sur ce serveur. Lancez Regard sur votre propre machine.",
    ),
    "training_error.mine_full": (
        "This browser already has {n} of the {most} {most|run|runs} that it may have, running or waiting. Wait until "
        "one ends, or stop one.",
        "这个浏览器已有 {n} 项训练或测量在运行或排队，最多 {most} 项。请等其中一项结束，或停止一项。",
        "Ce navigateur a déjà {n} {n|tâche|tâches} en cours ou en attente, sur {most} au plus. Attendez que l'une se termine, ou arrêtez-en une.",
    ),
    "training_error.full": (
        "{n} {n|run is|runs are} waiting already. Try again in a few minutes.",
        "已有 {n} 项在排队。请过几分钟再试。",
        "{n} {n|tâche est|tâches sont} déjà dans la file. Réessayez dans quelques minutes.",
    ),
    "training_error.unwritable": (
        "The server could not write the run's folder ({reason}). Make room on its disk, then start again.",
        "服务器无法写入文件夹（{reason}）。请先腾出磁盘空间，再重新开始。",
        "Le serveur n'a pas pu écrire le dossier ({reason}). Libérez de la place sur son disque, puis recommencez.",
    ),
    "training_error.running": (
        "The run is still finishing its last steps. Wait a few seconds and try again.",
        "它还在结束最后几步。请等几秒再试。",
        "Les derniers calculs se terminent. Attendez quelques secondes et réessayez.",
    ),
    "training_error.command_line": (
        "This run was started from the command line. Continue it there with --resume.",
        "这次训练是在命令行里开始的。请在命令行用 --resume 继续。",
        "Cet entraînement a été lancé en ligne de commande. Continuez-le là-bas avec --resume.",
    ),
    "training_error.trains": (
        "The choice of what is trained cannot change during a run. Start a new run for it.",
        "训练的部分不能中途更改。请为此开始新的训练。",
        "Ce qui est entraîné ne peut pas changer en cours de route. Lancez un nouvel entraînement.",
    ),
    "training_error.nothing": (
        "The run ended before anything was recorded. Start it again.",
        "训练在记录任何内容之前就结束了。请重新开始。",
        "L'entraînement s'est arrêté avant tout enregistrement. Recommencez-le.",
    ),
    "training_error.no_vocabulary": (
        "{model} has no vocabulary to train with. Add its tokenizer first.",
        "{model} 没有可用于训练的词表。请先添加它的分词器。",
        "{model} n'a pas de vocabulaire pour l'entraînement. Ajoutez d'abord son tokenizer.",
    ),
    "training_error.spelling_source": (
        "{share} of the source tokens are unknown or single bytes: the model's vocabulary lacks the letters of these sentences. "
        "Choose a model that reads their language, or train a new one with python -m model train.",
        "源句的词元有 {share} 是未知词元或单个字节：模型的词表里没有这些句子所用的文字。请换一个能读这种语言的模型，或用 python -m model train 训练一个新模型。",
        "{share} des tokens source sont inconnus ou de simples octets : le vocabulaire du modèle n'a pas les lettres de ces phrases. "
        "Choisissez un modèle qui lit leur langue, ou entraînez-en un nouveau avec python -m model train.",
    ),
    "training_error.spelling_target": (
        "{share} of the tokens of the translations are unknown or single bytes: the model's vocabulary lacks their letters. "
        "Choose a model that writes this language, or train a new one with python -m model train.",
        "译文的词元有 {share} 是未知词元或单个字节：模型的词表里没有译文所用的文字。请换一个能写这种语言的模型，"
        "或用 python -m model train 训练一个新模型。",
        "{share} des tokens des traductions sont inconnus ou de simples octets : le vocabulaire du modèle n'a pas leurs lettres. "
        "Choisissez un modèle qui écrit cette langue, ou entraînez-en un nouveau avec python -m model train.",
    ),
    "training_error.family": (
        "A model of the family {family} cannot be trained here. Choose one that opens as our own Transformer.",
        "{family} 类型的模型不能在这里训练。请选择能作为我们自己的 Transformer 打开的模型。",
        "Un modèle de la famille {family} ne s'entraîne pas ici. Choisissez-en un qui s'ouvre comme notre propre Transformer.",
    ),
    "training_error.few": (
        "{n} {n|pair is|pairs are} too few to learn from. Give at least {least}.",
        "{n} 个句对太少，不够学习。请至少提供 {least} 个。",
        "{n} {n|paire, c'est|paires, c'est} trop peu pour apprendre. Donnez-en au moins {least}.",
    ),
    "training_error.many": (
        "{n} pairs are too many. Give at most {most}.",
        "{n} 个句对太多。最多 {most} 个。",
        "{n} paires, c'est trop. Donnez-en au plus {most}.",
    ),
    "training_error.probe": (
        "The watched sentence has {n} tokens, and at most {most} are allowed. Choose a shorter one.",
        "所观察的句子有 {n} 个词元，最多 {most} 个。请换一个短些的句子。",
        "La phrase observée a {n} tokens, et {most} au plus sont permis. Choisissez-en une plus courte.",
    ),
    "training_error.parameters": (
        "The model has {n} parameters, and at most {most} are trained here. Choose a smaller one, or raise max_parameters in {variable}.",
        "模型有 {n} 个参数，这里最多训练 {most} 个。请选择更小的模型，或提高 {variable} 中的 max_parameters。",
        "Le modèle a {n} paramètres, et on en entraîne ici {most} au plus. Choisissez-en un plus petit, ou augmentez max_parameters dans {variable}.",
    ),
    "training_error.disk": (
        "The run may write {mb} MB, and the disk has {free} MB free. Make room first.",
        "训练可能写入 {mb} MB，而磁盘只剩 {free} MB。请先腾出空间。",
        "L'entraînement peut écrire {mb} Mo, et le disque n'en a plus que {free}. Faites d'abord de la place.",
    ),
    "training_error.steps": (
        "{n} steps are more than the {most} allowed here. Choose fewer.",
        "{n} 步超过了这里允许的 {most} 步。请减少步数。",
        "{n} étapes, c'est plus que les {most} permises ici. Choisissez-en moins.",
    ),
    "training_error.bytes": (
        "{file} has {n} bytes. Give at most {most}.",
        "{file} 有 {n} 字节，最多 {most} 字节。",
        "{file} fait {n} octets. Donnez-en au plus {most}.",
    ),
    "training_error.not_utf8": (
        "{file} is not UTF-8. Save it as UTF-8.",
        "{file} 不是 UTF-8 编码。请另存为 UTF-8。",
        "{file} n'est pas en UTF-8. Enregistrez-le en UTF-8.",
    ),
    "training_error.characters": (
        "The pairs have {n} characters. Give at most {most}.",
        "句对共 {n} 个字符，最多 {most} 个。",
        "Les paires ont {n} caractères. Donnez-en au plus {most}.",
    ),
    "training_error.lines": (
        "The pairs have {n} lines. Give at most {most}.",
        "句对共 {n} 行，最多 {most} 行。",
        "Les paires ont {n} lignes. Donnez-en au plus {most}.",
    ),
    "training_error.csv": (
        "Line {line} is not valid CSV. Close its quotation marks.",
        "第 {line} 行不是有效的 CSV。请补全引号。",
        "La ligne {line} n'est pas un CSV valide. Fermez ses guillemets.",
    ),
}
