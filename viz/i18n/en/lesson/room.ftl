### Words of the classroom: the teacher's page, the students' phones.


## On the phones

title = Room
code = Code
enter_code = Type the code on the screen
enter = Enter
follow = Follow
in = You have joined the class.
in_next = What the teacher shows appears here, and so do the questions. Until then you can look around, or send a sentence of your own.
act_votes = How you voted
act_observe = The experiment
cut = At most { $n } rows and columns are shown.
vote_closed = The vote is closed. The answer follows.
quiz_before_done = Thank you. After the lesson you will get other questions about the same ideas.
learning = Your class, before and after
learning_before = right before
learning_after = right after
wait = You have joined the class. What the teacher shows will appear here.
scene = Lesson { $n }/{ $total } · { $title }
step = Step { $n }: after “{ $before }” the model writes “{ $token }”.
changed = Changed:
question = Question for you
answer_shown = The answer
join = Join on your phone
you = you
paused = Look up at the teacher
offline = No connection; trying again
vote_once = Tap your answer. It counts once and cannot be changed.
raise_hands = Raise your hand for your answer. The teacher counts.
voted = Your answer is in. It is shown with the others when the vote closes.
quiz_wall = { $n } questions on your phone. No names are kept.
quiz_done = You have answered all questions
own = A sentence of your own, in English
own_other = A sentence of your own
explore = Explore it here
explore_loading = Loading the model onto this phone. This happens only once.
explore_failed = The model could not be loaded. You can still send your sentence to the teacher.
send = Send to the teacher
sent = Sent:
sentence_twice = You have sent one already. You can send another when the teacher has dealt with it.
sentence_empty = Write a few words first.
sentence_fast = Wait a second, then send again.
sentence_full = The teacher's list is full. Try again in a moment.
sentence_large = That is too long: 500 characters at most.
error_gone = This room is closed. Ask your teacher for the new code and enter it here.
screen_gone = This room is closed.
error_full = This room is full. Follow on a neighbour's phone.
error_door = The teacher has closed the door: no further phone can join. Follow on a neighbour's phone.
joining = Many phones are joining. Yours tries again by itself.
error_closed = The vote is over.
error_fast = Wait a second, then tap again.
error_stranger = Reload this page to join again.

## The teacher

lead = Students follow on their phones what you show, answer before they see the answer, and send you sentences. No accounts, no names.
open = Open a room
too_many =
    { $n } { $n ->
        [one] room is
       *[other] rooms are
    } open, the most that this server allows at one time. A room ends when its teacher closes it, or after twelve hours. Close one of yours, or try again later.
too_many_here =
    { $n } { $n ->
        [one] room is
       *[other] rooms are
    } open from your network, the most that this server allows from one network. Close one that you no longer need. A room that no phone has joined for half an hour is closed when its place is needed.
not_opened = The room could not be opened: the server cannot reach its storage for rooms. Try again in a moment.
other_device = Lead it on another device
this_browser = Only this browser can lead the room; the address of this page opens it for nobody else. To go on on another device, show a transfer code here, and enter it there on this same page.
transfer_show = Show a transfer code
transfer_note = Whoever enters it leads the room too, so do not project it. It works once, within ten minutes.
take_over = Your room is open on another device?
transfer_code = Transfer code shown on that device
take_over_do = Lead it here
transfer_wrong = This code leads to no room: it was used, ten minutes have passed, or it was mistyped. Show a new one on the other device.
local = This address works only on this computer. Start the application with --server.address 0.0.0.0, and open it at this computer's address on your network.
gone = The room { $code } no longer exists: it was closed, twelve hours have passed, or the server was restarted. Open a new one; your sentence and choices are still here.
here =
    { $n } { $n ->
        [one] phone
       *[other] phones
    }
answers_of =
    { $n } of { $phones } { $n ->
        [one] has
       *[other] have
    } answered
votes_of =
    { $n } { $n ->
        [one] answer
       *[other] answers
    }
by_hands = Show of hands instead
screen = Second screen
screen_help = A page for the projector: code, question, number of answers, results. It cannot lead the room and never shows the list of sentences.
heads_tapped = What the class tapped
heads_measured = What was measured
heads_read = Layers down, heads across. Measured: how far the translation's log-probability falls when that head is switched off. Framed: the head with the largest fall.
heads_shaded = Shaded: what the class tapped. The number: how far the translation's log-probability falls when that head is switched off. Framed: the head with the largest fall.
heads_wall = The number: how far log p falls without that head. Framed: the largest fall.
before_note = Do not reveal the answers before the second quiz, so that the two results can be compared.
ask = Ask the class
ask_scene = The lesson's question: { $title }
ask_source = Which source word does this head look at most?
ask_source_for = { $head }: which source token gets the most attention while the model writes “{ $token }”?
ask_next = What comes next?
ask_next_after = The translation so far: “{ $text }”. What comes next?
ask_head = Which cross-attention head matters most for this translation?
maps_read = Each small map is a head of the cross-attention: rows are the translation, columns the source.
ask_write = Write a word with a finger
ask_write_for = Write a word with your finger. What does the model read, and where does it look?
write_send = Send the word
write_sent = Your word is with the teacher. You can write another until all are shown; it replaces this one.
write_again = Your first word is with the teacher. This one replaces it when you send it.
write_note = Small letters, as neat as on a form. Nobody sees your name.
write_wall = Write it on your phone.
write_list = Show the words on this screen
write_show = Show the words on all screens
write_some = { $n } of { $all } words are shown.
write_class = The words of the class
write_read = Coloured: the strokes that one head of the model looks at while it writes the underlined letter.
write_strokes = Written word
write_nothing_read = No letter was read.
ask_word = Word of the translation
model_says = model { $share }
own_question = Your own questions
own_words = Question
own_options = Two to five options, one a line
own_hint =
    { "*" }The right option begins with an asterisk
    Another option
own_add = Add to the list
own_wrong = A question needs words and two to five options, one a line.
own_save = Save the questions as a file
own_open = Open a file of questions
own_unread = This file holds no questions that were saved here.
ask_before = Quiz before the lesson
ask_after = Quiz after the lesson
ask_open = Ask
close_vote = Close the vote
skip_vote = Skip the vote
vote_again = Discuss, then vote again
show_answer = Show the answer
close_quiz = Close the quiz
divided = The class is divided.
countdown = Close in { $n } s
countdown_left = { $n } s left
measuring = Measuring every head…
drop = Close the question
hide = Hide the results
phones = Phones
shut = the door is closed
door = Close the door
door_help = No further phone can join. Those that are in stay, and can come back after a reload.
remove_phones = Phones to send away
choose_phones = The newest come first
phone_came = Phone { $n }, joined { $time }
remove = Send away, and delete their answers and sentences
remove_sender = Send away
remove_sender_help = The phone that sent this leaves the room, and its answers and sentence are deleted. Close the door too if it must not join again.
pause = Pause the phones
close = Close the room
close_sure = All phones leave the room and its votes are deleted. Download the votes first.
measured = the head itself
votes = the class
no_votes = Nobody has answered.
hidden = The results are hidden.
sentences = Sentences of the class: { $n }
sentences_none = Sentences that students send are listed here. Nothing is shown to the class before you open it.
sentences_show = Show the list on this screen
sentence_open = Open
sentence_drop = Delete
csv = Votes (CSV)
csv_learning = Before and after (CSV)
reload = The room is not responding. Trying again.
