### Words of the checkpoints page: bringing a model, the doctor's report, its questions, the models that are open.

title = Apportez votre checkpoint
lead = Déposez les fichiers d'un Transformer entraîné. Ils restent dans cette session, et aucun code qu'ils contiennent n'est exécuté.
drop = Fichiers d'un checkpoint
drop_help = Les poids, avec leur configuration et leurs tokens s'il y en a, ou tout le dossier en .zip.
opens = Ce qui s'ouvre ici
opens_list =
    - le dossier de ce projet, ou `.safetensors` avec `config.json`
    - attention-is-all-you-need-pytorch (`.chkpt`), l'Annotated Transformer, Dive into Deep Learning, nlp-tutorial et ses descendants (`.pt`, `.params`)
    - `torch.nn.Transformer` avec plongements et sortie sous n'importe quels noms (`.pth`)
    - hkproj/pytorch-transformer, hyunwoongko/transformer et x-transformers (`.pt`)
    - fairseq (`.pt` avec `dict.*.txt`), OpenNMT-py (`.pt`), Marian (`.npz` avec `vocab.yml`)
    - dossiers CTranslate2 en .zip (`model.bin`, `config.json`, vocabulaires), quantifiés ou non
    - JoeyNMT (`.ckpt`, `config.yaml` et vocabulaires)
    - nanoGPT, minGPT, llama2.c (`.pt`, `.bin`), LitGPT, et les encodeurs ou décodeurs seuls de x-transformers et de PyTorch
    - dossiers Hugging Face : encodeurs-décodeurs, de MarianMT, BART et T5 à T5Gemma ; encodeurs, de BERT à ModernBERT, et décodeurs, de GPT-2 à Llama, pour leur propre sorte d'attention
    - TrOCR, Donut et d'autres lecteurs d'images, Whisper et Speech2Text, en dossiers Hugging Face
    - tout autre encodeur-décodeur, décodeur ou encodeur par une table de noms : déposez-le, et une première table est remplie
examining = Examen en cours…
too_large = { $size } Mo dépassent les { $most } Mo que cette installation accepte.
aside = { $old } est mis de côté pour { $new } : un seul checkpoint est examiné à la fois.
aside_back = Revenir à { $old }
aside_add = Y ajouter { $names }
hub = Nom sur le hub Hugging Face
hub_ask = Demander sa taille
hub_offer =
    { $name }, révision { $revision } : { $files } { $files ->
        [one] fichier
       *[other] fichiers
    }, { $size } Mo
