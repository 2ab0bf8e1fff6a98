### Words of what stands below the sentence when its translation cannot be trusted.

far = Cette phrase ne ressemble pas à celles que le modèle a apprises : son attention ne signifie peut-être pas grand-chose.
unread_in = Ce modèle lit des textes en { $language } : presque tout ce texte lui est inconnu.
unread = Presque tout ce texte est inconnu de ce modèle.
unread_other = Le modèle { $name } sait le lire.
unread_none = Aucun modèle ouvert ici ne sait le lire ; vous pouvez ouvrir le vôtre sous Modèles.
use_model = Prendre { $name }
split = Essayez avec des phrases plus courtes.
plain = Essayez avec des mots plus courants.
plain_in = Essayez avec des mots plus courants, en { $language }.
whole = Essayez avec une phrase entière.
whole_in = Essayez avec une phrase entière en { $language }.
language_en = anglais
language_fr = français
language_de = allemand
language_zh = chinois
loop = La traduction répétait sans cesse « { $text } » : elle a été arrêtée.
loop_cut =
    La traduction répète sans cesse « { $text } » et a été coupée à la limite de { $n } { $n ->
        [one] token
       *[other] tokens
    }.
loop_ended = La traduction répète sans cesse « { $text } ».
loop_alone = La suite répétait sans cesse « { $text } » : elle a été arrêtée.
loop_cut_alone =
    La suite répète sans cesse « { $text } » et a été coupée à la limite de { $n } { $n ->
        [one] token
       *[other] tokens
    }.
loop_ended_alone = La suite répète sans cesse « { $text } ».
capitals = Le modèle connaît peu de mots en majuscules.
lower = Passer en minuscules
