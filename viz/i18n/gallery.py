"""Words of the gallery of sentences, by phenomenon."""

STRINGS: dict[str, tuple[str, ...]] = {
    "gallery.word_order": ("Word order", "语序", "L'ordre des mots"),
    "gallery.word_order_why": (
        "The words change places. A cross-attention head that follows the translation therefore leaves the diagonal.",
        "词的位置变了。在交叉注意力里，跟随译文的头会离开对角线。",
        "Les mots changent de place. En attention croisée, une tête qui suit la traduction quitte la diagonale.",
    ),
    "gallery.verb_end": ("The verb at the end", "动词在句末", "Le verbe à la fin"),
    "gallery.verb_end_why": (
        "German puts a verb at the end of the clause. In cross-attention the cells of the verb and of the object lie "
        "off the diagonal.",
        "德语把动词放在分句末尾。在交叉注意力里，动词和宾语的格子偏离对角线。",
        "L'allemand met un verbe à la fin de la proposition. En attention croisée, les cases du verbe et de l'objet "
        "sortent de la diagonale.",
    ),
    "gallery.separable": ("Verbs in two parts", "可分动词", "Les verbes séparables"),
    "gallery.separable_why": (
        "One English verb becomes two German words that stand apart. Look at what the second word attends to.",
        "一个英语动词变成两个分开的德语词。看看第二个词看向哪里。",
        "Un verbe anglais devient deux mots allemands séparés. Voyez ce que regarde le second.",
    ),
    "gallery.verb_second": ("The verb in second place", "动词居第二位", "Le verbe en deuxième place"),
    "gallery.verb_second_why": (
        "When another part of the sentence comes first, the German subject follows the verb.",
        "如果句首是别的成分，德语的主语就放在动词之后。",
        "Quand autre chose commence la phrase, le sujet allemand suit le verbe.",
    ),
    "gallery.case": ("Case", "格", "Le cas"),
    "gallery.case_why": (
        "The German article shows who does what. Which words does the decoder look at while it writes it?",
        "德语的冠词标出谁对谁做什么。写冠词的时候，解码器看了哪些词？",
        "L'article allemand dit qui fait quoi. Quels mots le décodeur regarde-t-il en l'écrivant ?",
    ),
    "gallery.compound": ("Compounds", "复合词", "Les mots composés"),
    "gallery.compound_why": (
        "Two English words become one German word.",
        "两个英语词合成一个德语词。",
        "Deux mots anglais deviennent un seul mot allemand.",
    ),
    "gallery.measure_word": ("Measure words", "量词", "Les classificateurs"),
    "gallery.measure_word_why": (
        "Between a number and a noun Chinese has a word that English lacks. What does the decoder look at while it writes it?",
        "数词和名词之间，中文有英语没有的量词。写量词时，解码器看哪里？",
        "Entre un nombre et un nom, le chinois a un mot que l'anglais n'a pas. Que regarde le décodeur en l'écrivant ?",
    ),
    "gallery.no_article": ("No articles", "没有冠词", "Sans article"),
    "gallery.no_article_why": (
        "Chinese has no articles and no plural endings, so some English words have no counterpart.",
        "中文没有冠词，也没有复数词尾，所以有的英语词没有对应的词。",
        "Le chinois n'a ni article ni marque du pluriel : certains mots anglais n'ont pas de correspondant.",
    ),
    "gallery.time_place": ("Time and place first", "时间、地点在前", "Le temps et le lieu d'abord"),
    "gallery.time_place_why": (
        "Chinese says when and where before the verb, English after it.",
        "时间和地点，中文在动词前说，英语在动词后说。",
        "Le chinois dit quand et où avant le verbe, l'anglais après.",
    ),
    "gallery.particle": ("Particles", "语气词", "Les particules"),
    "gallery.particle_why": (
        "A word at the end makes a question or marks a change. English expresses this elsewhere in the sentence.",
        "句末的一个词表示疑问或变化。英语在句中别处表达。",
        "Un mot à la fin marque la question ou le changement. L'anglais l'exprime ailleurs dans la phrase.",
    ),
    "gallery.agreement": ("Agreement", "性数一致", "L'accord"),
    "gallery.agreement_why": (
        "French marks number and gender where English does not. Look for the word that the ending depends on.",
        "法语要标出数和性，英语不用。找一找词尾取决于哪个词。",
        "Le français marque le genre et le nombre là où l'anglais ne marque rien. Cherchez le mot dont dépend l'accord.",
    ),
    "gallery.negation": ("Negation", "否定", "La négation"),
    "gallery.negation_why": (
        "One word in English becomes two in French: ne … pas, ne … jamais, personne ne.",
        "英语的一个否定词在法语里变成两个：ne … pas、ne … jamais、personne ne。",
        "Un seul mot anglais devient deux mots français : ne … pas, ne … jamais, personne ne.",
    ),
    "gallery.idiom": ("Fixed expressions", "固定说法", "Les expressions"),
    "gallery.idiom_why": (
        "A word-for-word translation would be wrong or strange. See whether the model translates the whole "
        "expression or word for word.",
        "逐词翻译会出错，或显得奇怪。看看模型译的是整个说法，还是一个个词。",
        "Le mot à mot serait faux ou étrange. Voyez si le modèle traduit l'expression entière ou mot à mot.",
    ),
    "gallery.ambiguity": ("Words with two meanings", "一词多义", "Les mots à double sens"),
    "gallery.ambiguity_why": (
        "The context decides the meaning. Is it the right one here? Small models do not always use the context.",
        "词义由上下文决定。这里译对了吗？小模型并不总能用上上下文。",
        "Le contexte décide du sens. Est-ce le bon ici ? Les petits modèles n'en tiennent pas toujours compte.",
    ),
    "gallery.long_distance": ("Words far apart", "远距离关系", "Les mots éloignés"),
    "gallery.long_distance_why": (
        "A clause separates two words that belong together. Do they still agree? Small models make mistakes here.",
        "一个从句隔开了两个相关的词。它们还一致吗？小模型在这里容易出错。",
        "Une proposition sépare deux mots liés. S'accordent-ils encore ? Les petits modèles se trompent souvent ici.",
    ),
    "gallery.head_matters": ("A head that matters", "起作用的头", "Une tête qui compte"),
    "gallery.head_matters_why": (
        "Switching off a single cross-attention head changes the translation. Find it in the app, under Explore.",
        "关掉某一个交叉注意力头，译文就会变。在应用的“探索”页里找出它。",
        "Désactiver une seule tête d'attention croisée change la traduction. Trouvez-la dans l'application, page Explorer.",
    ),
    "gallery.beam_differs": (
        "Where beam search decides differently",
        "束搜索结果不同",
        "Quand le faisceau choisit autrement",
    ),
    "gallery.beam_differs_why": (
        "Greedy decoding and a beam of four give different translations. The page shows the greedy one.",
        "贪心解码和宽度为 4 的束搜索给出不同的译文。页面显示的是贪心解码的结果。",
        "Le décodage glouton et un faisceau de quatre donnent deux traductions. La page montre celle du glouton.",
    ),
}