hub_fetch = Télécharger { $size } Mo
hub_fetching = Téléchargement…
is = C'est { $family }
known_by = Reconnu à
family_own = un checkpoint de ce projet
family_jadore = un checkpoint d'attention-is-all-you-need-pytorch
family_annotated = un checkpoint de l'Annotated Transformer
family_d2l = un checkpoint de Dive into Deep Learning
family_graykode = un checkpoint à la manière de nlp-tutorial
family_hkproj = un checkpoint de pytorch-transformer (hkproj)
family_hyunwoongko = un checkpoint de transformer (hyunwoongko)
family_fairseq = un checkpoint de fairseq
family_opennmt = un checkpoint d'OpenNMT-py
family_ctranslate2 = un modèle CTranslate2
family_marian = un modèle de Marian
family_xtransformers = un XTransformer de x-transformers
family_mapped = un checkpoint lu par une table de noms
family_named = un encodeur-décodeur aux noms qui lui sont propres, lu d'après eux
family_named_alone = un décodeur ou un encodeur seul, aux noms qui lui sont propres, lu d'après eux
family_bentrevett = un modèle du tutoriel 6 de bentrevett
family_aladdin = un modèle du Transformer d'Aladdin Persson
told = Écrit dans le fichier ou à côté :
first = Répondez avant que son attention soit dessinée
first_lead = Chacun de ces réglages change les cartes, et le fichier n'en dit rien. Les valeurs usuelles sont remplies : confirmez-les, ou corrigez-les d'après le code d'où vient le fichier.
first_n_heads = Le fichier ne dit pas combien de têtes a le modèle. Avec un nombre faux, les cartes semblent plausibles et sont fausses : cherchez-le dans le code ou l'article d'où vient le fichier.
first_fused_by_head = Requêtes, clés et valeurs partagent ici une matrice. Rien dans le fichier ne dit si toutes les requêtes viennent d'abord, ou si chaque tête a ensemble sa requête, sa clé et sa valeur. Lues de travers, les cartes semblent plausibles et sont fausses : le code le dit, à son reshape et à son chunk.
ask_fused_by_head = Projections fusionnées, tête par tête
because_fused_rows = combien il explique moins bien les longueurs des lignes fusionnées, nats
score_fused_rows = lignes de la matrice fusionnée : { $value } nats derrière le meilleur
first_choose = Choisissez d'abord une des réponses.
score_head_rows = lignes des projections : { $value } nats derrière le meilleur
score_head_entropy = entropie des têtes : { $value } nats
score_text_loss = perte de phrases simples : { $value } par token
score_own_loss = perte de ses propres traductions : { $value } par token
score_given_loss = perte de votre traduction : { $value } par token
score_none = pas essayé
waits = Pas dessiné avant la réponse à sa question
because_head_rows = combien il explique moins bien les longueurs des lignes des projections, nats
because_ends_tried = début, fin { $answer } : { $ended } des traductions finissent, { $empty } sont vides
family_torch = un torch.nn.Transformer avec ses plongements et sa couche de sortie
family_gpt = un GPT entraîné de zéro par son auteur (nanoGPT, minGPT et leurs parents)
family_llama = un Llama aux noms de ses auteurs (llama2.c, Meta)
family_litgpt = un modèle de LitGPT
family_xtransformers_alone = un décodeur ou un encodeur de x-transformers
family_annotated_alone = l'encodeur seul de l'Annotated Transformer
family_strips = un torch.nn.Transformer qui lit les bandes d'une image
family_torch_alone = un torch.nn.TransformerEncoder avec ses plongements
first_causal = Le fichier ne dit pas si un token voit ceux qui le suivent. Un décodeur, entraîné à continuer des textes, les cache ; un encodeur, entraîné à retrouver des tokens cachés ou à classer, ne les cache pas.
ask_causal = Chaque token ne voit que ceux d'avant
because_causal_names = les noms dans le fichier le disent
because_causal_silent = aucun nom dans le fichier ne le dit
because_causal_mask = le fichier contient un triangle inférieur, { $name }, qui cache les tokens suivants
confirm = C'est juste : dessiner
ask_score_width = Les scores sont divisés par la racine carrée de
score_width_head = la largeur d'une tête, comme dans l'article
score_width_model = la largeur du modèle
score_width_none = 1 : ils ne sont pas divisés
ask_encoder_norm_kind = Sorte de normalisation dans l'encodeur
ask_decoder_norm_kind = Sorte de normalisation dans le décodeur
ask_one_hot = La première couche lit des tokens en vecteurs one-hot (et non des nombres)
ask_gate_last = Moitié activée de la première matrice feed-forward
gate_last_no = la première
gate_last_yes = la seconde (lucidrains)
ask_parallel = Attention et réseau feed-forward
parallel_no = l'un après l'autre
parallel_yes = côte à côte, sur les mêmes vecteurs (GPT-J)
because_one_norm = chaque couche a une seule normalisation
ask_cross_unused = L'attention croisée de ses couches ne sert jamais
because_final_norm = une normalisation suit la dernière couche, ce qui va le plus souvent avec des normalisations avant chaque sous-couche
because_no_final_norm = aucune normalisation ne suit la dernière couche
first_alibi = Le fichier ne contient pas de positions. Avec ALiBi, qui ne laisse rien dans un fichier, les scores baissent avec la distance entre tokens ; sans lui, le modèle ignore l'ordre.
ask_alibi = ALiBi
ask_output_scale = Logits multipliés par
cannot_ids_only = des mots au lieu de numéros, car aucun vocabulaire n'accompagne les poids. Ajoutez-le plus bas : meta.pkl de nanoGPT, tokenizer.json ou tokenizer.model d'autres modèles, ou une liste d'un token par ligne
family_joeynmt = un entraînement de JoeyNMT
family_huggingface = un modèle Hugging Face de type { $kind }
parameters = Paramètres
memory = Mémoire
megabytes = { $size } Mo
shape = Couches × têtes
shape_value = { $layers } × { $heads }
width = Largeur
vocabulary = Vocabulaire
tensors_all = Chaque tenseur sert
tensors_used = Chaque tenseur sert, hormis des tables qui se calculent : { $names }
tensors_of_heads = Chaque tenseur sert, hormis ce qui suit la dernière couche et dont l'attention n'a pas besoin : { $names }
tensors_unmapped = Pas utilisés, comme le dit la table des noms : { $names }
tensors_outside = Laissés de côté, car ils servent à l'entraînement et non au modèle : { $names }
tensors_filled =
    { $filled } { $filled ->
        [one] biais ou normalisation ne figure dans aucune couche : pris comme neutre
       *[other] biais ou normalisations ne figurent dans aucune couche : pris comme neutres
    }
