### Words of the sentence stage.

another = Écrire une autre phrase
glossary = Glossaire
tour = Visite
tour_help = Première visite ? 60 secondes
tools = Outils pour la phrase
skip = Aller à la phrase
skip_page = Aller au contenu de la page
nothing = Écrivez d'abord une phrase, ou choisissez-en une ci-dessous.
recent = Phrases récentes
link = Lien
link_help = Copier un lien qui restitue tout l'écran
copied = Copié
copy_from_bar = À copier dans la barre d'adresse
translate = Traduire
box = Phrase à traduire
surprise = Couper la tête { $head } : « { $before } » devient « { $after } »
undo_change = Annuler
try_own = Essayer votre phrase
source_row = Tokens de la source
target_row = Tokens de la traduction
scrolls = Plus large que l'écran : défile avec les flèches
examples = Phrases à essayer
source = Source
target = Traduction
text = Texte
prompt = Amorce
continuation = Suite
next = Token suivant
language_en = Anglais
language_fr = Français
language_de = Allemand
language_zh = Chinois
said = Traduction : { $text }
verdict_same = Les mots restent les mêmes, chacun aussi probable qu'avant.
verdict_probability = Les mots restent les mêmes ; la probabilité de « { $word } » passe de { $before } à { $after }.
verdict_said = La traduction est maintenant : { $after }. Avant : { $before }.
empty = Écrivez une phrase, ou choisissez un exemple.
cut = Trop long : les { $kept } premiers tokens sur { $total } sont lus. Raccourcissez le texte pour qu'il soit lu en entier.
long = Texte long : cette page le lit par blocs de tokens, les autres pages lisent ses { $kept } premiers tokens.
unknown = Le vocabulaire du modèle ne contient pas { $characters } ; le modèle lit « inconnu » à la place.
bytes = Le vocabulaire du modèle ne contient pas { $characters } ; le modèle en lit les octets un à un.
breaks = Les retours à la ligne sont lus comme des espaces.
no_link = Ce texte est trop long pour tenir dans un lien : envoyez le texte avec le lien.
change_no_link = Le lien laisse de côté une modification qui contient trop de nombres : refaites-la là où vous ouvrez le lien.
lost = La phrase de ce lien était trop longue pour y tenir. Collez-la avec « Écrire une autre phrase ».
unfinished =
    La traduction a été arrêtée à { $n } { $n ->
        [one] token
       *[other] tokens
    }, avant que le modèle ne la termine.
unfinished_alone =
    La suite a été arrêtée à { $n } { $n ->
        [one] token
       *[other] tokens
    }, avant que le modèle ne la termine.
token = token { $piece }, id { $id }
token_probability = token { $piece }, id { $id }, probabilité { $probability }
