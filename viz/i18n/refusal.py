"""Why a checkpoint does not open, and what to do: the rule and the remedy of each kind of refusal."""

STRINGS: dict[str, tuple[str, ...]] = {
    "refusal.recurrent": (
        "These are the tensors of a recurrent network, and only Transformers open here.",
        "这些是循环网络的张量，而这里只能打开 Transformer。",
        "Ce sont les tenseurs d'un réseau récurrent, et seuls des Transformers s'ouvrent ici.",
    ),
    "refusal.family": (
        "This file could not be opened by the names of its tensors. The message says what it is, or what does not fit. "
        "Correct the table of names if one stands below, or bring the model's attention as a file.",
        "无法按张量名称打开这个文件。下面的信息说明它是什么，或者哪里对不上。如果下方有名称对照表，请改正它，或者带来该模型的注意力文件。",
        "Ce fichier ne s'ouvre pas d'après les noms de ses tenseurs. Le message dit ce qu'il est, ou ce qui ne convient "
        "pas. Corrigez la table des noms s'il y en a une plus bas, ou apportez l'attention du modèle dans un fichier.",
    ),
    "refusal.known": (
        "This kind of model is known, and it cannot be shown here. The message says why, and what to give instead.",
        "这类模型是已知的，但无法在此显示。下面的说明给出原因，以及可以改用什么。",
        "Cette sorte de modèle est connue et ne peut pas être montrée ici. Le message dit pourquoi, et quoi donner à la place.",
    ),
    "refusal.quantised": (
        "These weights are quantised: rounded to a few bits and packed, so attention computed from them would be another. "
        "Give the model that they were made from, in float32, float16 or bfloat16.",
        "这些权重经过量化：被舍入到几位并打包，用它们算出的注意力会不一样。请提供量化之前的模型（float32、float16 或 bfloat16）。",
        "Ces poids sont quantifiés, c'est-à-dire arrondis à quelques bits et compactés : l'attention ne serait plus la même. "
        "Donnez le modèle d'origine, en float32, float16 ou bfloat16.",
    ),
    "refusal.adapter": (
        "This is an adapter (LoRA), which changes another model and is none by itself. Merge it into that model, save the "
        "result, and give that folder.",
        "这是一个适配器（LoRA），它只是对另一个模型的改动，本身不是完整的模型。请把它合并到那个模型中，保存结果，再提供该文件夹。",
        "C'est un adaptateur (LoRA) : il modifie un autre modèle et n'en est pas un à lui seul. Fusionnez-le avec ce modèle, "
        "enregistrez le résultat et donnez ce dossier.",
    ),
    "refusal.newer": (
        "This type of model is not known here; it may be newer than this version. Update Regard, or bring the model's "
        "attention as a file.",
        "这里不认识这种模型，它可能比当前版本更新。请更新 Regard，或者带来该模型的注意力文件。",
        "Ce type de modèle n'est pas connu ici ; il est peut-être plus récent que cette version. Mettez Regard à jour, ou "
        "apportez l'attention du modèle dans un fichier.",
    ),
    "refusal.part": (
        "The weights are in several files, and not all of them are here. Add the missing ones.",
        "权重分成了多个文件，这里缺少其中一部分。请补上缺少的文件。",
        "Les poids sont répartis sur plusieurs fichiers, et il en manque. Ajoutez ceux qui manquent.",
    ),
    "refusal.files": (
        "These files are not a checkpoint that can be opened here. The message says what is missing or what does not fit.",
        "这些文件不是这里能打开的检查点。下面的说明指出缺少什么，或哪里不合适。",
        "Ces fichiers ne forment pas un checkpoint lisible ici. Le message dit ce qui manque ou ne convient pas.",
    ),
    "refusal.code": (
        "Reading this file would mean running code that it contains, and no code from a file is run here. Load it "
        "where it was made, and save only the weights.",
        "要读取这个文件，就必须运行其中的代码，而这里绝不运行文件中的任何代码。请在生成它的环境中加载它，只把权重另存。",
        "Lire ce fichier obligerait à exécuter du code qu'il contient, et aucun code d'un fichier n'est exécuté ici. "
        "Ouvrez-le là où il a été fait, et enregistrez seulement les poids.",
    ),
    "refusal.damaged": (
        "The file is damaged or cut short, or it contradicts itself. Copy it again, or save it again where it was made.",
        "文件已损坏、不完整或自相矛盾。请重新复制，或在生成它的环境中重新保存。",
        "Le fichier est abîmé, tronqué ou se contredit. Copiez-le de nouveau, ou réenregistrez-le là où il a été fait.",
    ),
    "refusal.limit": (
        "It is larger than this server allows, or takes more memory or time to read. Try a smaller model; on a server of "
        "your own, the limits can be raised.",
        "它超出了本服务器允许的大小，或读取时所需的内存、时间超出了限制。请换一个较小的模型；在自己的服务器上可以放宽这些限制。",
        "Il dépasse la taille, la mémoire ou le temps de lecture que ce serveur accorde. Essayez un modèle plus petit ; sur "
        "votre propre serveur, ces limites peuvent être relevées.",
    ),
    "refusal.system": (
        "Uploaded files are read in a process that cannot harm this machine, and this system cannot make one. Start Regard on "
        "Linux, on macOS, or on Windows in WSL.",
        "上传的文件要在一个无法损害本机的受限进程中读取，而本系统无法创建这样的进程。请在 Linux、macOS 上，或在 Windows 的 WSL 中启动 Regard。",
        "Les fichiers envoyés sont lus dans un processus qui ne peut pas nuire à cette machine, et ce système ne sait pas en créer. "
        "Lancez Regard sous Linux, macOS, ou dans WSL sous Windows.",
    ),
    "refusal.tensors": (
        "The tensors do not fit the configuration: {missing} missing, {unexpected} unexpected, {misshapen} of another "
        "shape. Use the configuration that was saved with these weights.",
        "张量与配置不符：缺少 {missing} 个，多出 {unexpected} 个，形状不同的有 {misshapen} 个。请使用与这些权重一同保存的配置。",
        "Les tenseurs ne correspondent pas à la configuration : {missing} en moins, {unexpected} en trop, {misshapen} d'une "
        "autre forme. Donnez la configuration enregistrée avec ces poids.",
    ),
    "refusal.mapped": (
        "The tensors do not fit as the table places them: {missing} missing, {unexpected} left over, {misshapen} of another "
        "shape. Change their lines in the table below.",
        "按照对照表，张量对不上：缺少 {missing} 个，多出 {unexpected} 个，形状不同的有 {misshapen} 个。请修改下表中相应的行。",
        "Placés selon la table, les tenseurs ne vont pas : {missing} en moins, {unexpected} en trop, {misshapen} d'une autre "
        "forme. Corrigez leurs lignes dans la table ci-dessous.",
    ),
    "refusal.tokens": (
        "The vocabulary cannot be used with these weights. Give the one that was trained with them.",
        "这份词表无法与这些权重一起使用。请提供与它们一同训练的词表。",
        "Ce vocabulaire ne va pas avec ces poids. Donnez celui de leur entraînement.",
    ),
    "refusal.answer": (
        "An answer, or a line of the table, does not fit this file. Change it and try again.",
        "某个回答或对照表中的某一行与此文件不符。请修改后重试。",
        "Une réponse, ou une ligne de la table, ne va pas avec ce fichier. Corrigez-la et recommencez.",
    ),
    "refusal.settings": (
        "The settings in these files cannot be read, or contradict each other. Give those that were saved with the weights.",
        "这些文件中的设置无法读取，或彼此矛盾。请提供与权重一同保存的设置。",
        "Les réglages de ces fichiers sont illisibles ou se contredisent. Donnez ceux enregistrés avec les poids.",
    ),
    "refusal.detail": ("In detail:", "详细说明（英文）：", "En détail (en anglais) :"),
}
