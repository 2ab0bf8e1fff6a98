### Words of the classroom: the teacher's page, the students' phones.


## On the phones

title = Classe
code = Code
enter_code = Saisissez le code affiché à l'écran
enter = Entrer
follow = Suivre
in = Vous avez rejoint la classe.
in_next = Ce que montre l'enseignant apparaît ici, et les questions aussi. En attendant, explorez ou envoyez votre propre phrase.
act_votes = Vos votes
act_observe = L'expérience
cut = Au plus { $n } lignes et { $n } colonnes sont affichées.
vote_closed = Le vote est clos. La réponse suit.
quiz_before_done = Merci. Après la leçon, vous recevrez d'autres questions sur les mêmes idées.
learning = Votre classe, avant et après
learning_before = justes avant
learning_after = justes après
wait = Vous avez rejoint la classe. Ce que montre l'enseignant apparaîtra ici.
scene = Leçon { $n }/{ $total } · { $title }
step = Étape { $n } : après « { $before } », le modèle écrit « { $token } ».
changed = Modifié :
question = Question pour vous
answer_shown = La réponse
join = Rejoignez la classe avec votre téléphone
you = vous
paused = Regardez l'enseignant
offline = Pas de connexion, nouvelle tentative
vote_once = Touchez votre réponse. Elle compte une fois et ne se change pas.
raise_hands = Levez la main pour votre réponse. L'enseignant compte.
voted = Votre réponse est enregistrée. Elle s'affichera avec les autres à la fin du vote.
quiz_wall = { $n } questions sur votre téléphone, sans noms.
quiz_done = Vous avez répondu à toutes les questions
own = Votre propre phrase, en anglais
own_other = Votre propre phrase
explore = Explorer ici
explore_loading = Chargement du modèle sur ce téléphone, une seule fois.
explore_failed = Le modèle n'a pas pu être chargé. Vous pouvez toujours envoyer votre phrase à l'enseignant.
send = Envoyer à l'enseignant
sent = Envoyée :
sentence_twice = Vous en avez déjà envoyé une. Vous pourrez en envoyer une autre quand l'enseignant l'aura traitée.
sentence_empty = Écrivez d'abord quelques mots.
sentence_fast = Attendez une seconde, puis renvoyez-la.
sentence_full = La liste de l'enseignant est pleine. Réessayez dans un moment.
sentence_large = C'est trop long : 500 caractères au plus.
error_gone = Cette classe est fermée. Demandez le nouveau code à votre enseignant et saisissez-le ici.
screen_gone = Cette classe est fermée.
error_full = Cette classe est complète. Suivez sur le téléphone d'un voisin.
error_door = L'enseignant n'admet plus d'autre téléphone. Suivez sur celui d'un voisin.
joining = Beaucoup de téléphones arrivent. Le vôtre réessaie de lui-même.
error_closed = Le vote est terminé.
error_fast = Attendez une seconde, puis réessayez.
error_stranger = Rechargez la page pour revenir dans la classe.

## The teacher

lead = Les élèves suivent sur leur téléphone ce que vous montrez, répondent avant de voir la réponse et vous envoient des phrases. Sans compte, sans nom.
open = Ouvrir une classe
too_many =
    { $n } { $n ->
        [one] classe est ouverte
       *[other] classes sont ouvertes
    }, le maximum que ce serveur autorise à la fois. Une classe prend fin quand l'enseignant la ferme, ou après douze heures. Fermez l'une des vôtres ou réessayez plus tard.
too_many_here =
    { $n } { $n ->
        [one] classe est ouverte
       *[other] classes sont ouvertes
    } depuis votre réseau, le maximum que ce serveur autorise pour un même réseau. Fermez-en une qui ne sert plus. Une classe qu'aucun téléphone n'a rejointe depuis une demi-heure est fermée si une autre a besoin de sa place.
not_opened = La classe n'a pas pu être ouverte : le serveur n'a pas accès au stockage des classes. Réessayez dans un instant.
other_device = Animer depuis un autre appareil
this_browser = Seul ce navigateur peut animer la classe ; l'adresse de cette page ne l'ouvre à personne d'autre. Pour continuer sur un autre appareil, affichez ici un code de transfert et saisissez-le là-bas, sur cette même page.
transfer_show = Afficher un code de transfert
transfer_note = Qui le saisit peut animer la classe : ne le projetez pas. Il sert une seule fois, dans les dix minutes.
take_over = Votre classe est ouverte sur un autre appareil ?
transfer_code = Code de transfert affiché sur cet appareil
take_over_do = L'animer ici
transfer_wrong = Ce code ne mène à aucune classe : il a servi, dix minutes ont passé ou il est mal saisi. Affichez-en un nouveau sur l'autre appareil.
local = Cette adresse ne marche que sur cet ordinateur. Lancez l'application avec --server.address 0.0.0.0 et ouvrez-la à l'adresse de cet ordinateur sur votre réseau.
gone = La classe { $code } n'existe plus : elle a été fermée, douze heures ont passé ou le serveur a redémarré. Ouvrez-en une nouvelle ; votre phrase et vos choix sont toujours là.
here =
    { $n } { $n ->
        [one] téléphone
       *[other] téléphones
    }
