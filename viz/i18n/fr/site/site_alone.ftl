### Words of the site for a model without an encoder, in place of those of site.ftl with the same names.

tagline = Un petit Transformer sans encodeur poursuit un texte dans cette page. Voyez où regarde chaque tête d'attention.
stage = Le texte et sa suite
source_words = Le texte jusqu'ici
translation = Suite
the_start = le token de début
line_end = Pour finir le texte, le décodeur regarde { $seen }.
try_own = Essayer votre propre début
changed = Le texte a changé.
share_foot = Voyez où regarde un Transformer pendant qu'il écrit
heads_of_cross = Têtes de l'auto-attention : une ligne par couche
heads_caption = Chaque carré est une tête de l'auto-attention.
matter_done = Plus un carré est plein, moins cette suite est probable sans la tête.
level_sentence = Le texte
level_heads_hint = Tous les poids d'attention du modèle, pour ce texte.
level_model_hint = La même architecture, décodeur seul. Elle lit le texte jusqu'ici, écrit un token, puis recommence avec lui.
level_break_hint = Changez une chose, et lisez comment le texte continue. Les barres sont les mots que le modèle pèse ici : choisissez-en un autre.
plan_says_end = Le décodeur a écrit le token de fin : le texte est complet.
questions = Cinq questions
ask_cross = Comment sait-il ce qui vient ensuite ?
ask_cross_about = Pour chaque nouveau mot, le décodeur donne un poids à tous les mots déjà là. Cliquez sur les mots qu'il a écrits et suivez le ruban le plus large.
ask_model = Que reste-t-il sans encodeur ?
ask_model_about = Une seule pile de couches, et la boucle : le décodeur tourne une fois par mot et relit ce qu'il a écrit.
placeholder = Écrivez le début d'une phrase anglaise
translate = Continuer
examples = Débuts de phrase à essayer
step_so_far =
    Écriture : { $step } { $step ->
        [one] token
       *[other] tokens
    }, au plus { $most }.
empty = Écrivez d'abord un début de phrase.
failed_long = Ce texte a { $n } tokens ; la page en accepte { $most }. Raccourcissez-le.
failed_memory = Cet appareil n'a pas assez de mémoire libre pour le modèle. Fermez d'autres onglets et rechargez la page. Les débuts de phrase à essayer montrent encore leur suite enregistrée.
cut = Le texte ne s'est pas terminé de lui-même : il a été coupé.
long = C'est bien plus long que les textes que le modèle a appris.
unchanged = La suite reste la même. Sa probabilité a pu changer.
said_chip = continue par « { $words } »
