"""Words of the Decode page: the player, what can be changed, what can be asked."""

STRINGS: dict[str, tuple[str, ...]] = {
    "decode.mode": ("How to decode", "解码方式", "Mode de décodage"),
    "decode.mode_greedy": ("Greedy", "贪心", "Glouton"),
    "decode.mode_beam": ("Beam", "束搜索", "Faisceau"),
    "decode.mode_sample": ("Sampling", "采样", "Échantillonnage"),
    "decode.mode_forcing": ("Teacher forcing", "教师强制", "Teacher forcing"),
    "decode.options": ("Options of this way of decoding", "此解码方式的选项", "Réglages de ce décodage"),
    "decode.beam_size": ("Beam width", "束宽", "Largeur du faisceau"),
    "decode.length_penalty": ("Length penalty", "长度惩罚", "Pénalité de longueur"),
    "decode.length_penalty_help": (
        "0 compares plain sums of log-probabilities, which favours short translations.",
        "0 表示直接比较对数概率之和，会偏向较短的译文。",
        "0 compare les sommes brutes de log-probabilités, ce qui favorise les traductions courtes.",
    ),
    "decode.temperature": ("Temperature", "温度", "Température"),
    "decode.temperature_help": (
        "Below 1, probable tokens are drawn more often; above 1, less often.",
        "低于 1 时更常抽到高概率词元，高于 1 时更随机。",
        "Sous 1, les tokens probables sont tirés plus souvent ; au-dessus de 1, moins souvent.",
    ),
    "decode.top_k_all": ("all", "全部", "tous"),
    "decode.bend_kept": (
        "{n} of {total} tokens can be drawn.",
        "{total} 个词元中有 {n} 个可能被抽到。",
        "{n} tokens sur {total} peuvent être tirés.",
    ),
    "decode.top_k": ("Top k", "Top k", "Top k"),
    "decode.top_k_help": (
        "Draw among this many most probable tokens; 0 draws among all.",
        "只在概率最高的 k 个词元中抽取；0 表示不限。",
        "Tirer parmi les k tokens les plus probables ; 0 : parmi tous.",
    ),
    "decode.top_p": ("Top p", "Top p", "Top p"),
    "decode.top_p_help": (
        "Draw among the fewest tokens whose probabilities add up to this.",
        "只在概率之和达到该值的最少几个词元中抽取。",
        "Tirer parmi le plus petit nombre de tokens dont la somme des probabilités atteint cette valeur.",
    ),
    "decode.min_p": ("Min p", "Min p", "Min p"),
    "decode.min_p_help": (
        "Draw among the tokens whose probability is at least this share of the best one's.",
        "只在概率至少达到最高者这一比例的词元中抽取。",
        "Tirer parmi les tokens dont la probabilité atteint au moins cette part de celle du meilleur.",
    ),
    "decode.seed": ("Seed", "随机种子", "Graine"),
    "decode.max_length": ("Longest translation (tokens)", "译文最大长度（词元）", "Longueur maximale (tokens)"),
    "decode.max_length_help": (
        "0: the limit depends on the length of the sentence.",
        "0 表示由句长决定。",
        "0 : la limite dépend de la longueur de la phrase.",
    ),
    "decode.alone": (
        "This encoder predicts no tokens",
        "这个编码器不预测词元",
        "Cet encodeur ne prédit aucun token",
    ),
    "decode.alone_remedy": (
        "It was saved without the head that predicts hidden tokens, or without its tokenizer. Save it with its masked-LM "
        "head and its tokenizer, or choose another model at the top of the page.",
        "保存时没有带上预测被遮词元的输出层，或缺少分词器。请连同掩码语言模型头和分词器一起保存，或在页面顶部选择别的模型。",
        "Il a été enregistré sans la tête qui prédit les tokens masqués, ou sans son tokenizer. Enregistrez-le avec sa "
        "tête de modèle de langue masqué et son tokenizer, ou choisissez un autre modèle en haut de la page.",
    ),
    "decode.masked_read": (
        "The model predicts hidden tokens. Write {mask} in the sentence, or hide one of its tokens:",
        "该模型预测被遮住的词元。请在句子里写 {mask}，或遮住其中一个词元：",
        "Le modèle prédit les tokens cachés. Écrivez {mask} dans la phrase, ou cachez un de ses tokens :",
    ),
    "decode.masked_hide": ("Token to hide", "要遮住的词元", "Token à cacher"),
    "decode.masked_none": (
        "Nothing is hidden yet. Choose a token above, or write {mask} in the sentence.",
        "还没有遮住任何词元。请在上面选一个，或在句子里写 {mask}。",
        "Rien n'est encore caché. Choisissez un token ci-dessus, ou écrivez {mask} dans la phrase.",
    ),
    "decode.masked_best": (
        "With the most probable tokens: {text}",
        "填入概率最高的词元：{text}",
        "Avec les tokens les plus probables : {text}",
    ),
    "decode.masked_own": (
        "The hidden “{token}” itself has a probability of {share}%.",
        "被遮住的“{token}”本身的概率是 {share}%。",
        "Le token caché « {token} » a lui-même une probabilité de {share} %.",
    ),
    "decode.masked_place": ("Token {n}", "第 {n} 个词元", "Token {n}"),
    "decode.masked_token": ("candidates", "候选词元", "candidats"),
    "decode.masked_share": ("probability, %", "概率（%）", "probabilité, %"),
    "decode.masked_now": ("with the change, %", "改动后（%）", "avec le changement, %"),
    "decode.masked_before": ("without it, %", "改动前（%）", "sans lui, %"),
    "decode.masked_cell": ("{row}: {value}%", "{row}：{value}%", "{row} : {value} %"),
    "decode.masked_more": (
        "{n} further {n|place is|places are} predicted too, but not listed.",
        "另有 {n} 处也有预测，但未列出。",
        "{n} {n|autre place est prédite|autres places sont prédites} aussi, sans être {n|listée|listées}.",
    ),
    "decode.masked_click": (
        "Click a number to put its token into the sentence.",
        "单击数字可把该词元填入句子。",
        "Cliquez sur un nombre pour mettre son token dans la phrase.",
    ),
    "decode.what_if": ("What if", "如果……会怎样", "Et si"),
    "decode.add_heads": ("Switch heads off", "关闭注意力头", "Désactiver des têtes"),
    "decode.add_attention": ("Force attention", "指定注意力", "Imposer l'attention"),
    "decode.add_positions": ("Positions, mask", "位置与掩码", "Positions, masque"),
    "decode.add_positions_alone": ("Positions", "位置", "Positions"),
    "decode.add_prefix": ("Begin with…", "指定开头……", "Commencer par…"),
    "decode.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "decode.layer": ("Layer", "层", "Couche"),
    "decode.head": ("Head", "头", "Tête"),
    "decode.heads": ("Heads", "头", "Têtes"),
    "decode.off_how": ("How", "方式", "Comment"),
    "decode.off_zero": ("Output zeroed", "输出置零", "Sortie mise à zéro"),
    "decode.off_uniform": ("Weights made uniform", "权重均匀化", "Poids uniformes"),
    "decode.whole_layer": ("All heads of this layer", "该层所有头", "Toutes les têtes de la couche"),
    "decode.switch_off": ("Switch off", "关闭", "Désactiver"),
    "decode.attention_how": (
        "Put all of one row's weight on one token, or hide a token from a head. To set each weight of a row, choose "
        "a head in the player and drag its bars.",
        "将一行的全部权重放在一个词元上，或对某个头隐藏一个词元。若要逐个调整一行的权重，请在播放器中选择一个头并拖动柱条。",
        "Mettez tout le poids d'une ligne sur un token, ou cachez un token à une tête. Pour régler chaque poids "
        "d'une ligne, choisissez une tête dans le lecteur et faites glisser ses barres.",
    ),
    "decode.row_target": ("Row: the token predicted", "行：被预测的词元", "Ligne : le token prédit"),
    "decode.row_source": ("Row: the source token", "行：源词元", "Ligne : le token source"),
    "decode.all_on": ("All on", "全部放在", "Tout sur"),
    "decode.force": ("Force this row", "指定此行", "Imposer cette ligne"),
    "decode.hide": ("Hide the token", "隐藏该词元", "Cacher le token"),
    "decode.hide_help": (
        "No row of this head can attend to it. The other weights grow so that each row still sums to 1.",
        "这个头的任何一行都看不到它；其余权重相应增大，使每行之和仍为 1。",
        "Aucune ligne de cette tête ne peut le regarder. Les autres poids augmentent pour que la somme de chaque "
        "ligne reste 1.",
    ),
    "decode.positions": ("Positions of the source", "源句的位置编码", "Positions de la source"),
    "decode.positions_none": ("As they are", "保持原样", "Telles quelles"),
    "decode.positions_zero": ("None at all", "全部去除", "Aucune"),
    "decode.positions_shuffle": ("Shuffled", "打乱", "Mélangées"),
    "decode.positions_shift": ("Shifted", "平移", "Décalées"),
    "decode.positions_reverse": ("Reversed", "反转", "Inversées"),
    "decode.shuffle_by": ("Seed", "随机种子", "Graine"),
    "decode.shift_by": ("Rows to shift by", "平移的行数", "Décalage en lignes"),
    "decode.no_positions": (
        "This model has no positional encoding, so nothing will change.",
        "该模型没有位置编码，因此不会有任何变化。",
        "Ce modèle n'a pas d'encodage de position : rien ne changera.",
    ),
    "decode.only_distances": (
        "This model uses only the distances between tokens, so a shift changes nothing.",
        "这个模型只看词元之间的距离，因此平移不会有任何变化。",
        "Ce modèle n'utilise que les distances entre tokens : un décalage ne change rien.",
    ),
    "decode.apply": ("Apply", "应用", "Appliquer"),
    "decode.mask_how": (
        "Without the causal mask, a position can attend to later tokens.",
        "去掉因果掩码后，一个位置可以看到后面的词元。",
        "Sans le masque causal, une position peut regarder les tokens suivants.",
    ),
    "decode.mask_lift": ("Remove the causal mask", "取消因果掩码", "Retirer le masque causal"),
    "decode.mask_restore": ("Put the causal mask back", "恢复因果掩码", "Remettre le masque causal"),
    "decode.mask_better": (
        "Without the mask the loss falls from {before} to {after}, because the model sees the tokens that it has to "
        "predict. When it translates they do not exist yet, so a model trained like this would learn to copy and "
        "fail when translating.",
        "去掉掩码后损失从 {before} 降到 {after}，因为模型看到了它要预测的词元。翻译时这些词元还不存在，这样训练的模型只会学会照抄，翻译时就会失败。",
        "Sans le masque, la perte passe de {before} à {after}, car le modèle voit les tokens qu'il doit prédire. En "
        "traduisant, ils n'existent pas encore : un modèle entraîné ainsi apprendrait à copier et échouerait en "
        "traduisant.",
    ),
    "decode.mask_worse": (
        "Without the mask the loss goes from {before} to {after}. This model was trained with the mask, so it never "
        "learned to use later tokens. A model trained without it would learn to copy them and fail when translating.",
        "去掉掩码后损失从 {before} 变为 {after}。该模型是带掩码训练的，从未学过利用后面的词元。若不带掩码训练，模型会学会照抄，翻译时就会失败。",
        "Sans le masque, la perte passe de {before} à {after}. Ce modèle a été entraîné avec le masque et n'a jamais "
        "appris à utiliser les tokens suivants. Un modèle entraîné sans masque apprendrait à les copier et "
        "échouerait en traduisant.",
    ),
    "decode.prefix": ("The translation begins with", "译文的开头", "La traduction commence par"),
    "decode.prefix_help": (
        "Decoding continues from these words.",
        "解码会从这些词继续。",
        "Le décodage continue à partir de ces mots.",
    ),
    "decode.prefix_unknown": ("That beginning cannot be used.", "无法使用这个开头。", "Ce début est impossible."),
    "decode.go_on_from": ("Continue from here", "从这里继续", "Continuer à partir d'ici"),
    "decode.transport": ("Steps", "步骤", "Étapes"),
    "decode.play": ("Play", "播放", "Lire"),
    "decode.pause": ("Pause", "暂停", "Pause"),
    "decode.back": ("One step back (←)", "后退一步（←）", "Une étape en arrière (←)"),
    "decode.next": ("One step forward (→)", "前进一步（→）", "Une étape en avant (→)"),
    "decode.scrub": ("Step", "步骤", "Étape"),
    "decode.speed": ("Speed", "速度", "Vitesse"),
    "decode.speed_of": ("{n} per second", "每秒 {n} 步", "{n} par seconde"),
    "decode.step_of": ("step {step} of {count}", "第 {step} 步，共 {count} 步", "étape {step} sur {count}"),
    "decode.next_word": ("Next token", "下一个词元", "Token suivant"),
    "decode.fed_predicts": (
        "fed “{fed}” → predicts “{said}”",
        "输入“{fed}” → 预测“{said}”",
        "lit « {fed} » → prédit « {said} »",
    ),
    "decode.fed": ("fed “{fed}”", "输入“{fed}”", "lit « {fed} »"),
    "decode.others": (
        "{n} other {n|token has|tokens share} {share}.",
        "其余 {n} 个词元共占 {share}。",
        "{n} {n|autre token reçoit|autres tokens se partagent} {share}.",
    ),
    "decode.click_candidate": (
        "Click a token above to continue from it.",
        "单击上面的一个词元，从它继续。",
        "Cliquez sur un token ci-dessus pour continuer avec lui.",
    ),
    "decode.fixed_here": ("You fixed this token.", "这个词元由你指定。", "Vous avez fixé ce token."),
    "decode.candidate_help": (
        "{piece}: {share}. Click to continue from it",
        "{piece}：{share}。单击从它继续",
        "{piece} : {share}. Cliquez pour continuer avec lui",
    ),
    "decode.not_fed": (
        "This branch was pruned before the model read this token. Press “Continue from here” to follow it.",
        "此分支在模型读入这个词元之前已被剪除。单击“从这里继续”以展开。",
        "Cette branche a été élaguée avant que le modèle ne lise ce token. Cliquez sur « Continuer à partir d'ici » pour la "
        "suivre.",
    ),
    "decode.go_on": ("Continue from here", "从这里继续", "Continuer à partir d'ici"),
    "decode.strip_cross": ("Weights on the source", "源句上的权重", "Poids sur la source"),
    "decode.strip_decoder_self": (
        "Weights on the translation so far",
        "对已有译文的权重",
        "Poids sur le début de la traduction",
    ),
    "decode.strip_text": ("Weights on the text so far", "对已有文本的权重", "Poids sur le texte jusqu'ici"),
    "decode.fixed_prompt": (
        "You gave this token.",
        "这个词元是你给出的。",
        "Vous avez donné ce token.",
    ),
    "decode.heads_cross": ("Cross-attention heads", "交叉注意力头", "Têtes d'attention croisée"),
    "decode.heads_decoder_self": (
        "Decoder self-attention heads",
        "解码器自注意力头",
        "Têtes d'auto-attention du décodeur",
    ),
    "decode.all_heads": ("mean of all heads", "所有头的平均", "moyenne des têtes"),
    "decode.mean_heads": ("mean of all", "取全部平均", "moyenne"),
    "decode.mean_layer": ("layer {layer}, mean", "第 {layer} 层平均", "couche {layer}, moyenne"),
    "decode.one_head": ("head {layer}·{head}", "头 {layer}·{head}", "tête {layer}·{head}"),
    "decode.head_help": (
        "{head}: its largest weight here is {most}",
        "{head}：此处最大权重 {most}",
        "{head} : son plus grand poids ici, {most}",
    ),
    "decode.drag_hint": (
        "Drag a bar to set the weights of this row; double-click a bar to put all the weight on its token.",
        "拖动柱条可指定此行的权重；双击柱条可将全部权重放在该词元上。",
        "Faites glisser une barre pour imposer les poids de cette ligne ; double-cliquez sur une barre pour mettre "
        "tout le poids sur son token.",
    ),
    "decode.pick_hint": (
        "Attention in percent. Choose one head to set the weights of its row.",
        "注意力百分比。选一个头，就可以自己指定这一行的权重。",
        "Attention en pourcentage. Choisissez une tête pour imposer les poids de sa ligne.",
    ),
    "decode.averaged_hint": (
        "The text is long: each layer shows the mean of its heads.",
        "文本较长：每层显示各头的平均值。",
        "Le texte est long : chaque couche montre la moyenne de ses têtes.",
    ),
    "decode.force_ready": (
        "Weights are scaled to add up to 100%.",
        "权重会缩放至总和 100%。",
        "Les poids sont ramenés à 100 % au total.",
    ),
    "decode.force_nothing": (
        "This row has no weight: raise the bar of at least one token.",
        "这一行没有权重：请至少调高一个词元的柱条。",
        "Cette ligne n'a aucun poids : relevez la barre d'au moins un token.",
    ),
    "decode.leave": ("Discard", "放弃", "Abandonner"),
    "decode.mask": (
        "Each row sees only the tokens up to its own. Beyond the diagonal there are no cells, because those tokens "
        "do not exist yet.",
        "每一行只能看到它自己和之前的词元。对角线右上方没有格子，因为那些词元还不存在。",
        "Chaque ligne ne voit que les tokens jusqu'au sien. Au-delà de la diagonale il n'y a pas de cases, car ces "
        "tokens n'existent pas encore.",
    ),
    "decode.mask_absent": (
        "“{key}” does not exist yet when “{row}” is read",
        "读到“{row}”时，“{key}”尚不存在",
        "« {key} » n'existe pas encore quand « {row} » est lu",
    ),
    "decode.mask_later": ("Not decoded yet", "尚未解码", "Pas encore décodé"),
    "decode.mask_cell": (
        "“{row}” looks at “{key}”: {weight}",
        "“{row}”看“{key}”：{weight}",
        "« {row} » regarde « {key} » : {weight}",
    ),
    "decode.mask_label": (
        "Causal mask of {n} steps, {step} decoded",
        "共 {n} 步的因果掩码，已解码 {step} 步",
        "Masque causal de {n} étapes, {step} décodées",
    ),
    "decode.source_share": (
        "Source or translation so far?",
        "源句还是已有译文？",
        "Source ou début de la traduction ?",
    ),
    "decode.source_share_unit": ("share of the effect", "效应占比", "part de l'effet"),
    "decode.source_share_how": (
        "How much each prediction changes when the source or the translation so far is removed. This is measured, "
        "not read from weights.",
        "去掉源句或去掉已有译文时，每个预测变化多少。这是实测的，不是从权重读出的。",
        "De combien chaque prédiction change quand on retire la source ou le début de la traduction. C'est mesuré, "
        "non lu dans les poids.",
    ),
    "decode.source_share_source": ("source", "源句", "source"),
    "decode.source_share_prefix": ("translation so far", "已有译文", "début de la traduction"),
    "decode.source_share_help": (
        "{piece}: {share} source. Without the source {source} nats, without the translation so far {prefix} nats",
        "{piece}：源句占 {share}。去掉源句 {source} 奈特，去掉已有译文 {prefix} 奈特",
        "{piece} : source {share}. Sans la source {source} nats, sans le début de la traduction {prefix} nats",
    ),
    "decode.beam": ("Beam", "束", "Faisceau"),
    "decode.tree": ("Tree of hypotheses", "候选译文树", "Arbre des hypothèses"),
    "decode.tree_note": (
        "width {width}, length penalty {penalty}; pruned branches stay visible, faded. Click a node, then a token, "
        "to fork.",
        "束宽 {width}，长度惩罚 {penalty}；被剪除的分支以淡色保留。单击节点再单击词元即可分叉。",
        "largeur {width}, pénalité {penalty} ; les branches élaguées restent visibles, estompées. Cliquez sur un nœud puis "
        "sur un token pour bifurquer.",
    ),
    "decode.tree_forks": ("Forks: {n}.", "分叉：{n}。", "Bifurcations : {n}."),
    "decode.drop_forks": ("Forks ({n})", "分叉（{n}）", "Bifurcations ({n})"),
    "decode.node": (
        "{piece}: probability {probability} · score {score}, normalised {normalised} · {fate}",
        "{piece}：概率 {probability} · 分数 {score}，归一化 {normalised} · {fate}",
        "{piece} : probabilité {probability} · score {score}, normalisé {normalised} · {fate}",
    ),
    "decode.fate_begin": ("the beginning", "开头", "le début"),
    "decode.fate_kept": ("kept", "保留", "gardé"),
    "decode.fate_pruned": ("pruned", "剪除", "élagué"),
    "decode.fate_ended": ("ended", "结束", "terminé"),
    "decode.fate_cut": ("cut by the length limit", "因长度限制截断", "coupé par la limite de longueur"),
    "decode.zoom_in": ("Zoom in", "放大", "Agrandir"),
    "decode.zoom_out": ("Zoom out", "缩小", "Réduire"),
    "decode.fit": ("Fit the whole tree", "适应整棵树", "Tout l'arbre"),
    "decode.ask": ("Ask", "提问", "Demander"),
    "decode.ask_heads": ("Which heads matter here?", "哪些头在此重要？", "Quelles têtes comptent ici ?"),
    "decode.ask_why": (
        "Why this word and not that one?",
        "为什么是这个词而不是那个？",
        "Pourquoi ce mot et pas celui-là ?",
    ),
    "decode.scope": ("Measured on", "测量范围", "Mesuré sur"),
    "decode.scope_sentence": ("This sentence", "这句话", "Cette phrase"),
    "decode.scope_set": ("A set of sentences", "一组句子", "Un ensemble de phrases"),
    "decode.progress": ("{done} of {total} heads", "{total} 个头中的 {done} 个", "{done} têtes sur {total}"),
    "decode.progress_start": ("Translating with all heads on", "先以全部头翻译", "Traduction avec toutes les têtes"),
    "decode.heads_read": (
        "Each cell: the change in the translation's log-probability (now {log_prob}) when that head is switched off. "
        "Red: the head helped.",
        "每格：关闭这个头后译文对数概率（现为 {log_prob}）的变化。红色：这个头有帮助。",
        "Chaque case : variation de la log-probabilité de la traduction ({log_prob}) quand la tête est désactivée. "
        "Rouge : la tête aidait.",
    ),
    "decode.heads_cell": (
        "layer {row}, head {column}: {value} nats without it",
        "第 {row} 层第 {column} 头：去掉后 {value} 奈特",
        "couche {row}, tête {column} : {value} nats sans elle",
    ),
    "decode.heads_click": (
        "Click a head to switch it off and read the new translation; click it again to switch it on again.",
        "单击可关闭这个头并查看新译文；再次单击恢复。",
        "Cliquez sur une tête pour la désactiver et lire la nouvelle traduction ; cliquez encore pour la réactiver.",
    ),
    "decode.not_tried": ("not tried", "未测试", "non essayé"),
    "decode.measure_raw": ("Largest raw weights", "原始权重最集中", "Plus grands poids bruts"),
    "decode.measure_value_weighted": ("Weighted by value vectors", "按值向量加权", "Pondérés par les vecteurs valeur"),
    "decode.measure_gradient": ("Gradient × attention", "梯度 × 注意力", "Gradient × attention"),
    "decode.agreement": (
        "Does each weighting rank the heads in the same order as the effect of switching them off? Spearman's "
        "correlation over all heads: 1 means the same order, 0 means no relation.",
        "各种权重对头的排序与逐个关闭的效果是否一致？全部头的斯皮尔曼等级相关：1 表示顺序相同，0 表示无关。",
        "Chaque pondération classe-t-elle les têtes dans le même ordre que l'effet de leur désactivation ? "
        "Corrélation de Spearman sur toutes les têtes : 1, même ordre ; 0, aucun rapport.",
    ),
    "decode.agreement_help": (
        "Attention weights are not an explanation by themselves. This number says how far they agree with the "
        "measured effect here.",
        "注意力权重本身不是解释。这个数字说明它们在这里与实测效果有多一致。",
        "Les poids d'attention ne sont pas en eux-mêmes une explication. Ce nombre dit à quel point ils s'accordent "
        "ici avec l'effet mesuré.",
    ),
    "decode.set": ("Sentences and their translations", "句子及其译文", "Phrases et traductions"),
    "decode.set_help": (
        "One pair per line, the sentence and its translation separated by a tab.",
        "每行一对，句子与译文之间用制表符分隔。",
        "Une paire par ligne, séparée par une tabulation.",
    ),
    "decode.set_wrong": (
        "Line {line} is not a pair: write the sentence, a tab, and its translation.",
        "第 {line} 行不是一对：请写句子、制表符、译文。",
        "La ligne {line} n'est pas une paire : écrivez la phrase, une tabulation, sa traduction.",
    ),
    "decode.set_start": (
        "Try every head on {n} {n|sentence|sentences}",
        "在 {n} 个句子上逐头测试",
        "Essayer chaque tête sur {n} {n|phrase|phrases}",
    ),
    "decode.cancel": ("Cancel", "取消", "Annuler"),
    "decode.cancel_help": (
        "Any click stops the run. The results so far are kept.",
        "任何单击都会停止运行。已得到的结果会保留。",
        "Tout clic arrête le calcul. Les résultats déjà obtenus sont conservés.",
    ),
    "decode.cancel_heads": (
        "Stops, and shows the heads tried so far.",
        "停止，并显示已测试的头。",
        "Arrête, et montre les têtes déjà essayées.",
    ),
    "decode.set_cancelled": (
        "Stopped after {done} of {total} heads; the results so far are below.",
        "在 {total} 个头中的第 {done} 个后停止；已知结果如下。",
        "Arrêté après {done} têtes sur {total} ; les résultats déjà obtenus figurent ci-dessous.",
    ),
    "decode.set_read": (
        "Each cell: the change in BLEU (now {bleu}; `{signature}`) without that head. Red: the head helped.",
        "每格：去掉这个头后 BLEU（现为 {bleu}；`{signature}`）的变化。红色：这个头有帮助。",
        "Chaque case : variation de BLEU ({bleu} ; `{signature}`) sans cette tête. Rouge : la tête aidait.",
    ),
    "decode.set_cell": (
        "layer {row}, head {column}: {value} BLEU without it",
        "第 {row} 层第 {column} 头：去掉后 {value} BLEU",
        "couche {row}, tête {column} : {value} BLEU sans elle",
    ),
    "decode.word": ("This word", "这个词", "Ce mot"),
    "decode.rival": ("and not", "而不是", "et pas"),
    "decode.no_rival": (
        "There is no other candidate at this step: choose another word.",
        "这一步没有其他候选：请选择另一个词。",
        "Aucun autre candidat à cette étape : choisissez un autre mot.",
    ),
    "decode.why_read": (
        "“{word}” is ahead of “{rival}” by **{margin}** nats. Each cell: how this margin changes when the token is "
        "hidden. Red: the token supports “{word}”.",
        "“{word}”比“{rival}”高 **{margin}** 奈特。每格：隐藏该词元后差距的变化。红色：该词元支持“{word}”。",
        "« {word} » devance « {rival} » de **{margin}** nats. Chaque case : variation de cet écart quand le token "
        "est caché. Rouge : le token soutient « {word} ».",
    ),
    "decode.why_all": ("Hidden from every head", "对所有头隐藏", "Caché à toutes les têtes"),
    "decode.why_every": ("all heads", "所有头", "toutes"),
    "decode.why_heads": (
        "Hidden from one head (the {n} that matter most)",
        "对单个头隐藏（影响最大的 {n} 个）",
        "Caché à une seule tête (les {n} qui comptent le plus)",
    ),
    "decode.why_rows": ("layer·head", "层·头", "couche·tête"),
    "decode.why_columns": ("source token", "源词元", "token source"),
    "decode.why_cell": (
        "“{column}” hidden from {row}: {value} nats",
        "对 {row} 隐藏“{column}”：{value} 奈特",
        "« {column} » caché à {row} : {value} nats",
    ),
    "decode.why_how": (
        "The token is hidden before the softmax only at this step, so the head's other weights grow.",
        "仅在这一步、softmax 之前隐藏该词元，因此这个头的其他权重会增大。",
        "Le token est caché avant le softmax, à cette seule étape ; les autres poids de la tête grandissent.",
    ),
    "decode.reference_box": ("Reference translation", "参考译文", "Traduction de référence (imposée)"),
    "decode.reference_help": (
        "The translation that the model should give.",
        "希望模型给出的译文。",
        "La traduction que le modèle devrait donner.",
    ),
    "decode.reference_own": (
        "There is no reference yet, so the model's own translation is used. Write another one above.",
        "尚无参考译文：暂用模型自己的译文。请在上方另写一句。",
        "Il n'y a pas encore de référence : la traduction du modèle en tient lieu. Écrivez-en une autre ci-dessus.",
    ),
    "decode.reference": ("reference", "参考", "référence"),
    "decode.training": ("Training", "训练", "Entraînement"),
    "decode.training_how": (
        "is fed the reference, whatever it predicts",
        "无论预测什么，都输入参考译文",
        "reçoit la référence, quoi qu'il prédise",
    ),
    "decode.inference": ("Inference", "推理", "Inférence"),
    "decode.inference_how": ("is fed its own predictions", "输入自己的预测", "reçoit ses propres prédictions"),
    "decode.mean_loss": ("mean loss {loss} nats", "平均损失 {loss} 奈特", "perte moyenne {loss} nats"),
    "decode.row_fed": ("fed", "输入", "lit"),
    "decode.predicts": ("predicts", "预测", "prédit"),
    "decode.loss": ("loss", "损失", "perte"),
    "decode.loss_help": (
        "“{piece}” costs {loss} nats: the model gave it {share}",
        "“{piece}”的损失为 {loss} 奈特：模型给它 {share}",
        "« {piece} » coûte {loss} nats : le modèle lui donnait {share}",
    ),
    "decode.parts_at": (
        "First divergence at position {position}: the reference has “{wanted}”, the model alone predicts “{said}”.",
        "第一处分歧在第 {position} 个位置：参考译文为“{wanted}”，模型自行预测“{said}”。",
        "Première divergence à la position {position} : la référence a « {wanted} », le modèle seul prédit « {said} ».",
    ),
    "decode.never_parts": (
        "By itself the model gives exactly this translation, so both modes are the same.",
        "模型自行给出的正是这句，因此两种方式相同。",
        "Seul, le modèle donne exactement cette traduction : les deux modes coïncident.",
    ),
    "decode.set_other": (
        "These figures were measured with other sentences, or with other heads on and off. Try every head again to "
        "bring them up to date.",
        "这些数字是用另一组句子，或在其他头开关状态下测得的。请重新逐头测试。",
        "Ces valeurs ont été mesurées avec d'autres phrases, ou avec d'autres têtes désactivées. Relancez l'essai de "
        "chaque tête.",
    ),
}