answers_of =
    { $n } { $n ->
        [one] réponse
       *[other] réponses
    } sur { $phones }
votes_of =
    { $n } { $n ->
        [one] réponse
       *[other] réponses
    }
by_hands = Voter à main levée
screen = Second écran
screen_help = Une page pour le projecteur : code, question, nombre de réponses, résultats. Elle ne permet pas d'animer la classe et ne montre jamais la liste des phrases.
heads_tapped = Le choix de la classe
heads_measured = Ce qui a été mesuré
heads_read = Les couches de haut en bas, les têtes de gauche à droite. Mesuré : de combien baisse la log-probabilité de la traduction quand on désactive la tête. Encadrée : celle dont la baisse est la plus forte.
heads_shaded = En couleur : le choix de la classe. Le nombre : de combien baisse la log-probabilité de la traduction quand on désactive la tête. Encadrée : celle dont la baisse est la plus forte.
heads_wall = Le nombre : de combien baisse log p sans cette tête. Encadrée : la plus forte baisse.
before_note = Ne révélez pas les réponses avant le second quiz : les deux résultats seront comparables.
ask = Interroger la classe
ask_scene = La question de la leçon : { $title }
ask_source = Quel mot source cette tête regarde-t-elle le plus ?
ask_source_for = { $head } : quel token source reçoit le plus d'attention quand le modèle écrit « { $token } » ?
ask_next = Quel token vient ensuite ?
ask_next_after = La traduction jusqu'ici : « { $text } ». Quel token vient ensuite ?
ask_head = Quelle tête d'attention croisée compte le plus pour cette traduction ?
maps_read = Chaque petite carte est une tête d'attention croisée : en lignes la traduction, en colonnes la source.
ask_write = Écrire un mot au doigt
ask_write_for = Écrivez un mot au doigt. Que lit le modèle, et où regarde-t-il ?
write_send = Envoyer le mot
write_sent = Votre mot est arrivé. Jusqu'à ce que tous soient montrés, vous pouvez en écrire un autre : il remplacera celui-ci.
write_again = Votre premier mot est arrivé. Celui-ci le remplacera quand vous l'enverrez.
write_note = En minuscules, aussi nettes que sur un formulaire. Personne ne voit votre nom.
write_wall = Écrivez-le sur votre téléphone.
write_list = Montrer les mots sur cet écran
write_show = Montrer les mots sur tous les écrans
write_some = { $n } mots sur { $all } sont montrés.
write_class = Les mots de la classe
write_read = En couleur : les traits qu'une tête du modèle regarde pendant qu'il écrit la lettre soulignée.
write_strokes = Mot manuscrit
write_nothing_read = Aucune lettre n'a été lue.
ask_word = Mot de la traduction
model_says = modèle { $share }
own_question = Vos questions
own_words = Question
own_options = Deux à cinq réponses, une par ligne
own_hint =
    { "*" }La bonne réponse commence par un astérisque
    Une autre réponse
own_add = Ajouter à la liste
own_wrong = Il faut une question et deux à cinq réponses, une par ligne.
own_save = Enregistrer les questions
own_open = Ouvrir un fichier de questions
own_unread = Ce fichier ne contient pas de questions enregistrées ici.
ask_before = Quiz avant la leçon
ask_after = Quiz après la leçon
ask_open = Poser la question
close_vote = Clore le vote
skip_vote = Sauter le vote
vote_again = Discuter, puis revoter
show_answer = Montrer la réponse
close_quiz = Clore le quiz
divided = La classe est partagée.
countdown = Clore dans { $n } s
countdown_left = encore { $n } s
measuring = Mesure de chaque tête…
drop = Fermer la question
hide = Cacher les résultats
phones = Téléphones
shut = la porte est fermée
door = Fermer la porte
door_help = Aucun autre téléphone ne peut entrer. Ceux qui y sont restent et peuvent revenir après un rechargement.
remove_phones = Téléphones à renvoyer
choose_phones = Les derniers arrivés d'abord
phone_came = Téléphone { $n }, entré à { $time }
remove = Renvoyer, et supprimer leurs réponses et leurs phrases
remove_sender = Renvoyer
remove_sender_help = Le téléphone qui l'a envoyée quitte la classe ; ses réponses et sa phrase sont supprimées. Fermez aussi la porte s'il ne doit pas revenir.
pause = Mettre les téléphones en pause
close = Fermer la classe
close_sure = Tous les téléphones quittent la classe et les votes sont supprimés. Téléchargez-les d'abord.
measured = la tête elle-même
votes = la classe
no_votes = Personne n'a répondu.
hidden = Les résultats sont cachés.
sentences = Phrases de la classe : { $n }
sentences_none = Les phrases des élèves s'affichent ici. Aucune n'est montrée à la classe avant que vous ne l'ouvriez.
sentences_show = Afficher la liste sur cet écran
sentence_open = Ouvrir
sentence_drop = Supprimer
csv = Votes (CSV)
csv_learning = Avant et après (CSV)
reload = La classe ne répond pas. Nouvel essai.
