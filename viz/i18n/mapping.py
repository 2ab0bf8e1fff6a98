"""Words of the table that maps a checkpoint's names to ours, and of what helps where nothing opens."""

STRINGS: dict[str, tuple[str, ...]] = {
    "mapping.title": ("A table of tensor names", "张量名称对照表", "Une table des noms de tenseurs"),
    "mapping.lead": (
        "For a checkpoint from unknown code, say what each tensor is. The table is filled in from the tensors' "
        "shapes and order, so check it. {i} stands for the number of a layer.",
        "用于这里不认识的代码：说明每个张量是什么。表格已根据形状和顺序填好，请核对。{i} 代表层的编号。",
        "Pour un code inconnu ici : dites ce qu'est chaque tenseur. La table est remplie d'après les formes et l'ordre ; "
        "vérifiez-la. {i} est le numéro d'une couche.",
    ),
    "mapping.theirs": ("Name in the file", "文件中的名称", "Nom dans le fichier"),
    "mapping.shape": ("Shape", "形状", "Forme"),
    "mapping.count": ("Layers", "层数", "Couches"),
    "mapping.ours": ("What it is", "含义", "Ce que c'est"),
    "mapping.ours_help": (
        "Several names joined by + are stacked in one tensor, in this order from top to bottom.",
        "用 + 连接的多个名称在同一张量中按此顺序从上到下拼接。",
        "Plusieurs noms joints par + sont empilés dans un même tenseur, dans cet ordre de haut en bas.",
    ),
    "mapping.ignored": ("(ignored)", "（忽略）", "(ignoré)"),
    "mapping.turned": ("Transposed", "转置", "Transposé"),
    "mapping.turned_help": (
        "Stored as (in, out): rows are inputs. PyTorch stores (out, in).",
        "以（输入，输出）存储：行为输入。PyTorch 存储为（输出，输入）。",
        "Enregistré en (entrée, sortie). PyTorch enregistre (sortie, entrée).",
    ),
    "mapping.open": ("Open it with this table", "按此表打开", "Ouvrir avec cette table"),
    "mapping.save": ("Save the table", "保存对照表", "Enregistrer la table"),
    "mapping.save_help": (
        "A file for others who use the same code. Once the model is open, the file also contains your answers.",
        "供使用相同代码的人共享。模型打开后，文件中也包含你的答案。",
        "Un fichier pour tous ceux qui ont le même code. Une fois le modèle ouvert, il contient aussi vos réponses.",
    ),
    "mapping.file": ("A saved table (.toml)", "已保存的对照表（.toml）", "Une table enregistrée (.toml)"),
    "mapping.suspect": (
        "Its names look like those of {toolkit}.",
        "它的名称像是来自 {toolkit}。",
        "Ses noms ressemblent à ceux de {toolkit}.",
    ),
    "mapping.advice_add_config": (
        "Drop the whole folder, with its config.json and tokenizer files.",
        "请拖入整个文件夹，包括 config.json 和分词器文件。",
        "Déposez tout le dossier, avec son config.json et les fichiers du tokenizer.",
    ),
    "mapping.advice_folder_or_attention": (
        "A Hugging Face folder opens with its config.json. Otherwise such a model has no encoder and decoder, and cannot "
        "be opened here. Bring its attention as a file.",
        "Hugging Face 的文件夹连同 config.json 一起即可打开。其他代码中的这类模型没有编码器和解码器，无法在此打开：请以文件形式提供它的注意力。",
        "Un dossier Hugging Face s'ouvre avec son config.json. Sinon, un tel modèle n'a pas d'encodeur et de décodeur et "
        "ne s'ouvre pas ici : apportez son attention en fichier.",
    ),
    "mapping.advice_gather": (
        "It holds each part's weights as one row of numbers, without their names and shapes. Save the model again with "
        "the full state dict (StateDictType.FULL_STATE_DICT).",
        "其中每一部分的权重都排成一行数字，没有名称和形状。请用完整的状态字典（StateDictType.FULL_STATE_DICT）重新保存模型。",
        "Les poids de chaque partie y sont une seule suite de nombres, sans noms ni formes. Enregistrez le modèle avec "
        "son dictionnaire complet (StateDictType.FULL_STATE_DICT).",
    ),
    "mapping.advice_one_stack": (
        "Such a model has no encoder and decoder, and cannot be opened here. Bring its attention as a file.",
        "这类模型没有编码器和解码器，无法在此打开：请以文件形式提供它的注意力。",
        "Un tel modèle n'a pas d'encodeur et de décodeur et ne s'ouvre pas ici : apportez son attention en fichier.",
    ),
    "mapping.advice_recurrent": (
        "A recurrent network has no attention heads: bring its attention as a file if it has attention.",
        "循环网络没有注意力头：如果它带有注意力，请以文件形式提供。",
        "Un réseau récurrent n'a pas de têtes : si une attention y est ajoutée, apportez-la en fichier.",
    ),
    "mapping.advice_map": (
        "The table below can open it if its layers are of the usual kind.",
        "如果它的层是常见结构，可用下表打开。",
        "La table ci-dessous l'ouvre, si ses couches sont les habituelles.",
    ),
    "mapping.other_way": (
        "Or write its attention to a file from your own code, and open that on the page Explore:",
        "或者，用你自己的代码把注意力写入文件，然后在“探索”页面打开：",
        "Ou écrivez son attention dans un fichier depuis votre code, et ouvrez-le sur la page Explorer :",
    ),
    "mapping.other_way_then": (
        "cross_attentions: each layer's weights after softmax, for a batch of one sentence; source and target: its "
        "tokens.",
        "cross_attentions：每层 softmax 之后的权重，批大小为一句；source 和 target：该句的词元。",
        "cross_attentions : les poids de chaque couche après softmax, pour un lot d'une phrase ; source et target : ses "
        "tokens.",
    ),
}  # fmt: skip
