### Words of what surrounds every page: navigation, pickers, keys, errors.

tagline = Voir ce que regarde un Transformer
page_explore = Explorer
page_decode = Décoder
page_causal = Causalité
page_inside = Intérieur d'une tête
page_positions = Positions
page_corpus = Corpus
page_laboratory = Laboratoire
page_fine_tune = Affiner
page_checkpoints = Checkpoints
page_lesson = Leçon
page_room = Classe
model = Modèle
model_choose = Modèle utilisé
target_language = Langue de la traduction
target_language_own = choisie par le modèle
model_shape =
    { $encoder }+{ $decoder } couches × { $heads } { $heads ->
        [one] tête
       *[other] têtes
    }
unfilled = « { $page } » n'est pas dans le menu pour ce modèle :
unfilled_here = Cette page ne convient pas au modèle utilisé
alone = Ce modèle ne traduit pas
model_shape_alone =
    { $layers } { $layers ->
        [one] couche
       *[other] couches
    } × { $heads } { $heads ->
        [one] tête
       *[other] têtes
    }
model_of_session = dans cette session seulement
model_unknown = Ce lien a été créé avec le modèle « { $name } ». Ce modèle n'est ouvert que sur la page où il a été entraîné ou déposé, tant qu'elle n'est ni fermée ni rechargée. Vous regardez « { $used } » : les nombres et les têtes diffèrent. Pour voir la même chose, ouvrez le fichier du modèle sur la page Checkpoints. Le fichier se télécharge là où le modèle est ouvert.
model_waits = Le lien désigne aussi des tokens de ce modèle (début imposé, tokens épinglés ou masqués, bifurcation), ou des couches et des têtes que celui-ci n'a pas. Rien de cela n'est appliqué ici ; tout revient quand le modèle est ouvert.
model_keep = Continuer avec « { $used } »
guesses = Supposé pour ce modèle : { $names }
guesses_confirm = Confirmer
none_model = Aucun modèle à montrer
none_model_remedy = Lancez « streamlit run app.py -- --checkpoint CHEMIN », ou placez un checkpoint dans « pretrained/ ».
language = Langue
settings = Réglages d'affichage
presenter = Mode présentation
computing = Calcul en cours…
end_presenting = Quitter la présentation
presenter_help = Grands caractères et commandes repliées, pour un projecteur.
count_from = Numéroter couches et têtes à partir de
keys = Raccourcis
keys_title = Raccourcis clavier
keys_key = Touche
keys_does = Effet
key_arrows = Parcourir couches et têtes
key_tab = Aller d'un token à l'autre
key_enter = Épingler le token ; dans le champ de saisie, traduire
key_escape = Tout désépingler ; fermer la fenêtre
key_shift = Ajouter la tête ou le token à ceux qui sont choisis
key_shift_name = Maj + clic
key_arrows_name = Flèches
error_limit = C'est plus que ce serveur n'autorise
error_model = Le modèle n'a pas pu être ouvert
error_text = Ce texte ne peut pas être traduit
error_intervention = Cette modification est impossible
error_reading = Cette lecture des poids est impossible
error_file = Ce fichier ne peut pas être utilisé
error_memory = Il n'y a pas assez de mémoire
error_memory_remedy = Raccourcissez la phrase ou choisissez un modèle plus petit.
error_numbers = Les sorties du modèle ne sont pas finies : ses poids contiennent NaN ou l'infini, et les valeurs dessinées n'ont aucun sens. Choisissez un autre modèle.
in_force = Modifié
more_changes = { $n } autres changements
undo = Annuler
undo_all = Tout annuler
change_off = { $kind } { $layer }·{ $head } désactivée
change_even = { $kind } { $layer }·{ $head } uniforme
change_force = { $kind } { $layer }·{ $head } ligne { $row } imposée
prefix_fixed = commence par « { $text } »
patch_text = { $name }{ $where } pris dans « { $text } »
patch_unread = { $name } modifié (le fichier ne dit pas comment)
patch_zero = { $name }{ $where } mis à zéro
patch_mean = { $name }{ $where } ramené à sa moyenne
patch_noise = { $name }{ $where } brouillé
patch_value = { $name }{ $where } donné à la main
patch_add = { $name }{ $where } plus { $factor } × un vecteur
patch_scale = { $name }{ $where } fois { $factor }
patch_project_out = { $name }{ $where } sans une direction
patch_apply = { $name }{ $where } passé par une fonction
change_block = { $kind } clé { $token } masquée
open_site = Ouvrir dans la page sans serveur
open_site_help = La même phrase, le même modèle, la même tête et les mêmes changements sur une page où le modèle fonctionne dans votre navigateur.
positions_zero = sans positions
positions_shuffle = positions mélangées
positions_shift = positions décalées de { $amount }
positions_reverse = positions inversées
mask_lifted = masque causal retiré
remove_help = Cliquer pour annuler ce changement
kind_encoder_self = Encodeur
kind_decoder_self = Décodeur
kind_cross = Croisée
kind_long_encoder_self = auto-attention de l'encodeur
kind_long_decoder_self = auto-attention du décodeur
kind_long_cross = attention croisée
menu_inside = À l'intérieur
menu_learn = Apprendre
menu_research = Recherche
menu_models = Modèles
page_overview = Aperçu
questions = Genre de question
questions_sentence = Avec votre phrase
questions_machinery = La mécanique
ask_overview = Comment le modèle est-il construit ?
ask_overview_line = Toutes les couches et toutes les têtes sur un écran, avec le chemin qui mène à un mot prédit.
ask_decode = Comment chaque mot est-il choisi ?
ask_decode_line = Pas à pas : les candidats, leurs probabilités, et ce qui suit si vous en prenez un autre.
ask_inside = Que calcule une tête ?
ask_inside_line = Des vecteurs de la phrase aux poids et à la sortie de la tête, avec tous les nombres.
ask_causal = Quelle partie du modèle fait la différence ?
ask_causal_line = Reportez les activations d'une phrase dans une autre qui en diffère d'un mot, et voyez ce que le modèle prédit alors.
ask_corpus = Que fait une tête dans d'autres phrases ?
ask_corpus_line = Chaque tête, mesurée sur de nombreuses phrases : ce qu'elle regarde, quand, et si le modèle en a besoin.
ask_positions = Comment le modèle connaît-il l'ordre des mots ?
ask_positions_line = Les encodages de position et leur effet dans l'attention.
ask_laboratory = Et si l'on calculait autrement ?
ask_laboratory_line = De petits calculs à modifier : scores, masques, entraînement, BLEU.
ask_fine_tune = Que voulez-vous changer dans le modèle ?
ask_fine_tune_line = Entraînez-le encore sur des paires de phrases et voyez quelles têtes changent.
ask_checkpoints = Quel modèle voulez-vous examiner ?
ask_checkpoints_line = Ouvrez un checkpoint : le fichier est lu, et aucun code qu'il contient n'est exécuté.