comma = ,{ " " }
semicolon =  ;{ " " }
generation_chosen_here = generation_config.json règle aussi ceci, que ces pages vous laissent choisir ; regard.translate(…, generation="model") le suit :
generation_unfollowed = generation_config.json règle ceci, qui n'est pas suivi ici :
assumed = Le fichier ne peut pas le montrer, c'est donc supposé :
assumed_many = { $settings } réglages que le fichier ne peut pas montrer sont supposés désactivés
assumed_help = Changer ces réglages ne laisserait aucune trace dans le fichier. Si vous avez entraîné avec une autre valeur, l'attention affichée ici est fausse : apportez-la plutôt en fichier.
finite = Tous les poids sont des nombres
not_finite = Poids NaN ou infinis dans { $names }
rows = Première passe : { $rows } lignes d'attention de somme 1, la pire à { $error } près
rows_bad = Première passe : les lignes n'ont pas pour somme 1 (écart { $error })
trial = Une phrase d'essai, traduite avec la lecture actuelle
trial_ids = Un essai : les premiers tokens du vocabulaire, traduits avec la lecture actuelle
trial_probability = En moyenne, le modèle donne { $share } % à chacun de ses tokens.
trial_empty = La traduction est vide : le modèle est mal lu quelque part, le plus souvent au token de début ou de fin.
trial_cut = Elle est coupée ici : trop longue, ou répétée.
trial_answers = Si un modèle entraîné répond n'importe quoi ou répète un mot, une des réponses plus bas est fausse.
trial_table = Si un modèle entraîné répond n'importe quoi ou répète un mot, une réponse ou une ligne de la table est fausse.
trial_trained = Une réponse absurde ou un mot répété : le modèle est à peine entraîné, ou ce vocabulaire n'est pas le sien.
tokens_fit = Tokens { $side } : { $tokens }, autant que de plongements
tokens_fewer = Tokens { $side } : { $tokens } pour { $embeddings } plongements ; les autres sont montrés par leur numéro
tokens_more = Tokens { $side } : { $tokens } pour { $embeddings } plongements ; ceux qui dépassent sont lus comme inconnus, ou refusés s'il n'y a pas de token inconnu
tokens_disagree = Tokens { $side } ailleurs que les numéros utilisés : { $roles }
tokens_none = Pas de tokens { $side } : des numéros remplacent les mots
side_source = source
side_target = cible
configuration = Configuration
limits_of = Impossible avec ce modèle
cannot_no_own_format = l'enregistrer au format de Regard, car il tourne dans sa propre bibliothèque
cannot_no_position_edits = déplacer les positions et retirer le masque causal
cannot_no_patches = la « logit lens », l'intérieur d'une tête, l'attention pondérée par les valeurs et les patchs, car son propre code ne donne pas les étapes intermédiaires
cannot_no_fine_tuning = l'affiner ici
cannot_no_translation = traduire, car il n'a qu'un encodeur ou qu'un décodeur
cannot_no_windows = l'auto-attention de l'encodeur, car ses couches regardent dans des fenêtres d'une grille qui rétrécit : il n'existe pas de carte de tous les carreaux
guess = supposé
guessed = Supposé, à confirmer : { $names }
files = Fichiers
file_is_used = utilisé :{ " " }
file_is_ignored = ignoré :{ " " }
file_is_not_understood = pas compris :{ " " }
file_weights = les poids
file_settings = les réglages
file_tokens_source = tokens source
file_tokens_target = tokens cible
file_tokens_both = tokens source et cible
file_settings_unread = les réglages de ce genre de modèle se lisent dans les poids
file_length =
    { $entries } { $entries ->
        [one] entrée
       *[other] entrées
    }, alors que le vocabulaire en a { $sizes }
