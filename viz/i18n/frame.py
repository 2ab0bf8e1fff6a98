"""Words of what surrounds every page: navigation, pickers, keys, errors."""

STRINGS: dict[str, tuple[str, ...]] = {
    "frame.tagline": (
        "See what a Transformer attends to",
        "看见 Transformer 在看什么",
        "Voir ce que regarde un Transformer",
    ),
    "frame.page_explore": ("Explore", "探索", "Explorer"),
    "frame.page_decode": ("Decode", "解码", "Décoder"),
    "frame.page_causal": ("Causal", "因果", "Causalité"),
    "frame.page_inside": ("Inside a head", "注意力头内部", "Intérieur d'une tête"),
    "frame.page_positions": ("Positions", "位置", "Positions"),
    "frame.page_corpus": ("Corpus", "语料", "Corpus"),
    "frame.page_laboratory": ("Laboratory", "实验室", "Laboratoire"),
    "frame.page_fine_tune": ("Fine-tune", "微调", "Affiner"),
    "frame.page_checkpoints": ("Checkpoints", "检查点", "Checkpoints"),
    "frame.page_lesson": ("Lesson", "课程", "Leçon"),
    "frame.page_room": ("Room", "课堂", "Classe"),
    "frame.model": ("Model", "模型", "Modèle"),
    "frame.model_choose": ("Model in use", "当前模型", "Modèle utilisé"),
    "frame.target_language": ("Language of the translation", "译文语言", "Langue de la traduction"),
    "frame.target_language_own": (
        "chosen by the model",
        "由模型自己决定",
        "choisie par le modèle",
    ),
    "frame.model_shape": (
        "{encoder}+{decoder} layers × {heads} {heads|head|heads}",
        "{encoder}+{decoder} 层 × {heads} 头",
        "{encoder}+{decoder} couches × {heads} {heads|tête|têtes}",
    ),
    "frame.unfilled": (
        "“{page}” is not in the menu for this model:",
        "菜单中没有“{page}”，因为：",
        "« {page} » n'est pas dans le menu pour ce modèle :",
    ),
    "frame.alone": ("This model does not translate", "该模型不能翻译", "Ce modèle ne traduit pas"),
    "frame.model_shape_alone": (
        "{layers} {layers|layer|layers} × {heads} {heads|head|heads}",
        "{layers} 层 × {heads} 头",
        "{layers} {layers|couche|couches} × {heads} {heads|tête|têtes}",
    ),
    "frame.model_of_session": ("only in this browser session", "仅限本次浏览器会话", "dans cette session seulement"),
    "frame.model_unknown": (
        "This link was made with the model “{name}”. That model is open only on the page where it was trained or "
        "uploaded, until that page is closed or refreshed. You are looking at “{used}”, so numbers and heads differ. "
        "To see the same, open the model's file on the page Checkpoints. The file can be downloaded where the model "
        "is open.",
        "此链接是用模型“{name}”生成的。该模型只在训练或上传它的页面中打开，页面关闭或刷新后就不在了。你现在看到的是“{used}”，数值和注意力头会有所不同。若要看到相同内容，请在“检查点”页面打开该模型的文件。文件可在打开该模型的页面下载。",
        "Ce lien a été créé avec le modèle « {name} ». Ce modèle n'est ouvert que sur la page où il a été entraîné "
        "ou déposé, tant qu'elle n'est ni fermée ni rechargée. Vous regardez « {used} » : les nombres et les têtes "
        "diffèrent. Pour voir la même chose, ouvrez le fichier du modèle sur la page Checkpoints. Le fichier se "
        "télécharge là où le modèle est ouvert.",
    ),
    "frame.model_waits": (
        "The link also names tokens of that model (a forced beginning, pinned or hidden tokens, a fork), or layers "
        "and heads that this one does not have. They have no effect here. They are applied again when that model is "
        "opened.",
        "此链接还指定了该模型的词元（强制开头、固定或隐藏的词元、分叉），或当前模型没有的层和头。这些在这里不生效；打开该模型后会恢复。",
        "Le lien désigne aussi des tokens de ce modèle (début imposé, tokens épinglés ou masqués, bifurcation), ou des "
        "couches et des têtes que celui-ci n'a pas. Rien de cela n'est appliqué ici ; tout revient quand le modèle est "
        "ouvert.",
    ),
    "frame.model_keep": ("Continue with “{used}”", "继续使用“{used}”", "Continuer avec « {used} »"),
    "frame.guesses": (
        "Guessed for this model: {names}",
        "此模型的以下设置为推测：{names}",
        "Supposé pour ce modèle : {names}",
    ),
    "frame.guesses_confirm": ("Confirm", "去确认", "Confirmer"),
    "frame.none_model": (
        "There is no model to show",
        "没有可显示的模型",
        "Aucun modèle à montrer",
    ),
    "frame.none_model_remedy": (
        "Start the application with “streamlit run app.py -- --checkpoint PATH”, or put a checkpoint in “pretrained/”.",
        "请用“streamlit run app.py -- --checkpoint 路径”启动，或把检查点放进“pretrained/”。",
        "Lancez « streamlit run app.py -- --checkpoint CHEMIN », ou placez un checkpoint dans « pretrained/ ».",
    ),
    "frame.language": ("Language", "语言", "Langue"),
    "frame.settings": ("View settings", "显示设置", "Réglages d'affichage"),
    "frame.presenter": ("Presenter mode", "演示模式", "Mode présentation"),
    "frame.computing": ("Computing …", "正在计算……", "Calcul en cours…"),
    "frame.end_presenting": ("End presenting", "结束演示", "Quitter la présentation"),
    "frame.presenter_help": (
        "Large type and folded controls, for a projector.",
        "大字号、收起控件，适合投影。",
        "Grands caractères et commandes repliées, pour un projecteur.",
    ),
    "frame.count_from": ("Number layers and heads from", "层与头的编号起点", "Numéroter couches et têtes à partir de"),
    "frame.keys": ("Shortcuts", "快捷键", "Raccourcis"),
    "frame.keys_title": ("Keyboard shortcuts", "键盘快捷键", "Raccourcis clavier"),
    "frame.keys_key": ("Key", "按键", "Touche"),
    "frame.keys_does": ("What it does", "作用", "Effet"),
    "frame.key_arrows": ("Move through layers and heads", "在层与头之间移动", "Parcourir couches et têtes"),
    "frame.key_tab": ("Go from token to token", "逐个词元移动", "Aller d'un token à l'autre"),
    "frame.key_enter": (
        "Pin the token; in the box, translate",
        "固定词元；在输入框中则翻译",
        "Épingler le token ; dans le champ de saisie, traduire",
    ),
    "frame.key_escape": (
        "Unpin everything; close the dialog",
        "取消所有固定；关闭窗口",
        "Tout désépingler ; fermer la fenêtre",
    ),
    "frame.key_shift": (
        "Add the head to the selection",
        "把这个头加入所选",
        "Ajouter la tête à la sélection",
    ),
    "frame.key_shift_name": ("Shift + click", "Shift + 单击", "Maj + clic"),
    "frame.key_arrows_name": ("Arrows", "方向键", "Flèches"),
    "frame.error_limit": (
        "This is more than this server allows",
        "这超出了本服务器允许的范围",
        "C'est plus que ce serveur n'autorise",
    ),
    "frame.error_model": ("The model could not be opened", "无法打开模型", "Le modèle n'a pas pu être ouvert"),
    "frame.error_text": ("This text cannot be translated", "无法翻译这段文字", "Ce texte ne peut pas être traduit"),
    "frame.error_intervention": (
        "This change cannot be made",
        "无法进行此改动",
        "Cette modification est impossible",
    ),
    "frame.error_reading": (
        "This weighting is not possible",
        "无法以这种方式解读权重",
        "Cette lecture des poids est impossible",
    ),
    "frame.error_file": ("This file cannot be used", "无法使用该文件", "Ce fichier ne peut pas être utilisé"),
    "frame.error_memory": (
        "There is not enough memory for this",
        "内存不足",
        "Il n'y a pas assez de mémoire",
    ),
    "frame.error_memory_remedy": (
        "Shorten the sentence or choose a smaller model.",
        "请缩短句子或选择更小的模型。",
        "Raccourcissez la phrase ou choisissez un modèle plus petit.",
    ),
    "frame.error_numbers": (
        "The model's output is not finite: its weights contain NaN or infinity, so the values drawn mean nothing. "
        "Choose another model.",
        "模型的输出不是有限数：其权重含有 NaN 或无穷大，因此图中数值没有意义。请选择其他模型。",
        "Les sorties du modèle ne sont pas finies : ses poids contiennent NaN ou l'infini, et les valeurs dessinées "
        "n'ont aucun sens. Choisissez un autre modèle.",
    ),
    "frame.in_force": ("Changed", "已改动", "Modifié"),
    "frame.more_changes": ("{n} more changes", "另有 {n} 项改动", "{n} autres changements"),
    "frame.undo": ("Undo", "撤销", "Annuler"),
    "frame.undo_all": ("Undo all", "全部撤销", "Tout annuler"),
    "frame.head_off": ("{kind} {layer}·{head} off", "{kind} {layer}·{head} 关闭", "{kind} {layer}·{head} désactivée"),
    "frame.head_even": (
        "{kind} {layer}·{head} uniform",
        "{kind} {layer}·{head} 均匀",
        "{kind} {layer}·{head} uniforme",
    ),
    "frame.row_forced": (
        "{kind} {layer}·{head} row {row} forced",
        "{kind} {layer}·{head} 第 {row} 行已指定",
        "{kind} {layer}·{head} ligne {row} imposée",
    ),
    "frame.prefix_fixed": ("begins with “{text}”", "以“{text}”开头", "commence par « {text} »"),
    "frame.patch_text": (
        "{name}{where} taken from “{text}”",
        "{name}{where} 取自“{text}”",
        "{name}{where} pris dans « {text} »",
    ),
    "frame.patch_zero": ("{name}{where} set to zero", "{name}{where} 设为零", "{name}{where} mis à zéro"),
    "frame.patch_mean": (
        "{name}{where} set to its mean",
        "{name}{where} 设为平均值",
        "{name}{where} ramené à sa moyenne",
    ),
    "frame.patch_noise": ("{name}{where} with noise", "{name}{where} 加入噪声", "{name}{where} brouillé"),
    "frame.patch_value": ("{name}{where} given by hand", "{name}{where} 手动给定", "{name}{where} donné à la main"),
    "frame.patch_add": (
        "{name}{where} plus {factor} × a vector",
        "{name}{where} 加上 {factor} × 向量",
        "{name}{where} plus {factor} × un vecteur",
    ),
    "frame.patch_scale": ("{name}{where} times {factor}", "{name}{where} 乘以 {factor}", "{name}{where} fois {factor}"),
    "frame.patch_project_out": (
        "{name}{where} without one direction",
        "{name}{where} 去掉一个方向",
        "{name}{where} sans une direction",
    ),
    "frame.patch_apply": (
        "{name}{where} through a function",
        "{name}{where} 经过一个函数",
        "{name}{where} passé par une fonction",
    ),
    "frame.key_blocked": (
        "{kind} key {token} hidden",
        "{kind} 键 {token} 已隐藏",
        "{kind} clé {token} masquée",
    ),
    "frame.open_site": ("Open without a server", "在无服务器的页面中打开", "Ouvrir dans la page sans serveur"),
    "frame.open_site_help": (
        "The same sentence, model, head and changes on a page where the model runs in your browser.",
        "在模型运行于你的浏览器的页面上，打开同样的句子、模型、头和改动。",
        "La même phrase, le même modèle, la même tête et les mêmes changements sur une page où le modèle fonctionne dans votre navigateur.",
    ),
    "frame.positions_zero": ("no positions", "无位置编码", "sans positions"),
    "frame.positions_shuffle": ("positions shuffled", "位置已打乱", "positions mélangées"),
    "frame.positions_shift": ("positions shifted by {amount}", "位置平移 {amount}", "positions décalées de {amount}"),
    "frame.positions_reverse": ("positions reversed", "位置已反转", "positions inversées"),
    "frame.mask_lifted": ("causal mask removed", "已取消因果掩码", "masque causal retiré"),
    "frame.remove_help": ("Click to undo this change", "单击以撤销此改动", "Cliquer pour annuler ce changement"),
    "frame.kind_encoder_self": ("Encoder", "编码器", "Encodeur"),
    "frame.kind_decoder_self": ("Decoder", "解码器", "Décodeur"),
    "frame.kind_cross": ("Cross", "交叉", "Croisée"),
    "frame.kind_long_encoder_self": (
        "encoder self-attention",
        "编码器自注意力",
        "auto-attention de l'encodeur",
    ),
    "frame.kind_long_decoder_self": (
        "decoder self-attention",
        "解码器自注意力",
        "auto-attention du décodeur",
    ),
    "frame.kind_long_cross": ("cross-attention", "交叉注意力", "attention croisée"),
    "frame.menu_experiments": ("Experiments", "实验", "Expériences"),
    "frame.menu_models": ("Models", "模型", "Modèles"),
    "frame.page_overview": ("Overview", "总览", "Aperçu"),
}
