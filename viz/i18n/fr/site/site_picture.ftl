### Textes du site pour un modèle qui lit l'écriture manuscrite, à la place de ceux de site.ftl de même nom.

tagline = Un petit Transformer lit l'écriture manuscrite dans cette page. Voyez où regarde chaque tête d'attention.
description = Un petit Transformer lit votre écriture dans votre navigateur, et vous voyez quels traits il regarde pour chaque lettre.
stage = Le mot écrit et ce que le modèle lit
source_words = Le mot écrit, découpé en bandes
translation = Ce que le modèle lit
the_end = la fin du mot
line_end = Pour terminer le mot, le décodeur regarde { $seen }.
line_source_none = Cette tête ne regarde presque pas { $seen }, pour aucune lettre.
candidates = Les lettres possibles ensuite
press_word = Pointez une lettre : les rubans montrent les traits que le modèle regarde.
try_own = Écrire votre propre mot
changed = La lecture a changé.
share_foot = Voyez où regarde un Transformer pendant qu'il lit l'écriture
matter_done = Plus un carré est rempli, moins cette lecture est probable sans la tête.
level_sentence = Le mot
level_head_hint = Ce que la tête des rubans calcule pour la lettre choisie. Chaque clé est une bande de l'image, numérotée depuis la gauche.
level_heads_hint = Tous les poids d'attention du modèle, pour ce mot.
level_model_hint = L'encodeur lit une seule fois les bandes de l'image. Le décodeur tourne une fois par lettre et lit ce qu'il a déjà écrit.
level_break_hint = Changez une chose et lisez ce que devient le mot. Les barres sont les lettres que le modèle pèse ici : choisissez-en une autre.
plan_says_loop = Tour { $n } : le décodeur écrit « { $word } » et recommence avec.
plan_says_end = Le décodeur a écrit le token de fin : le mot est complet.
plan_says_still = Une lettre par seconde ; les carrés montrent avec quelle force chaque tête regarde une seule bande.
questions = Six questions
ask_cross = Où regarde-t-il ?
ask_cross_about = Pour chaque lettre, le décodeur donne un poids à chaque bande de l'image. Pointez les lettres et suivez les rubans le long du mot.
ask_positions = La place d'une bande compte-t-elle ?
ask_positions_about = Un code de position distingue les bandes. Ici il est inversé : les mêmes traits, comptés depuis l'autre bout.
ask_model = Que se passe-t-il entre l'image et le mot ?
ask_words = Aurait-il pu lire autre chose ?
ask_words_about = À chaque étape il pèse toutes les lettres qu'il connaît. À une température plus haute, il en prend aussi de moins probables.
examples = Mots à essayer
step_so_far =
    Lecture : { $step } { $step ->
        [one] lettre
       *[other] lettres
    }, au plus { $most }.
empty = Écrivez d'abord un mot.
failed_source = Ce n'est pas un mot écrit. Écrivez-en un, ou choisissez un exemple.
failed_memory = Cet appareil a trop peu de mémoire libre pour le modèle. Fermez d'autres onglets et rechargez la page. Les mots à essayer montrent encore leur lecture enregistrée.
cut = La lecture ne s'est pas terminée d'elle-même et a été coupée.
hide = Cacher des bandes
hide_about = Choisissez-en : le décodeur ne peut plus les regarder.
hidden_chip = bande { $word } cachée
blocked_chip = bande { $word } cachée : { $kind } { $place }, ligne { $row }
positions = Ordre des bandes
positions_about = Les traits restent. Ce qui change est le code qui dit à l'encodeur où se trouve chaque bande.
force_hint = Dans la tête ouverte, { $head } : la ligne regarde les bandes que vous choisissez, chacune autant, et aucune autre.
unchanged = La lecture reste la même. Sa probabilité a pu changer.
