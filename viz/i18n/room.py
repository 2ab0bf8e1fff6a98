"""Words of the classroom: the teacher's page, the students' phones."""

STRINGS: dict[str, tuple[str, ...]] = {
    # On the phones
    "room.title": ("Room", "课堂", "Classe"),
    "room.code": ("Code", "课堂码", "Code"),
    "room.enter_code": ("Type the code on the screen", "请输入屏幕上的课堂码", "Saisissez le code affiché à l'écran"),
    "room.enter": ("Enter", "进入", "Entrer"),
    "room.follow": ("Follow", "跟随老师", "Suivre"),
    "room.wait": (
        "You are in. What the teacher shows will appear here.",
        "你已进入课堂。老师展示的内容会出现在这里。",
        "Vous y êtes. Ce que montre l'enseignant apparaîtra ici.",
    ),
    "room.scene": ("Lesson {n}/{total} · {title}", "课程 {n}/{total} · {title}", "Leçon {n}/{total} · {title}"),
    "room.step": (
        "Step {n}: after “{before}” the model writes “{token}”.",
        "第 {n} 步：在“{before}”之后，模型写出“{token}”。",
        "Étape {n} : après « {before} », le modèle écrit « {token} ».",
    ),
    "room.changed": ("Changed:", "改动：", "Modifié :"),
    "room.question": ("Question for you", "请你回答", "Question pour vous"),
    "room.answer_shown": ("The answer", "答案", "La réponse"),
    "room.join": ("Join on your phone", "用手机加入", "Rejoignez la classe avec votre téléphone"),
    "room.you": ("you", "你", "vous"),
    "room.paused": ("Look up at the teacher", "请看老师", "Regardez l'enseignant"),
    "room.offline": ("No connection; trying again", "连接中断，正在重试", "Pas de connexion, nouvelle tentative"),
    "room.vote_once": (
        "Tap your answer. It counts once and cannot be changed.",
        "点按你的答案。每人一票，不能更改。",
        "Touchez votre réponse. Elle compte une fois et ne se change pas.",
    ),
    "room.voted": (
        "Your answer is in. Wait for the teacher to reveal the results.",
        "答案已提交。请等老师公布结果。",
        "Votre réponse est enregistrée. L'enseignant va révéler les résultats.",
    ),
    "room.quiz_done": ("You have answered all questions", "已全部答完", "Vous avez répondu à toutes les questions"),
    "room.own": ("A sentence of your own, in English", "写一个你自己的英文句子", "Votre propre phrase, en anglais"),
    "room.own_other": ("A sentence of your own", "写一个你自己的句子", "Votre propre phrase"),
    "room.explore": ("Explore it here", "在这里探索", "Explorer ici"),
    "room.explore_loading": (
        "Loading the model onto this phone. This happens only once.",
        "正在把模型下载到这部手机，只需一次。",
        "Chargement du modèle sur ce téléphone, une seule fois.",
    ),
    "room.explore_failed": (
        "The model could not be loaded. You can still send your sentence to the teacher.",
        "无法加载模型。你仍然可以把句子发给老师。",
        "Le modèle n'a pas pu être chargé. Vous pouvez toujours envoyer votre phrase à l'enseignant.",
    ),
    "room.send": ("Send to the teacher", "发给老师", "Envoyer à l'enseignant"),
    "room.sent": ("Sent:", "已发送：", "Envoyée :"),
    "room.sentence_twice": (
        "You have sent one already. You can send another when the teacher has dealt with it.",
        "你已经发送过一句。老师处理后可以再发。",
        "Vous en avez déjà envoyé une. Vous pourrez en envoyer une autre quand l'enseignant l'aura traitée.",
    ),
    "room.sentence_empty": ("Write a few words first.", "请先写几个词。", "Écrivez d'abord quelques mots."),
    "room.sentence_fast": ("Wait a second, then send again.", "请稍等一秒再发送。", "Attendez une seconde, puis renvoyez-la."),
    "room.sentence_full": (
        "The teacher's list is full. Try again in a moment.", "老师的列表已满，请稍后再试。",
        "La liste de l'enseignant est pleine. Réessayez dans un moment.",
    ),
    "room.sentence_large": ("That is too long: 500 characters at most.", "太长了：最多 500 个字符。", "C'est trop long : 500 caractères au plus."),
    "room.error_gone": (
        "This room is closed. Ask your teacher for the new code and enter it here.",
        "该课堂已关闭。请向老师询问新的课堂码并在此输入。",
        "Cette classe est fermée. Demandez le nouveau code à votre enseignant et saisissez-le ici.",
    ),
    "room.screen_gone": ("This room is closed.", "该课堂已关闭。", "Cette classe est fermée."),
    "room.error_full": (
        "This room is full. Follow on a neighbour's phone.",
        "该课堂人数已满。请与邻座共用一部手机。",
        "Cette classe est complète. Suivez sur le téléphone d'un voisin.",
    ),
    "room.error_closed": ("The vote is over.", "投票已结束。", "Le vote est terminé."),
    "room.error_fast": ("Wait a second, then tap again.", "请稍等一秒再点。", "Attendez une seconde, puis réessayez."),
    "room.error_stranger": ("Reload this page to join again.", "请刷新页面重新加入。", "Rechargez la page pour revenir dans la classe."),
    # The teacher
    "room.lead": (
        "Students follow on their phones what you show, answer before they see the answer, and send you sentences. "
        "No accounts, no names.",
        "学生用手机跟随你的演示，先作答再看答案，还能发来句子。无需账号，不问姓名。",
        "Les élèves suivent sur leur téléphone ce que vous montrez, répondent avant de voir la réponse et vous envoient des "
        "phrases. Sans compte, sans nom.",
    ),
    "room.open": ("Open a room", "开设课堂", "Ouvrir une classe"),
    "room.too_many": (
        "{n} {n|room is|rooms are} open, the most that this server allows at one time. A room ends when its teacher "
        "closes it, or after twelve hours. Close one of yours, or try again later.",
        "已有 {n} 个课堂开放，达到本服务器的上限。教师关闭课堂，或满十二小时，课堂即结束。请关闭你不再使用的课堂，或稍后再试。",
        "{n} {n|classe est ouverte|classes sont ouvertes}, le maximum que ce serveur autorise à la fois. Une classe "
        "prend fin quand l'enseignant la ferme, ou après douze heures. Fermez l'une des vôtres ou réessayez plus "
        "tard.",
    ),
    "room.too_many_here": (
        "{n} {n|room is|rooms are} open from your network, the most that this server allows from one network. Close "
        "one that you no longer need. A room that no phone has joined for half an hour is closed when its place is "
        "needed.",
        "你所在的网络已开放 {n} 个课堂，达到本服务器对同一网络的上限。请关闭不再使用的课堂。开放半小时仍没有手机加入的课堂，会让位给新课堂。",
        "{n} {n|classe est ouverte|classes sont ouvertes} depuis votre réseau, le maximum que ce serveur autorise "
        "pour un même réseau. Fermez-en une qui ne sert plus. Une classe qu'aucun téléphone n'a rejointe depuis une "
        "demi-heure est fermée si une autre a besoin de sa place.",
    ),
    "room.not_opened": (
        "The room could not be opened: the server cannot reach its storage for rooms. Try again in a moment.",
        "课堂未能开设：服务器暂时连不上课堂存储。请稍后再试。",
        "La classe n'a pas pu être ouverte : le serveur n'a pas accès au stockage des classes. Réessayez dans un "
        "instant.",
    ),
    "room.key_note": (
        "The address of this page contains your key to the room. Bookmark it so that you can come back. Give "
        "students the address above instead.",
        "本页地址包含你管理课堂的密钥。请收藏本页以便返回。给学生的应是上面的地址。",
        "L'adresse de cette page contient votre clé. Mettez-la dans vos favoris pour pouvoir revenir. Donnez aux "
        "élèves l'adresse ci-dessus.",
    ),
    "room.local": (
        "This address works only on this computer. Start the application with --server.address 0.0.0.0, and open it "
        "at this computer's address on your network.",
        "该地址只在本机有效。请用 --server.address 0.0.0.0 启动，并通过本机的局域网地址打开应用。",
        "Cette adresse ne marche que sur cet ordinateur. Lancez l'application avec --server.address 0.0.0.0 et "
        "ouvrez-la à l'adresse de cet ordinateur sur votre réseau.",
    ),
    "room.gone": (
        "The room {code} no longer exists: it was closed, twelve hours have passed, or the server was restarted. "
        "Open a new one; your sentence and choices are still here.",
        "课堂 {code} 已不存在：已被关闭、超过十二小时，或服务器重启过。请开设新课堂；你的句子和设置仍在。",
        "La classe {code} n'existe plus : elle a été fermée, douze heures ont passé ou le serveur a redémarré. "
        "Ouvrez-en une nouvelle ; votre phrase et vos choix sont toujours là.",
    ),
    "room.here": ("{n} {n|phone|phones}", "{n} 部手机", "{n} {n|téléphone|téléphones}"),
    "room.answers_of": ("{n} of {phones} {n|has|have} answered", "{n} / {phones} 人已作答", "{n} {n|réponse|réponses} sur {phones}"),
    "room.votes_of": ("{n} {n|answer|answers}", "共 {n} 份回答", "{n} {n|réponse|réponses}"),
    "room.by_hands": ("Show of hands instead", "改为举手表决", "Voter à main levée"),
    "room.screen": ("Second screen", "第二屏幕", "Second écran"),
    "room.screen_help": (
        "A page for the projector: code, question, number of answers, results. It does not contain your key and "
        "never shows the list of sentences.",
        "供投影使用的页面：课堂码、问题、作答人数与结果。页面不含密钥，也不显示学生发来的句子。",
        "Une page pour le projecteur : code, question, nombre de réponses, résultats. Elle ne contient pas votre clé et ne montre jamais la liste des phrases.",
    ),
    "room.heads_tapped": ("What the class tapped", "全班的选择", "Le choix de la classe"),
    "room.heads_measured": ("What was measured", "实测结果", "Ce qui a été mesuré"),
    "room.heads_read": (
        "Layers down, heads across. Measured: how far the translation's log-probability falls when that head is "
        "switched off. Framed: the head with the largest fall.",
        "自上而下为各层，自左而右为各头。实测：关闭该头后译文的对数概率下降多少。加框的头影响最大。",
        "Les couches de haut en bas, les têtes de gauche à droite. Mesuré : de combien baisse la log-probabilité de "
        "la traduction quand on désactive la tête. Encadrée : celle dont la baisse est la plus forte.",
    ),
    "room.heads_shaded": (
        "Shaded: what the class tapped. The number: how far the translation's log-probability falls when that head "
        "is switched off. Framed: the head with the largest fall.",
        "底色：全班的选择。数字：关闭该头后译文的对数概率下降多少。加框的头影响最大。",
        "En couleur : le choix de la classe. Le nombre : de combien baisse la log-probabilité de la traduction quand "
        "on désactive la tête. Encadrée : celle dont la baisse est la plus forte.",
    ),
    "room.before_note": (
        "Do not reveal the answers before the second quiz, so that the two results can be compared.",
        "答案请留到第二次小测后再公布，这样两次结果才能比较。",
        "Ne révélez pas les réponses avant le second quiz : les deux resteront comparables.",
    ),
    "room.ask": ("Ask the class", "向全班提问", "Interroger la classe"),
    "room.ask_scene": ("The lesson's question: {title}", "课程问题：{title}", "La question de la leçon : {title}"),
    "room.ask_source": (
        "Which source word does this head look at most?",
        "这个注意力头最关注哪个源词？",
        "Quel mot source cette tête regarde-t-elle le plus ?",
    ),
    "room.ask_source_for": (
        "{head}: which source token gets the most attention while the model writes “{token}”?",
        "{head}：模型写出“{token}”时，最关注哪个源词元？",
        "{head} : quel token source reçoit le plus d'attention quand le modèle écrit « {token} » ?",
    ),
    "room.ask_next": ("What comes next?", "下一个词元是什么？", "Quel token vient ensuite ?"),
    "room.ask_next_after": (
        "The translation so far: “{text}”. What comes next?",
        "目前的译文：“{text}”。下一个词元是什么？",
        "La traduction jusqu'ici : « {text} ». Quel token vient ensuite ?",
    ),
    "room.ask_head": (
        "Which cross-attention head matters most for this translation?",
        "哪个交叉注意力头对这句译文最重要？",
        "Quelle tête d'attention croisée compte le plus pour cette traduction ?",
    ),
    "room.ask_before": ("Quiz before the lesson", "课前小测", "Quiz avant la leçon"),
    "room.ask_after": ("The same quiz after it", "课后同一小测", "Le même quiz après"),
    "room.ask_open": ("Ask", "提问", "Poser la question"),
    "room.reveal": ("Reveal", "揭晓", "Révéler"),
    "room.measuring": ("Measuring every head…", "正在逐个测量注意力头……", "Mesure de chaque tête…"),
    "room.drop": ("Back to the view", "回到视图", "Retour à la vue"),
    "room.hide": ("Hide the results", "隐藏结果", "Cacher les résultats"),
    "room.pause": ("Pause the phones", "暂停手机", "Mettre les téléphones en pause"),
    "room.close": ("Close the room", "关闭课堂", "Fermer la classe"),
    "room.close_sure": (
        "All phones leave the room and its votes are deleted. Download the votes first.",
        "所有手机将退出，投票数据将被删除。请先下载。",
        "Tous les téléphones quittent la classe et les votes sont supprimés. Téléchargez-les d'abord.",
    ),
    "room.measured": ("the head itself", "该注意力头", "la tête elle-même"),
    "room.votes": ("the class", "全班", "la classe"),
    "room.no_votes": ("Nobody has answered.", "无人作答。", "Personne n'a répondu."),
    "room.hidden": ("The results are hidden.", "结果已隐藏。", "Les résultats sont cachés."),
    "room.sentences": ("Sentences of the class: {n}", "全班的句子：{n}", "Phrases de la classe : {n}"),
    "room.sentences_none": (
        "Sentences that students send are listed here. Nothing is shown to the class before you open it.",
        "学生发来的句子列在这里。你打开之前不会展示给全班。",
        "Les phrases des élèves s'affichent ici. Aucune n'est montrée à la classe avant que vous ne l'ouvriez.",
    ),
    "room.sentences_show": ("Show the list on this screen", "在本屏幕显示列表", "Afficher la liste sur cet écran"),
    "room.sentence_open": ("Open", "打开", "Ouvrir"),
    "room.sentence_drop": ("Drop", "删除", "Écarter"),
    "room.csv": ("Votes (CSV)", "投票（CSV）", "Votes (CSV)"),
    "room.csv_learning": ("Before and after (CSV)", "课前课后（CSV）", "Avant et après (CSV)"),
    "room.reload": ("The room is not responding. Trying again.", "课堂无响应，正在重试。", "La classe ne répond pas. Nouvel essai."),
    # The quiz
    "room.quiz_rows": (
        "In a head's map, what does one row show?", "在注意力头的图中，一行表示什么？", "Dans la carte d'une tête, que montre une ligne ?",
    ),
    "room.quiz_rows_options": (
        "How one token divides its attention|How often a word occurs|One layer of the model",
        "一个词元如何分配注意力|一个词出现的次数|模型的一层",
        "Comment un token répartit son attention|La fréquence d'un mot|Une couche du modèle",
    ),
    "room.quiz_rows_why": (
        "A row belongs to one query, and its weights say how much it takes from each key. They add up to 1.",
        "一行对应一个查询，各权重表示它从每个键取多少，总和为 1。",
        "Une ligne appartient à une requête ; ses poids disent ce qu'elle prend à chaque clé. Leur somme vaut 1.",
    ),
    "room.quiz_sum": ("What do the weights of one row add up to?", "一行权重之和是多少？", "Que vaut la somme des poids d'une ligne ?"),
    "room.quiz_sum_options": ("1|The number of tokens|It depends on the sentence", "1|词元个数|取决于句子", "1|Le nombre de tokens|Cela dépend de la phrase"),
    "room.quiz_sum_why": (
        "Softmax turns any scores into positive numbers that add up to 1.",
        "softmax 把任意分数变成总和为 1 的正数。",
        "Le softmax transforme tout score en nombres positifs de somme 1.",
    ),
    "room.quiz_cross": (
        "In cross-attention, who looks at what?", "在交叉注意力中，谁看谁？", "Dans l'attention croisée, qui regarde quoi ?",
    ),
    "room.quiz_cross_options": (
        "The translation looks at the source|The source looks at the translation|The source looks at itself",
        "译文看原文|原文看译文|原文看自己",
        "La traduction regarde la source|La source regarde la traduction|La source se regarde elle-même",
    ),
    "room.quiz_cross_why": (
        "Queries come from the decoder, keys and values from the encoder's output.",
        "查询来自解码器，键和值来自编码器的输出。",
        "Les requêtes viennent du décodeur, les clés et les valeurs de la sortie de l'encodeur.",
    ),
    "room.quiz_mask": (
        "Why does the decoder's own attention have a mask?",
        "为什么解码器的自注意力有掩码？",
        "Pourquoi l'auto-attention du décodeur a-t-elle un masque ?",
    ),
    "room.quiz_mask_options": (
        "So that no token sees those after it|To save memory|To skip punctuation",
        "使词元看不到其后的词元|为了节省内存|为了跳过标点",
        "Pour qu'aucun token ne voie les suivants|Pour économiser la mémoire|Pour ignorer la ponctuation",
    ),
    "room.quiz_mask_why": (
        "During training the whole translation is in the input. Without the mask the model would copy the answer.",
        "训练时整句译文都在输入中；没有掩码，模型会直接抄答案。",
        "Pendant l'entraînement, toute la traduction est dans l'entrée. Sans masque, le modèle copierait la réponse.",
    ),
    "room.quiz_order": (
        "Without positional encodings, an encoder given the same words in another order …",
        "没有位置编码时，把同样的词换个顺序输入编码器，结果会怎样？",
        "Sans encodage de position, un encodeur qui reçoit les mêmes mots dans un autre ordre…",
    ),
    "room.quiz_order_options": (
        "gives each word the same result|fails|reads them backwards",
        "每个词的结果不变|编码器会出错|编码器会倒着读",
        "donne à chaque mot le même résultat|échoue|les lit à l'envers",
    ),
    "room.quiz_order_why": (
        "Attention itself does not know where a token stands. Only the positional encoding gives its position.",
        "注意力本身不知道词元的位置，位置只由位置编码给出。",
        "L'attention ignore la place d'un token : seul l'encodage de position la donne.",
    ),
    "room.quiz_off": (
        "One head of this model is switched off. What usually happens to the translation?",
        "关闭这个模型的一个注意力头，译文通常会怎样？",
        "On désactive une tête de ce modèle. Qu'arrive-t-il d'ordinaire à la traduction ?",
    ),
    "room.quiz_off_options": (
        "Little or nothing changes|It becomes random words|It stays in English",
        "变化很小或没有变化|变成随机词|仍是英文",
        "Presque rien ne change|Elle devient des mots au hasard|Elle reste en anglais",
    ),
    "room.quiz_off_why": (
        "Several heads do similar work, so the model can do without most of them, but it needs a few. Measure it on "
        "Explore.",
        "多个头做着相似的工作，去掉其中多数影响不大，少数则不能去掉。可在“探索”页测量。",
        "Plusieurs têtes font un travail semblable : le modèle se passe de la plupart, mais pas de toutes. Mesurez-le dans Explorer.",
    ),
    "room.quiz_explain": (
        "A head puts 90% of its weight on one word. What follows?",
        "一个头把 90% 的权重放在一个词上，说明什么？",
        "Une tête met 90 % de son poids sur un mot. Qu'en conclure ?",
    ),
    "room.quiz_explain_options": (
        "It reads mostly from there; whether that matters must be tested|That word caused the output|The other words are not needed",
        "它主要从那里读取；是否重要还须检验|是该词导致了输出|其他词都不需要",
        "Elle lit surtout là ; il faut tester si cela compte|Ce mot a causé la sortie|Les autres mots sont inutiles",
    ),
    "room.quiz_explain_why": (
        "A weight says where a head reads. To see what that does to the output, change something and compare.",
        "权重说明头在哪里读取。要看它对输出的作用，需要改动一处再比较。",
        "Un poids dit où lit une tête. Pour voir son effet sur la sortie, changez quelque chose et comparez.",
    ),
    "room.quiz_step": (
        "How does the decoder write a translation?", "解码器怎样写出译文？", "Comment le décodeur écrit-il une traduction ?",
    ),
    "room.quiz_step_options": (
        "One token after the other, each fed back in|All tokens at once|Word by word from a dictionary",
        "逐个词元生成，并把结果送回输入|一次生成全部词元|按词典逐词替换",
        "Un token après l'autre, chacun réinjecté|Tous les tokens d'un coup|Mot à mot d'après un dictionnaire",
    ),
    "room.quiz_step_why": (
        "Each predicted token becomes input for the next step, until the end token is chosen.",
        "每个预测的词元成为下一步的输入，直到选出结束符。",
        "Chaque token prédit devient l'entrée de l'étape suivante, jusqu'au token de fin.",
    ),
}  # fmt: skip