file_undecided = sa longueur convient, mais celle d'autres fichiers aussi, ou son nom désigne l'autre côté. Déposez-le sous « Ajouter des tokens » pour choisir.
file_spare = sa longueur convient, mais d'autres tokens servent déjà
file_empty = il est vide
file_data = des données ou d'autres poids ; un seul fichier de poids est lu
file_not_of_format = ce format ne le lit pas
file_unread = { $reason }
asked = Autres réglages que le fichier ne dit pas
asked_lead = Des valeurs probables sont remplies. Elles changent les tokens de début, de fin et de remplissage, et laissent telles quelles les cartes de tokens donnés.
answer = Lire ainsi
ask_weights = Quelle copie des poids
ask_n_heads = Têtes
ask_norm_first = Place de la normalisation
norm_first_yes = avant chaque sous-couche
norm_first_no = après chaque sous-couche
ask_activation = Activation
ask_embedding_scale = Plongements multipliés par
ask_source_pad_id = Numéro de remplissage source
ask_target_pad_id = Numéro de remplissage cible
ask_bos_id = Numéro de début de phrase
ask_eos_id = Numéro de fin de phrase
ask_original_positions = Positions comme le programme d'origine les lit
ask_source_has_bos = La source commence par le token de début
ask_source_has_eos = La source finit par le token de fin
ask_masks_hide = Les masques sont remplis de −1e20 (et non de 1e-20, qui ne cache rien)
ask_older_code = Entraîné avec une version plus ancienne de son code
because_same_names = avant { $change }, le code donnait les mêmes noms mais calculait autrement, ce qui n'est pas lu ici
ask_norm_adds_one = Normes : multiplier par 1 + la valeur enregistrée
because_norm_mean = les poids enregistrés des normalisations valent { $mean } en moyenne
because_head_width = une tête a d'habitude { $width } de large ici, et toutes ensemble { $all }
because_heads_divide = doit diviser { $width }
because_heads_usual = { $value } est l'usage ici
because_text_loss = perte par token de phrases simples
because_own_loss = perte par token, sa propre traduction de phrases simples
because_given_loss = perte par token, votre traduction
weigh = Éprouver les réponses
weigh_help = Donnez une phrase et sa traduction correcte. Chaque réponse est essayée, et sa perte s'affiche sous la question : la bonne a la plus petite. Sans tokens, donnez des numéros comme #5 #12.
weigh_source = Phrase
weigh_target = Sa traduction
weigh_do = Comparer les réponses
weigh_cannot = Cette paire ne peut pas être lue
yes = oui
no = non
because_head_entropy = entropie des têtes, en nats
because_norm_words = en { $norm }-norm, il écrit { $words } mots différents sur 8
because_embedding_spread = l'écart type des plongements est de { $std } ; { $usual } est l'usage quand on les multiplie
because_position_rows =
    la table des positions a { $rows } { $rows ->
        [one] ligne
       *[other] lignes
    }
add_tokens = Ajouter des tokens
add_tokens_help = Un modèle SentencePiece, un vocabulaire (un token par ligne, ou JSON), ou un tokenizer.json de Hugging Face.
tokens_source = Tokens source
tokens_target = Tokens cible
look = Voir son attention
look_guessed = Voir son attention avec ces suppositions
open_models = Ouverts dans cette session
used = { $used } Mo utilisés sur { $most }
let_go = Fermé pour libérer de la mémoire : { $names }. Déposez de nouveau les fichiers pour le retrouver.
rename = Nom
use = Utiliser
in_use = en cours
remove = Retirer
download = Télécharger à notre format
download_not = Les modèles de cette famille tournent dans leur propre bibliothèque et gardent son format de fichier.
ask_norm_kind = Sorte de normalisation
norm_kind_layer = LayerNorm
norm_kind_rms = RMSNorm
norm_kind_annotated = code maison : (x − moyenne) / (écart-type + ε)
norm_kind_population = code maison : (x − moyenne) / (écart-type + ε), écart-type sur n
ask_scale_emb_or_prj = Matrice partagée (scale_emb_or_prj)
scale_emb_or_prj_prj = logits divisés par √d
scale_emb_or_prj_emb = plongements multipliés par √d
scale_emb_or_prj_none = aucun des deux
because_marian_readings = Non : comme transformers et CTranslate2 convertissent un tel fichier (fréquences sur d/2, ε 1e-5). Oui : comme Marian calcule lui-même (d/2 − 1, 1e-6). À 512 de large, les deux sont proches.
ask_positions = Positions
positions_interleaved = sinus et cosinus en alternance
positions_halves = sinus, puis cosinus
positions_tensor2tensor = sinus, puis cosinus, comme fairseq et tensor2tensor
positions_doubled = en alternance, exposants doublés (code de tutoriels)
positions_rotary = rotatives : les deux moitiés d'une tête par paires
positions_rotary_pairs = rotatives : les nombres voisins par paires
positions_none = aucune
