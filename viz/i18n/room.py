"""Words of the classroom: the teacher's page, the students' phones."""

STRINGS: dict[str, tuple[str, ...]] = {
    # On the phones
    "room.title": ("Room", "课堂", "Classe"),
    "room.code": ("Code", "课堂码", "Code"),
    "room.enter_code": ("Type the code on the screen", "请输入屏幕上的课堂码", "Saisissez le code affiché à l'écran"),
    "room.enter": ("Enter", "进入", "Entrer"),
    "room.follow": ("Follow", "跟随老师", "Suivre"),
    "room.in": ("You are in.", "你已进入课堂。", "Vous y êtes."),
    "room.in_next": (
        "What the teacher shows appears here, and so do the questions. Until then you can look around, or send a sentence "
        "of your own.",
        "老师展示的内容和问题都会出现在这里。现在可以先四处看看，也可以发一个自己的句子。",
        "Ce que montre l'enseignant apparaît ici, et les questions aussi. En attendant, explorez ou envoyez votre propre "
        "phrase.",
    ),
    "room.act_votes": ("How you voted", "全班的选择", "Vos votes"),
    "room.act_observe": ("The experiment", "实验", "L'expérience"),
    "room.cut": (
        "At most {n} rows and columns are shown.", "最多显示 {n} 行、{n} 列。", "Au plus {n} lignes et {n} colonnes sont affichées.",
    ),
    "room.vote_closed": (
        "The vote is closed. The answer follows.", "投票已结束，答案随后公布。", "Le vote est clos. La réponse suit.",
    ),
    "room.quiz_before_done": (
        "Thank you. You will get the same questions again after the lesson.",
        "谢谢。课后会再问同样的问题。",
        "Merci. Les mêmes questions vous seront posées après la leçon.",
    ),
    "room.learning": ("Your class, before and after", "全班的课前与课后", "Votre classe, avant et après"),
    "room.learning_before": ("right before", "课前答对", "justes avant"),
    "room.learning_after": ("right after", "课后答对", "justes après"),
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
    "room.raise_hands": (
        "Raise your hand for your answer. The teacher counts.",
        "请举手选择答案，由老师计票。",
        "Levez la main pour votre réponse. L'enseignant compte.",
    ),
    "room.voted": (
        "Your answer is in. It is shown with the others when the vote closes.",
        "答案已提交。投票结束后与全班的答案一起显示。",
        "Votre réponse est enregistrée. Elle s'affichera avec les autres à la fin du vote.",
    ),
    "room.quiz_wall": (
        "{n} questions on your phone. No names are kept.", "手机上有 {n} 道题，不记姓名。", "{n} questions sur votre téléphone, sans noms.",
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
    "room.error_door": (
        "The teacher has closed the door: no further phone can join. Follow on a neighbour's phone.",
        "老师已停止新手机加入。请与邻座共用一部手机。",
        "L'enseignant n'admet plus d'autre téléphone. Suivez sur celui d'un voisin.",
    ),
    "room.joining": (
        "Many phones are joining. Yours tries again by itself.",
        "加入的手机较多，本机会自动重试。",
        "Beaucoup de téléphones arrivent. Le vôtre réessaie de lui-même.",
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
    "room.other_device": ("Lead it on another device", "换一台设备主持", "Animer depuis un autre appareil"),
    "room.this_browser": (
        "Only this browser can lead the room; the address of this page opens it for nobody else. To go on on another "
        "device, show a transfer code here, and enter it there on this same page.",
        "只有这个浏览器可以主持本课堂；别人打开本页地址进不了它。要换一台设备，请在这里显示转移码，再在那台设备的同一页面输入。",
        "Seul ce navigateur peut animer la classe ; l'adresse de cette page ne l'ouvre à personne d'autre. Pour continuer "
        "sur un autre appareil, affichez ici un code de transfert et saisissez-le là-bas, sur cette même page.",
    ),
    "room.transfer_show": ("Show a transfer code", "显示转移码", "Afficher un code de transfert"),
    "room.transfer_note": (
        "Whoever enters it leads the room too, so do not project it. It works once, within ten minutes.",
        "输入它的人也能主持本课堂，请勿投影。只能使用一次，十分钟内有效。",
        "Qui le saisit peut animer la classe : ne le projetez pas. Il sert une seule fois, dans les dix minutes.",
    ),
    "room.take_over": ("Your room is open on another device?", "你的课堂开在另一台设备上？", "Votre classe est ouverte sur un autre appareil ?"),
    "room.transfer_code": (
        "Transfer code shown on that device", "那台设备上显示的转移码", "Code de transfert affiché sur cet appareil",
    ),
    "room.take_over_do": ("Lead it here", "在这里主持", "L'animer ici"),
    "room.transfer_wrong": (
        "This code leads to no room: it was used, ten minutes have passed, or it was mistyped. Show a new one on the "
        "other device.",
        "这个转移码无效：已被使用、超过十分钟，或输入有误。请在另一台设备上重新显示一个。",
        "Ce code ne mène à aucune classe : il a servi, dix minutes ont passé ou il est mal saisi. Affichez-en un nouveau "
        "sur l'autre appareil.",
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
        "A page for the projector: code, question, number of answers, results. It cannot lead the room and "
        "never shows the list of sentences.",
        "供投影使用的页面：课堂码、问题、作答人数与结果。页面不能主持课堂，也不显示学生发来的句子。",
        "Une page pour le projecteur : code, question, nombre de réponses, résultats. Elle ne permet pas d'animer la classe et ne montre jamais la liste des phrases.",
    ),
    "room.heads_tapped": ("What the class tapped", "全班的选择", "Le choix de la classe"),
    "room.heads_measured": ("What was measured", "实测结果", "Ce qui a été mesuré"),
    "room.heads_read": (
        "Layers down, heads across. Measured: how far the translation's log-probability falls when that head is "
        "switched off. Framed: the head with the largest fall.",
        "自上而下为各层，自左而右为各头。实测：关闭这个头后译文的对数概率下降多少。加框的头影响最大。",
        "Les couches de haut en bas, les têtes de gauche à droite. Mesuré : de combien baisse la log-probabilité de "
        "la traduction quand on désactive la tête. Encadrée : celle dont la baisse est la plus forte.",
    ),
    "room.heads_shaded": (
        "Shaded: what the class tapped. The number: how far the translation's log-probability falls when that head "
        "is switched off. Framed: the head with the largest fall.",
        "底色：全班的选择。数字：关闭这个头后译文的对数概率下降多少。加框的头影响最大。",
        "En couleur : le choix de la classe. Le nombre : de combien baisse la log-probabilité de la traduction quand "
        "on désactive la tête. Encadrée : celle dont la baisse est la plus forte.",
    ),
    "room.heads_wall": (
        "The number: how far log p falls without that head. Framed: the largest fall.",
        "数字：没有这个头，log p 下降多少。加框的头下降最多。",
        "Le nombre : de combien baisse log p sans cette tête. Encadrée : la plus forte baisse.",
    ),
    "room.before_note": (
        "Do not reveal the answers before the second quiz, so that the two results can be compared.",
        "答案请留到第二次小测后再公布，这样两次结果才能比较。",
        "Ne révélez pas les réponses avant le second quiz : les deux résultats seront comparables.",
    ),
    "room.ask": ("Ask the class", "向全班提问", "Interroger la classe"),
    "room.ask_scene": ("The lesson's question: {title}", "课程问题：{title}", "La question de la leçon : {title}"),
    "room.ask_source": (
        "Which source word does this head look at most?",
        "这个注意力头看得最多的是哪个源词？",
        "Quel mot source cette tête regarde-t-elle le plus ?",
    ),
    "room.ask_source_for": (
        "{head}: which source token gets the most attention while the model writes “{token}”?",
        "{head}：模型写出“{token}”时，看得最多的是哪个源词元？",
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
    "room.maps_read": (
        "Each small map is a head of the cross-attention: rows are the translation, columns the source.",
        "每个小图是一个交叉注意力头：行为译文，列为源句。",
        "Chaque petite carte est une tête d'attention croisée : en lignes la traduction, en colonnes la source.",
    ),
    "room.ask_word": ("Word of the translation", "译文的词", "Mot de la traduction"),
    "room.model_says": ("model {share}", "模型 {share}", "modèle {share}"),
    "room.own_question": ("Your own questions", "自己的问题", "Vos questions"),
    "room.own_words": ("Question", "问题", "Question"),
    "room.own_options": (
        "Two to five options, one a line", "两到五个选项，每行一个", "Deux à cinq réponses, une par ligne",
    ),
    "room.own_hint": (
        "*The right option begins with an asterisk\nAnother option", "*正确选项以星号开头\n另一个选项",
        "*La bonne réponse commence par un astérisque\nUne autre réponse",
    ),
    "room.own_add": ("Add to the list", "加入列表", "Ajouter à la liste"),
    "room.own_wrong": (
        "A question needs words and two to five options, one a line.", "请写出问题，并列出两到五个选项，每行一个。",
        "Il faut une question et deux à cinq réponses, une par ligne.",
    ),
    "room.own_save": ("Save the questions as a file", "把问题存成文件", "Enregistrer les questions"),
    "room.own_open": ("Open a file of questions", "打开问题文件", "Ouvrir un fichier de questions"),
    "room.own_unread": (
        "This file holds no questions that were saved here.", "这个文件里没有从这里保存的问题。",
        "Ce fichier ne contient pas de questions enregistrées ici.",
    ),
    "room.ask_before": ("Quiz before the lesson", "课前小测", "Quiz avant la leçon"),
    "room.ask_after": ("Quiz after the lesson", "课后小测", "Quiz après la leçon"),
    "room.ask_open": ("Ask", "提问", "Poser la question"),
    "room.close_vote": ("Close the vote", "结束投票", "Clore le vote"),
    "room.skip_vote": ("Skip the vote", "跳过投票", "Sauter le vote"),
    "room.vote_again": ("Discuss, then vote again", "讨论后再投一次", "Discuter, puis revoter"),
    "room.show_answer": ("Show the answer", "公布答案", "Montrer la réponse"),
    "room.close_quiz": ("Close the quiz", "结束小测", "Clore le quiz"),
    "room.divided": ("The class is divided.", "全班意见不一。", "La classe est partagée."),
    "room.countdown": ("Close in {n} s", "{n} 秒后结束", "Clore dans {n} s"),
    "room.countdown_left": ("{n} s left", "还剩 {n} 秒", "encore {n} s"),
    "room.measuring": ("Measuring every head…", "正在逐个测量注意力头……", "Mesure de chaque tête…"),
    "room.drop": ("Close the question", "回到视图", "Fermer la question"),
    "room.hide": ("Hide the results", "隐藏结果", "Cacher les résultats"),
    "room.phones": ("Phones", "手机", "Téléphones"),
    "room.shut": ("the door is closed", "已停止加入", "la porte est fermée"),
    "room.door": ("Close the door", "停止新手机加入", "Fermer la porte"),
    "room.door_help": (
        "No further phone can join. Those that are in stay, and can come back after a reload.",
        "不再接受新手机。已加入的手机不受影响，刷新后仍可回来。",
        "Aucun autre téléphone ne peut entrer. Ceux qui y sont restent et peuvent revenir après un rechargement.",
    ),
    "room.remove_phones": ("Phones to send away", "要移出的手机", "Téléphones à renvoyer"),
    "room.choose_phones": ("The newest come first", "最新加入的排在最前", "Les derniers arrivés d'abord"),
    "room.phone_came": ("Phone {n}, joined {time}", "手机 {n}，{time} 加入", "Téléphone {n}, entré à {time}"),
    "room.remove": (
        "Send away, and delete their answers and sentences", "移出，并删除其作答和句子",
        "Renvoyer, et supprimer leurs réponses et leurs phrases",
    ),
    "room.remove_sender": ("Send away", "移出", "Renvoyer"),
    "room.remove_sender_help": (
        "The phone that sent this leaves the room, and its answers and sentence are deleted. Close the door too if it "
        "must not join again.",
        "发送这句话的手机将被移出课堂，其作答和句子会被删除。若不许它重新加入，请同时停止新手机加入。",
        "Le téléphone qui l'a envoyée quitte la classe ; ses réponses et sa phrase sont supprimées. Fermez aussi la porte "
        "s'il ne doit pas revenir.",
    ),
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
    "room.sentence_drop": ("Delete", "删除", "Supprimer"),
    "room.csv": ("Votes (CSV)", "投票（CSV）", "Votes (CSV)"),
    "room.csv_learning": ("Before and after (CSV)", "课前课后（CSV）", "Avant et après (CSV)"),
    "room.reload": ("The room is not responding. Trying again.", "课堂无响应，正在重试。", "La classe ne répond pas. Nouvel essai."),
}  # fmt: skip
