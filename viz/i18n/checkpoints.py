"""Words of the checkpoints page: bringing a model, the doctor's report, its questions, the models that are open."""

STRINGS: dict[str, tuple[str, ...]] = {
    "checkpoints.title": ("Bring your own checkpoint", "打开你自己的检查点", "Apportez votre checkpoint"),
    "checkpoints.lead": (
        "Drop the files of a trained Transformer. They stay in this browser session, and no code in them is run.",
        "把训练好的 Transformer 的文件拖到这里。它们只留在本次浏览器会话中，其中的任何代码都不会运行。",
        "Déposez les fichiers d'un Transformer entraîné. Ils restent dans cette session, et aucun code qu'ils "
        "contiennent n'est exécuté.",
    ),
    "checkpoints.drop": ("Files of one checkpoint", "一个检查点的文件", "Fichiers d'un checkpoint"),
    "checkpoints.drop_help": (
        "The weights, with their configuration and tokens if you have them, or the whole folder as .zip.",
        "权重文件，以及配置和词元文件（如果有）；或整个文件夹的 .zip。",
        "Les poids, avec leur configuration et leurs tokens s'il y en a, ou tout le dossier en .zip.",
    ),
    "checkpoints.opens": ("What can be opened", "可以打开什么", "Ce qui s'ouvre ici"),
    "checkpoints.opens_list": (
        "- this project's own folder, or `.safetensors` with `config.json`\n"
        "- attention-is-all-you-need-pytorch (`.chkpt`), the Annotated Transformer, Dive into Deep Learning, "
        "nlp-tutorial and its descendants (`.pt`, `.params`)\n"
        "- `torch.nn.Transformer` with embeddings and output under any names (`.pth`)\n"
        "- hkproj/pytorch-transformer, hyunwoongko/transformer and x-transformers (`.pt`)\n"
        "- fairseq (`.pt` with `dict.*.txt`), OpenNMT-py (`.pt`), Marian (`.npz` with `vocab.yml`)\n"
        "- CTranslate2 folders, zipped (`model.bin`, `config.json`, vocabularies), quantised or not\n"
        "- JoeyNMT (`.ckpt`, `config.yaml` and vocabularies)\n"
        "- nanoGPT, minGPT, llama2.c (`.pt`, `.bin`), LitGPT, and x-transformers' or PyTorch's encoders and decoders alone\n"
        "- Hugging Face folders: encoder-decoders from MarianMT, BART and T5 to T5Gemma; encoders from BERT to ModernBERT "
        "and decoders from GPT-2 to Llama, for their own kind of attention\n"
        "- any other encoder-decoder by a table of names: drop it, and a first version of the table is filled in",
        "- 本项目自己的文件夹，或 `.safetensors` 加 `config.json`\n"
        "- attention-is-all-you-need-pytorch（`.chkpt`）、The Annotated Transformer、《动手学深度学习》、"
        "nlp-tutorial 及其衍生代码（`.pt`、`.params`）\n"
        "- 任意命名的嵌入与输出层加 `torch.nn.Transformer`（`.pth`）\n"
        "- hkproj/pytorch-transformer、hyunwoongko/transformer 与 x-transformers（`.pt`）\n"
        "- fairseq（`.pt` 加 `dict.*.txt`）、OpenNMT-py（`.pt`）、Marian（`.npz` 加 `vocab.yml`）\n"
        "- CTranslate2 文件夹的 .zip（`model.bin`、`config.json` 和词表），量化与否均可\n"
        "- JoeyNMT（`.ckpt`、`config.yaml` 和词表）\n"
        "- nanoGPT、minGPT、llama2.c（`.pt`、`.bin`）、LitGPT，以及 x-transformers 或 PyTorch 的单独编码器、解码器\n"
        "- Hugging Face 文件夹：编码器-解码器，从 MarianMT、BART、T5 到 T5Gemma；"
        "编码器，从 BERT 到 ModernBERT；解码器，从 GPT-2 到 Llama（后两类只显示它们具有的注意力）\n"
        "- 其他任何编码器-解码器，借助名称对照表：拖入文件后，会先自动填好一份对照表",
        "- le dossier de ce projet, ou `.safetensors` avec `config.json`\n"
        "- attention-is-all-you-need-pytorch (`.chkpt`), l'Annotated Transformer, Dive into Deep Learning, "
        "nlp-tutorial et ses descendants (`.pt`, `.params`)\n"
        "- `torch.nn.Transformer` avec plongements et sortie sous n'importe quels noms (`.pth`)\n"
        "- hkproj/pytorch-transformer, hyunwoongko/transformer et x-transformers (`.pt`)\n"
        "- fairseq (`.pt` avec `dict.*.txt`), OpenNMT-py (`.pt`), Marian (`.npz` avec `vocab.yml`)\n"
        "- dossiers CTranslate2 en .zip (`model.bin`, `config.json`, vocabulaires), quantifiés ou non\n"
        "- JoeyNMT (`.ckpt`, `config.yaml` et vocabulaires)\n"
        "- nanoGPT, minGPT, llama2.c (`.pt`, `.bin`), LitGPT, et les encodeurs ou décodeurs seuls de x-transformers et de PyTorch\n"
        "- dossiers Hugging Face : encodeurs-décodeurs, de MarianMT, BART et T5 à T5Gemma ; encodeurs, de BERT à "
        "ModernBERT, et décodeurs, de GPT-2 à Llama, pour leur propre sorte d'attention\n"
        "- tout autre encodeur-décodeur par une table de noms : déposez-le, et une première table est remplie",
    ),
    "checkpoints.examining": ("Examining …", "正在检查……", "Examen en cours…"),
    "checkpoints.too_large": (
        "{size} MB is more than the {most} MB that this installation takes.",
        "{size} MB 超过本安装允许的 {most} MB。",
        "{size} Mo dépassent les {most} Mo que cette installation accepte.",
    ),
    "checkpoints.aside": (
        "{old} is set aside for {new}: one checkpoint is examined at a time.",
        "{old} 已暂时搁置，现在检查 {new}：一次只检查一个检查点。",
        "{old} est mis de côté pour {new} : un seul checkpoint est examiné à la fois.",
    ),
    "checkpoints.aside_back": ("Back to {old}", "回到 {old}", "Revenir à {old}"),
    "checkpoints.aside_add": ("Add {names} to it", "把 {names} 也加进来", "Y ajouter {names}"),
    "checkpoints.hub": ("Name on the Hugging Face hub", "Hugging Face hub 上的名称", "Nom sur le hub Hugging Face"),
    "checkpoints.hub_ask": ("Ask for its size", "查询大小", "Demander sa taille"),
    "checkpoints.hub_offer": (
        "{name}, revision {revision}: {files} {files|file|files}, {size} MB",
        "{name}，版本 {revision}：{files} 个文件，{size} MB",
        "{name}, révision {revision} : {files} {files|fichier|fichiers}, {size} Mo",
    ),
    "checkpoints.hub_fetch": ("Fetch {size} MB", "下载 {size} MB", "Télécharger {size} Mo"),
    "checkpoints.hub_fetching": ("Fetching …", "正在下载……", "Téléchargement…"),
    "checkpoints.is": ("This is {family}", "这是 {family}", "C'est {family}"),
    "checkpoints.known_by": ("Known by", "识别依据", "Reconnu à"),
    "checkpoints.family_own": ("this project's own checkpoint", "本项目自己的检查点", "un checkpoint de ce projet"),
    "checkpoints.family_jadore": (
        "a checkpoint of attention-is-all-you-need-pytorch",
        "attention-is-all-you-need-pytorch 的检查点",
        "un checkpoint d'attention-is-all-you-need-pytorch",
    ),
    "checkpoints.family_annotated": (
        "a checkpoint of the Annotated Transformer",
        "The Annotated Transformer 的检查点",
        "un checkpoint de l'Annotated Transformer",
    ),
    "checkpoints.family_d2l": (
        "a checkpoint of Dive into Deep Learning",
        "《动手学深度学习》的检查点",
        "un checkpoint de Dive into Deep Learning",
    ),
    "checkpoints.family_graykode": (
        "a checkpoint in the style of nlp-tutorial",
        "nlp-tutorial 风格的检查点",
        "un checkpoint à la manière de nlp-tutorial",
    ),
    "checkpoints.family_hkproj": (
        "a checkpoint of hkproj's pytorch-transformer",
        "hkproj/pytorch-transformer 的检查点",
        "un checkpoint de pytorch-transformer (hkproj)",
    ),
    "checkpoints.family_hyunwoongko": (
        "a checkpoint of hyunwoongko's transformer",
        "hyunwoongko/transformer 的检查点",
        "un checkpoint de transformer (hyunwoongko)",
    ),
    "checkpoints.family_fairseq": ("a fairseq checkpoint", "fairseq 的检查点", "un checkpoint de fairseq"),
    "checkpoints.family_opennmt": (
        "an OpenNMT-py checkpoint",
        "OpenNMT-py 的检查点",
        "un checkpoint d'OpenNMT-py",
    ),
    "checkpoints.family_ctranslate2": (
        "a CTranslate2 model",
        "CTranslate2 模型",
        "un modèle CTranslate2",
    ),
    "checkpoints.family_marian": ("a model of Marian", "Marian 的模型", "un modèle de Marian"),
    "checkpoints.family_xtransformers": (
        "an XTransformer of x-transformers",
        "x-transformers 的 XTransformer",
        "un XTransformer de x-transformers",
    ),
    "checkpoints.family_mapped": (
        "a checkpoint read by a mapping",
        "按对照表读取的检查点",
        "un checkpoint lu par une table de noms",
    ),
    "checkpoints.family_named": (
        "an encoder-decoder with names of its own, read by them",
        "采用自定名称的编码器-解码器，按其名称读取",
        "un encodeur-décodeur aux noms qui lui sont propres, lu d'après eux",
    ),
    "checkpoints.family_bentrevett": (
        "a model of bentrevett's sequence-to-sequence tutorial 6",
        "bentrevett 序列到序列教程第 6 章的模型",
        "un modèle du tutoriel 6 de bentrevett",
    ),
    "checkpoints.family_aladdin": (
        "a model of Aladdin Persson's Transformer from scratch",
        "Aladdin Persson 的从零实现的 Transformer 模型",
        "un modèle du Transformer d'Aladdin Persson",
    ),
    "checkpoints.told": (
        "Written in the file or beside it:",
        "写在文件里或旁边的文件里：",
        "Écrit dans le fichier ou à côté :",
    ),
    "checkpoints.first": (
        "Answer this before its attention is drawn",
        "画出注意力之前，请先回答",
        "Répondez avant que son attention soit dessinée",
    ),
    "checkpoints.first_n_heads": (
        "The file does not say how many heads the model has, and several numbers fit nearly as well. With a wrong "
        "number the maps look plausible and are wrong: look it up in the code or the paper that the file comes from.",
        "文件没有说明模型有多少个注意力头，而有几个数目几乎同样合适。头数错了，注意力图看上去仍然合理，却是错的："
        "请到这个文件所属的代码或论文中查证。",
        "Le fichier ne dit pas combien de têtes a le modèle, et plusieurs nombres conviennent presque autant. Avec un "
        "nombre faux, les cartes semblent plausibles et sont fausses : cherchez-le dans le code ou l'article d'où "
        "vient le fichier.",
    ),
    "checkpoints.first_fused_by_head": (
        "Queries, keys and values share one matrix here. Nothing in the file tells whether all queries come first, or "
        "whether each head has its query, key and value together. Read the wrong way, the maps look plausible and are "
        "wrong: the code tells, at its reshape and chunk.",
        "这里的查询、键和值放在同一个矩阵里。文件没有说明是先放全部查询，还是每个头的查询、键、值放在一起。"
        "读错了，注意力图看上去仍然合理，却是错的：请看代码里的 reshape 和 chunk。",
        "Requêtes, clés et valeurs partagent ici une matrice. Rien dans le fichier ne dit si toutes les requêtes "
        "viennent d'abord, ou si chaque tête a ensemble sa requête, sa clé et sa valeur. Lues de travers, les cartes "
        "semblent plausibles et sont fausses : le code le dit, à son reshape et à son chunk.",
    ),
    "checkpoints.ask_fused_by_head": (
        "Fused projections head by head",
        "合并的投影按头排列",
        "Projections fusionnées, tête par tête",
    ),
    "checkpoints.because_fused_rows": (
        "how much worse it explains the lengths of the fused rows, nats",
        "对合并矩阵各行长度的解释差多少（奈特）",
        "combien il explique moins bien les longueurs des lignes fusionnées, nats",
    ),
    "checkpoints.score_fused_rows": (
        "rows of the fused matrix: {value} nats behind the best",
        "合并矩阵的行：比最好的差 {value} 奈特",
        "lignes de la matrice fusionnée : {value} nats derrière le meilleur",
    ),
    "checkpoints.first_choose": (
        "Choose one of the answers first.",
        "请先选择一个答案。",
        "Choisissez d'abord une des réponses.",
    ),
    "checkpoints.score_head_rows": (
        "rows of the projections: {value} nats behind the best",
        "投影矩阵的行：比最好的差 {value} 奈特",
        "lignes des projections : {value} nats derrière le meilleur",
    ),
    "checkpoints.score_head_entropy": (
        "entropy of the heads: {value} nats",
        "注意力头的熵：{value} 奈特",
        "entropie des têtes : {value} nats",
    ),
    "checkpoints.score_own_loss": (
        "loss of its own translations: {value} per token",
        "自己译文的损失：每词元 {value}",
        "perte de ses propres traductions : {value} par token",
    ),
    "checkpoints.score_given_loss": (
        "loss of your translation: {value} per token",
        "你给出的译文的损失：每词元 {value}",
        "perte de votre traduction : {value} par token",
    ),
    "checkpoints.score_none": ("not tried", "未试过", "pas essayé"),
    "checkpoints.waits": (
        "Not drawn before its question is answered",
        "回答问题之后才会画出",
        "Pas dessiné avant la réponse à sa question",
    ),
    "checkpoints.because_head_rows": (
        "how much worse it explains the lengths of the projections' rows, nats",
        "对投影矩阵各行长度的解释差多少（奈特）",
        "combien il explique moins bien les longueurs des lignes des projections, nats",
    ),
    "checkpoints.because_ends_tried": (
        "begin, end {answer}: {ended} of the translations end, {empty} are empty",
        "开始、结束 {answer}：译文正常结束的占 {ended}，为空的占 {empty}",
        "début, fin {answer} : {ended} des traductions finissent, {empty} sont vides",
    ),
    "checkpoints.family_torch": (
        "a torch.nn.Transformer with its embeddings and output layer",
        "torch.nn.Transformer 及其词嵌入层和输出层",
        "un torch.nn.Transformer avec ses plongements et sa couche de sortie",
    ),
    "checkpoints.family_gpt": (
        "a GPT that its author trained from scratch (nanoGPT, minGPT and their kin)",
        "作者从零训练的 GPT（nanoGPT、minGPT 及同类）",
        "un GPT entraîné de zéro par son auteur (nanoGPT, minGPT et leurs parents)",
    ),
    "checkpoints.family_llama": (
        "a Llama by its authors' names (llama2.c, Meta)",
        "按作者命名的 Llama（llama2.c、Meta）",
        "un Llama aux noms de ses auteurs (llama2.c, Meta)",
    ),
    "checkpoints.family_litgpt": ("a LitGPT model", "LitGPT 模型", "un modèle de LitGPT"),
    "checkpoints.family_xtransformers_alone": (
        "a decoder or an encoder of x-transformers",
        "x-transformers 的解码器或编码器",
        "un décodeur ou un encodeur de x-transformers",
    ),
    "checkpoints.family_annotated_alone": (
        "the Annotated Transformer's encoder alone",
        "Annotated Transformer 的单独编码器",
        "l'encodeur seul de l'Annotated Transformer",
    ),
    "checkpoints.family_torch_alone": (
        "a torch.nn.TransformerEncoder with its embedding",
        "torch.nn.TransformerEncoder 及其词嵌入层",
        "un torch.nn.TransformerEncoder avec ses plongements",
    ),
    "checkpoints.first_causal": (
        "The file does not say whether a token sees those after it. A decoder, which was trained to continue texts, "
        "hides them; an encoder, which was trained to fill in hidden tokens or to classify, does not.",
        "文件没有说明一个词元能否看到它后面的词元。解码器（训练来续写文本）看不到；编码器（训练来补全被遮词元或分类）看得到。",
        "Le fichier ne dit pas si un token voit ceux qui le suivent. Un décodeur, entraîné à continuer des textes, les "
        "cache ; un encodeur, entraîné à retrouver des tokens cachés ou à classer, ne les cache pas.",
    ),
    "checkpoints.ask_causal": (
        "Each token sees only those before it",
        "每个词元只看到它前面的词元",
        "Chaque token ne voit que ceux d'avant",
    ),
    "checkpoints.because_causal_names": (
        "the names in the file say so",
        "文件中的名称如此表明",
        "les noms dans le fichier le disent",
    ),
    "checkpoints.because_causal_silent": (
        "no name in the file tells",
        "文件中没有名称说明这一点",
        "aucun nom dans le fichier ne le dit",
    ),
    "checkpoints.first_alibi": (
        "The file holds no positions. With ALiBi, which leaves nothing in a file, scores fall with the distance between "
        "tokens; without it, the model knows no order.",
        "文件中没有位置信息。若使用 ALiBi（不在文件中留下痕迹），分数随词元间距离下降；否则模型不知道顺序。",
        "Le fichier ne contient pas de positions. Avec ALiBi, qui ne laisse rien dans un fichier, les scores baissent "
        "avec la distance entre tokens ; sans lui, le modèle ignore l'ordre.",
    ),
    "checkpoints.ask_alibi": ("ALiBi", "ALiBi", "ALiBi"),
    "checkpoints.ask_output_scale": ("Logits times", "logits 乘以", "Logits multipliés par"),
    "checkpoints.cannot_ids_only": (
        "words in place of ids, because the file holds no vocabulary. Add it below: meta.pkl of nanoGPT, tokenizer.json "
        "of GPT-2 or LitGPT, tokenizer.model of Llama, or a list with one token a line",
        "用词语代替编号，因为文件中没有词表。请在下方添加：nanoGPT 的 meta.pkl、GPT-2 或 LitGPT 的 tokenizer.json、"
        "Llama 的 tokenizer.model，或每行一个词元的列表",
        "des mots au lieu de numéros, car le fichier n'a pas de vocabulaire. Ajoutez-le plus bas : meta.pkl de nanoGPT, "
        "tokenizer.json de GPT-2 ou de LitGPT, tokenizer.model de Llama, ou une liste d'un token par ligne",
    ),
    "checkpoints.family_joeynmt": ("a JoeyNMT run", "JoeyNMT 的一次训练", "un entraînement de JoeyNMT"),
    "checkpoints.family_huggingface": (
        "a Hugging Face model of type {kind}",
        "{kind} 类型的 Hugging Face 模型",
        "un modèle Hugging Face de type {kind}",
    ),
    "checkpoints.parameters": ("Parameters", "参数", "Paramètres"),
    "checkpoints.memory": ("Memory", "内存", "Mémoire"),
    "checkpoints.megabytes": ("{size} MB", "{size} MB", "{size} Mo"),
    "checkpoints.shape": ("Layers × heads", "层 × 头", "Couches × têtes"),
    "checkpoints.shape_value": (
        "{layers} × {heads}",
        "{layers} × {heads}",
        "{layers} × {heads}",
    ),
    "checkpoints.width": ("Width", "宽度", "Largeur"),
    "checkpoints.vocabulary": ("Vocabulary", "词表", "Vocabulaire"),
    "checkpoints.checks": ("Checks", "检查结果", "Contrôles"),
    "checkpoints.tensors_all": ("Every tensor is used", "每个张量都已使用", "Chaque tenseur sert"),
    "checkpoints.tensors_used": (
        "Every tensor is used, but for tables that are computed: {names}",
        "每个张量都已使用；可计算的表除外：{names}",
        "Chaque tenseur sert, hormis des tables qui se calculent : {names}",
    ),
    "checkpoints.tensors_of_heads": (
        "Every tensor is used, but for what follows the last layer and attention does not need: {names}",
        "每个张量都已使用；最后一层之后、注意力用不到的除外：{names}",
        "Chaque tenseur sert, hormis ce qui suit la dernière couche et dont l'attention n'a pas besoin : {names}",
    ),
    "checkpoints.tensors_unmapped": (
        "Not used, as the table of names says: {names}",
        "按对照表忽略：{names}",
        "Pas utilisés, comme le dit la table des noms : {names}",
    ),
    "checkpoints.tensors_outside": (
        "Left out, since they belong to the training and not to the model: {names}",
        "以下张量属于训练过程而非模型，未读取：{names}",
        "Laissés de côté, car ils servent à l'entraînement et non au modèle : {names}",
    ),
    "checkpoints.tensors_filled": (
        "{filled} {filled|bias or norm is absent from every layer and is taken as neutral|biases or norms are absent "
        "from every layer and are taken as neutral}",
        "{filled} 个偏置或归一化在各层均缺失，按中性值处理",
        "{filled} {filled|biais ou normalisation ne figure dans aucune couche : pris comme neutre|biais ou "
        "normalisations ne figurent dans aucune couche : pris comme neutres}",
    ),
    "checkpoints.comma": (", ", "、", ", "),
    "checkpoints.semicolon": ("; ", "；", " ; "),
    "checkpoints.assumed": ("The file cannot show this, so it is assumed:", "文件无法反映，因此按此假定：", "Le fichier ne peut pas le montrer, c'est donc supposé :"),
    "checkpoints.assumed_many": (
        "{settings} settings that the file cannot show are assumed to be off",
        "有 {settings} 项设置文件无法反映，均假定为关闭",
        "{settings} réglages que le fichier ne peut pas montrer sont supposés désactivés",
    ),
    "checkpoints.assumed_help": (
        "A change of these would leave no trace in the file. If you trained with another value, the attention shown "
        "here is wrong: bring it as a file of attention instead.",
        "改动这些设置不会在文件中留下痕迹。如果训练时用了别的值，这里显示的注意力就是错的，请改用注意力文件。",
        "Changer ces réglages ne laisserait aucune trace dans le fichier. Si vous avez entraîné avec une autre valeur, "
        "l'attention affichée ici est fausse : apportez-la plutôt en fichier.",
    ),
    "checkpoints.finite": ("All weights are numbers", "所有权重都是有限数值", "Tous les poids sont des nombres"),
    "checkpoints.not_finite": (
        "NaN or infinite weights in {names}",
        "以下张量含有 NaN 或无穷大：{names}",
        "Poids NaN ou infinis dans {names}",
    ),
    "checkpoints.rows": (
        "First forward pass: {rows} rows of attention sum to 1, the worst off by {error}",
        "首次前向计算：{rows} 行注意力之和为 1，最大偏差 {error}",
        "Première passe : {rows} lignes d'attention de somme 1, la pire à {error} près",
    ),
    "checkpoints.rows_bad": (
        "First forward pass: rows do not sum to 1 (off by {error})",
        "首次前向计算：行之和不为 1（偏差 {error}）",
        "Première passe : les lignes n'ont pas pour somme 1 (écart {error})",
    ),
    "checkpoints.trial": (
        "A test sentence, translated as the model is read now",
        "测试句，按当前读取方式翻译",
        "Une phrase d'essai, traduite avec la lecture actuelle",
    ),
    "checkpoints.trial_ids": (
        "A test: the first tokens of the vocabulary, translated as the model is read now",
        "测试：词表最前面的几个词元，按当前读取方式翻译",
        "Un essai : les premiers tokens du vocabulaire, traduits avec la lecture actuelle",
    ),
    "checkpoints.trial_probability": (
        "On average the model gives each of its tokens {share}%.",
        "模型给每个词元的平均概率为 {share}%。",
        "En moyenne, le modèle donne {share} % à chacun de ses tokens.",
    ),
    "checkpoints.trial_empty": (
        "The translation is empty: the model is read wrongly somewhere, most often in its begin or end token.",
        "译文为空：某处读错了，最常见的是句首或句尾编号。",
        "La traduction est vide : le modèle est mal lu quelque part, le plus souvent au token de début ou de fin.",
    ),
    "checkpoints.trial_cut": (
        "It was cut here: it was long, or repeated itself.",
        "译文过长或出现重复，已在此截断。",
        "Elle est coupée ici : trop longue, ou répétée.",
    ),
    "checkpoints.trial_answers": (
        "If a trained model answers with nonsense or repeats a word, one of the answers below is wrong.",
        "如果训练好的模型给出无意义或不断重复的译文，说明下面某个答案有误。",
        "Si un modèle entraîné répond n'importe quoi ou répète un mot, une des réponses plus bas est fausse.",
    ),
    "checkpoints.trial_table": (
        "If a trained model answers with nonsense or repeats a word, an answer below or a line of the table is wrong.",
        "如果训练好的模型给出无意义或不断重复的译文，说明下面某个答案或对照表的某一行有误。",
        "Si un modèle entraîné répond n'importe quoi ou répète un mot, une réponse ou une ligne de la table est fausse.",
    ),
    "checkpoints.trial_trained": (
        "Nonsense or a repeated word means that the model is hardly trained, or that this vocabulary is not its own.",
        "译文无意义或不断重复，说明模型几乎没有训练，或词表不是它的。",
        "Une réponse absurde ou un mot répété : le modèle est à peine entraîné, ou ce vocabulaire n'est pas le sien.",
    ),
    "checkpoints.tokens_fit": (
        "Tokens of the {side}: {tokens}, as many as embeddings",
        "{side}词元：{tokens} 个，与词嵌入的数量一致",
        "Tokens {side} : {tokens}, autant que de plongements",
    ),
    "checkpoints.tokens_fewer": (
        "Tokens of the {side}: {tokens} for {embeddings} embeddings; the rest are shown as numbers",
        "{side}词元：{tokens} 个，嵌入 {embeddings} 个；其余以编号显示",
        "Tokens {side} : {tokens} pour {embeddings} plongements ; les autres sont montrés par leur numéro",
    ),
    "checkpoints.tokens_disagree": (
        "Tokens of the {side} have other ids than those in use: {roles}",
        "{side}词元与所用编号不一致：{roles}",
        "Tokens {side} ailleurs que les numéros utilisés : {roles}",
    ),
    "checkpoints.tokens_none": (
        "No tokens of the {side}: numbers are shown in place of words",
        "没有{side}词元：以编号代替文字",
        "Pas de tokens {side} : des numéros remplacent les mots",
    ),
    "checkpoints.side_source": ("source", "源语言", "source"),
    "checkpoints.side_target": ("target", "目标语言", "cible"),
    "checkpoints.configuration": ("Configuration", "配置", "Configuration"),
    "checkpoints.limits_of": ("Not possible with this model", "此模型不支持", "Impossible avec ce modèle"),
    "checkpoints.cannot_no_own_format": (
        "saving in Regard's own format, because the model runs in its own library",
        "保存为 Regard 格式，因为它由自己的库运行",
        "l'enregistrer au format de Regard, car il tourne dans sa propre bibliothèque",
    ),
    "checkpoints.cannot_no_position_edits": (
        "moving positions and removing the causal mask",
        "移动位置与取消因果掩码",
        "déplacer les positions et retirer le masque causal",
    ),
    "checkpoints.cannot_no_patches": (
        "the logit lens, a look inside a head, value-weighted attention and patching, because its own code does not "
        "expose the intermediate steps",
        "logit lens、注意力头内部、按值加权的注意力与修补，因为它自己的代码不给出中间步骤",
        "la « logit lens », l'intérieur d'une tête, l'attention pondérée par les valeurs et les patchs, car son "
        "propre code ne donne pas les étapes intermédiaires",
    ),
    "checkpoints.cannot_no_fine_tuning": ("fine-tuning here", "在此微调", "l'affiner ici"),
    "checkpoints.cannot_no_translation": (
        "translating, because it has only an encoder or only a decoder",
        "翻译，因为它只有编码器或只有解码器",
        "traduire, car il n'a qu'un encodeur ou qu'un décodeur",
    ),
    "checkpoints.guess": ("a guess", "推测", "supposé"),
    "checkpoints.guessed": (
        "Guessed until you confirm it below: {names}",
        "以下为推测，请在下方确认：{names}",
        "Supposé, à confirmer plus bas : {names}",
    ),
    "checkpoints.files": ("Files", "文件", "Fichiers"),
    "checkpoints.file_is_used": ("used: ", "已使用：", "utilisé : "),
    "checkpoints.file_is_ignored": ("ignored: ", "已忽略：", "ignoré : "),
    "checkpoints.file_is_not_understood": ("not understood: ", "无法理解：", "pas compris : "),
    "checkpoints.file_weights": ("the weights", "权重", "les poids"),
    "checkpoints.file_settings": ("the settings", "设置", "les réglages"),
    "checkpoints.file_tokens_source": ("tokens of the source", "源语言词元", "tokens source"),
    "checkpoints.file_tokens_target": ("tokens of the target", "目标语言词元", "tokens cible"),
    "checkpoints.file_tokens_both": (
        "tokens of source and target",
        "源语言与目标语言词元",
        "tokens source et cible",
    ),
    "checkpoints.file_settings_unread": (
        "the settings of this kind of model are read from the weights",
        "此类模型的设置从权重中读取",
        "les réglages de ce genre de modèle se lisent dans les poids",
    ),
    "checkpoints.file_length": (
        "{entries} {entries|entry|entries}, and the vocabulary has {sizes}",
        "共 {entries} 项，而词表有 {sizes} 项",
        "{entries} {entries|entrée|entrées}, alors que le vocabulaire en a {sizes}",
    ),
    "checkpoints.file_undecided": (
        "it has the right length, but so do other files, or its name belongs to the other side. Drop it under “Add "
        "tokens” to choose.",
        "长度相符，但其他文件也相符，或文件名属于另一侧。请在“添加词元”中指定。",
        "sa longueur convient, mais celle d'autres fichiers aussi, ou son nom désigne l'autre côté. Déposez-le sous "
        "« Ajouter des tokens » pour choisir.",
    ),
    "checkpoints.file_spare": (
        "it has the right length, but other tokens are in use",
        "长度相符，但已使用其他词元",
        "sa longueur convient, mais d'autres tokens servent déjà",
    ),
    "checkpoints.file_empty": ("it is empty", "文件为空", "il est vide"),
    "checkpoints.file_data": (
        "data or other weights; one file of weights is read",
        "数据或其他权重；只读取一个权重文件",
        "des données ou d'autres poids ; un seul fichier de poids est lu",
    ),
    "checkpoints.file_not_of_format": (
        "this format does not read it",
        "此格式不读取该文件",
        "ce format ne le lit pas",
    ),
    "checkpoints.file_unread": ("{reason}", "{reason}", "{reason}"),
    "checkpoints.asked": ("What the file does not say", "文件未说明的内容", "Ce que le fichier ne dit pas"),
    "checkpoints.asked_lead": (
        "Likely values are filled in. A wrong value still gives a result, so check them.",
        "已填入可能的值。错误的值也能算出结果，请核对。",
        "Des valeurs probables sont remplies. Une valeur fausse donne quand même un résultat : vérifiez-les.",
    ),
    "checkpoints.answer": ("Read it this way", "按此读取", "Lire ainsi"),
    "checkpoints.ask_weights": ("Which copy of the weights", "读取哪一份权重", "Quelle copie des poids"),
    "checkpoints.ask_n_heads": ("Heads", "头数", "Têtes"),
    "checkpoints.ask_norm_first": ("Norms", "归一化位置", "Place de la normalisation"),
    "checkpoints.norm_pre": ("before each sublayer", "子层之前", "avant chaque sous-couche"),
    "checkpoints.norm_post": ("after each sublayer", "子层之后", "après chaque sous-couche"),
    "checkpoints.ask_activation": ("Activation", "激活函数", "Activation"),
    "checkpoints.ask_embedding_scale": ("Embeddings times", "嵌入乘以", "Plongements multipliés par"),
    "checkpoints.ask_source_pad_id": ("Source padding id", "源语言填充编号", "Numéro de remplissage source"),
    "checkpoints.ask_target_pad_id": ("Target padding id", "目标语言填充编号", "Numéro de remplissage cible"),
    "checkpoints.ask_bos_id": ("Begin-of-sentence id", "句首编号", "Numéro de début de phrase"),
    "checkpoints.ask_eos_id": ("End-of-sentence id", "句尾编号", "Numéro de fin de phrase"),
    "checkpoints.ask_original_positions": (
        "Positions as the original program reads them",
        "按原程序的方式读取位置",
        "Positions comme le programme d'origine les lit",
    ),
    "checkpoints.ask_source_has_bos": (
        "The source begins with the begin-of-sentence token",
        "源句以句首词元开头",
        "La source commence par le token de début",
    ),
    "checkpoints.ask_source_has_eos": (
        "The source ends with the end-of-sentence token",
        "源句以句尾词元结尾",
        "La source finit par le token de fin",
    ),
    "checkpoints.ask_masks_hide": (
        "Masks are filled with −1e20 (not 1e-20, which hides nothing)",
        "掩码填入 −1e20（若填 1e-20，则什么也没有遮住）",
        "Les masques sont remplis de −1e20 (et non de 1e-20, qui ne cache rien)",
    ),
    "checkpoints.ask_older_code": (
        "Trained with an older version of its code",
        "用其代码的旧版本训练",
        "Entraîné avec une version plus ancienne de son code",
    ),
    "checkpoints.because_same_names": (
        "before {change} the code used the same names and computed something else, which is not read here",
        "在 {change} 之前，该代码使用相同的名称，但计算方式不同，这里无法读取",
        "avant {change}, le code donnait les mêmes noms mais calculait autrement, ce qui n'est pas lu ici",
    ),
    "checkpoints.ask_norm_adds_one": (
        "Norms: scale by 1 + the stored value",
        "归一化：乘以“1 + 存储值”",
        "Normes : multiplier par 1 + la valeur enregistrée",
    ),
    "checkpoints.because_norm_mean": (
        "the norms' stored weights average {mean}",
        "归一化层存储的权重平均为 {mean}",
        "les poids enregistrés des normalisations valent {mean} en moyenne",
    ),
    "checkpoints.because_head_width": (
        "heads are usually {width} wide here, and all of them together {all}",
        "此类模型的头宽通常为 {width}，所有头合计 {all}",
        "une tête a d'habitude {width} de large ici, et toutes ensemble {all}",
    ),
    "checkpoints.because_heads_divide": (
        "must divide {width}",
        "必须整除 {width}",
        "doit diviser {width}",
    ),
    "checkpoints.because_heads_usual": (
        "{value} is usual here",
        "此类模型通常为 {value}",
        "{value} est l'usage ici",
    ),
    "checkpoints.because_own_loss": (
        "loss per token, its own translation of plain sentences",
        "每词元损失：它自己对普通句子的译文",
        "perte par token, sa propre traduction de phrases simples",
    ),
    "checkpoints.because_given_loss": (
        "loss per token, your translation",
        "每词元损失：你给出的译文",
        "perte par token, votre traduction",
    ),
    "checkpoints.weigh": ("Test the answers on a translation", "用一句译文检验这些答案", "Éprouver les réponses"),
    "checkpoints.weigh_help": (
        "Give a sentence and its correct translation. Each answer is tried, and its loss is shown under the question: "
        "the right answer has the smallest. Without tokens, give numbers as #5 #12.",
        "输入一句话及其正确译文。程序会逐一尝试每个答案，并在问题下方显示损失：正确答案的损失最小。"
        "没有词元时，请输入编号，如 #5 #12。",
        "Donnez une phrase et sa traduction correcte. Chaque réponse est essayée, et sa perte s'affiche sous la "
        "question : la bonne a la plus petite. Sans tokens, donnez des numéros comme #5 #12.",
    ),
    "checkpoints.weigh_source": ("Sentence", "句子", "Phrase"),
    "checkpoints.weigh_target": ("Its translation", "译文", "Sa traduction"),
    "checkpoints.weigh_do": ("Compare the answers", "比较各答案", "Comparer les réponses"),
    "checkpoints.weigh_cannot": (
        "This pair cannot be read",
        "无法读取这对句子",
        "Cette paire ne peut pas être lue",
    ),
    "checkpoints.yes": ("yes", "是", "oui"),
    "checkpoints.no": ("no", "否", "non"),
    "checkpoints.because_head_entropy": (
        "entropy of the heads, nats",
        "注意力头的熵（奈特）",
        "entropie des têtes, en nats",
    ),
    "checkpoints.because_norm_words": (
        "with {norm}-norm it writes {words} different words out of 8",
        "按 {norm}-norm 读取时，8 个词中有 {words} 个不同",
        "en {norm}-norm, il écrit {words} mots différents sur 8",
    ),
    "checkpoints.because_embedding_spread": (
        "the embeddings have a standard deviation of {std}; {usual} is usual where they are scaled",
        "嵌入的标准差为 {std}；需要缩放时通常为 {usual}",
        "l'écart type des plongements est de {std} ; {usual} est l'usage quand on les multiplie",
    ),
    "checkpoints.because_position_rows": (
        "the table of positions has {rows} {rows|row|rows}",
        "位置表有 {rows} 行",
        "la table des positions a {rows} {rows|ligne|lignes}",
    ),
    "checkpoints.add_tokens": ("Add tokens", "添加词元", "Ajouter des tokens"),
    "checkpoints.add_tokens_help": (
        "A SentencePiece model, a vocabulary (one token per line, or JSON), or a Hugging Face tokenizer.json.",
        "SentencePiece 模型、词表（每行一个词元，或 JSON），或 Hugging Face 的 tokenizer.json。",
        "Un modèle SentencePiece, un vocabulaire (un token par ligne, ou JSON), ou un tokenizer.json de Hugging Face.",
    ),
    "checkpoints.tokens_source": ("Source tokens", "源语言词元", "Tokens source"),
    "checkpoints.tokens_target": ("Target tokens", "目标语言词元", "Tokens cible"),
    "checkpoints.look": ("Look at its attention", "查看它的注意力", "Voir son attention"),
    "checkpoints.look_guessed": (
        "Look at its attention with these guesses",
        "按这些推测查看注意力",
        "Voir son attention avec ces suppositions",
    ),
    "checkpoints.open_models": ("Open in this session", "本次会话中打开的模型", "Ouverts dans cette session"),
    "checkpoints.used": (
        "{used} of {most} MB in use",
        "已用 {used} / {most} MB",
        "{used} Mo utilisés sur {most}",
    ),
    "checkpoints.let_go": (
        "Closed to free memory: {names}. Drop the files again to bring it back.",
        "为释放内存已关闭：{names}。再次拖入文件即可恢复。",
        "Fermé pour libérer de la mémoire : {names}. Déposez de nouveau les fichiers pour le retrouver.",
    ),
    "checkpoints.rename": ("Name", "名称", "Nom"),
    "checkpoints.use": ("Use", "使用", "Utiliser"),
    "checkpoints.in_use": ("in use", "使用中", "en cours"),
    "checkpoints.remove": ("Remove", "移除", "Retirer"),
    "checkpoints.download": ("Download as our format", "下载为本项目格式", "Télécharger à notre format"),
    "checkpoints.download_not": (
        "Models of this family run in their own library and keep its file format.",
        "此类模型由自己的库运行，保留该库的文件格式。",
        "Les modèles de cette famille tournent dans leur propre bibliothèque et gardent son format de fichier.",
    ),
    "checkpoints.ask_norm_kind": ("Kind of norm", "归一化类型", "Sorte de normalisation"),
    "checkpoints.norm_kind_layer": ("LayerNorm", "LayerNorm", "LayerNorm"),
    "checkpoints.norm_kind_rms": ("RMSNorm", "RMSNorm", "RMSNorm"),
    "checkpoints.norm_kind_annotated": (
        "own code: (x − mean) / (std + ε)",
        "自写代码：(x − 均值) / (标准差 + ε)",
        "code maison : (x − moyenne) / (écart-type + ε)",
    ),
    "checkpoints.norm_kind_population": (
        "own code: (x − mean) / (std + ε), std over n",
        "自写代码：(x − 均值) / (标准差 + ε)，标准差除以 n",
        "code maison : (x − moyenne) / (écart-type + ε), écart-type sur n",
    ),
    "checkpoints.ask_scale_emb_or_prj": (
        "Shared matrix (scale_emb_or_prj)",
        "共享矩阵（scale_emb_or_prj）",
        "Matrice partagée (scale_emb_or_prj)",
    ),
    "checkpoints.scale_emb_or_prj_prj": ("logits divided by √d", "logit 除以 √d", "logits divisés par √d"),
    "checkpoints.scale_emb_or_prj_emb": ("embeddings times √d", "嵌入乘以 √d", "plongements multipliés par √d"),
    "checkpoints.scale_emb_or_prj_none": ("neither", "都不缩放", "aucun des deux"),
    "checkpoints.because_marian_readings": (
        "No: as transformers and CTranslate2 convert such a file (frequencies over d/2, ε 1e-5). "
        "Yes: as Marian itself computes (d/2 − 1, 1e-6). At 512 wide the two are close.",
        "否：与 transformers 和 CTranslate2 转换此类文件时相同（频率按 d/2，ε 为 1e-5）。"
        "是：与 Marian 自身的计算相同（d/2 − 1，1e-6）。宽度为 512 时两者相近。",
        "Non : comme transformers et CTranslate2 convertissent un tel fichier (fréquences sur d/2, ε 1e-5). "
        "Oui : comme Marian calcule lui-même (d/2 − 1, 1e-6). À 512 de large, les deux sont proches.",
    ),
    "checkpoints.ask_positions": ("Positions", "位置编码", "Positions"),
    "checkpoints.positions_interleaved": ("alternating sines and cosines", "正弦与余弦交替", "sinus et cosinus en alternance"),
    "checkpoints.positions_halves": ("sines, then cosines", "先正弦，后余弦", "sinus, puis cosinus"),
    "checkpoints.positions_tensor2tensor": (
        "sines, then cosines, as fairseq and tensor2tensor",
        "先正弦，后余弦（fairseq、tensor2tensor 的公式）",
        "sinus, puis cosinus, comme fairseq et tensor2tensor",
    ),
    "checkpoints.positions_doubled": (
        "alternating, exponents doubled (as in much tutorial code)",
        "正弦与余弦交替，指数加倍（许多教程代码如此）",
        "en alternance, exposants doublés (code de tutoriels)",
    ),
    "checkpoints.positions_none": ("none", "无", "aucune"),
}  # fmt: skip
