"""Words of the gallery of sentences, by phenomenon."""

STRINGS: dict[str, tuple[str, ...]] = {
    "gallery.word_order": ("Word order", "语序", "L'ordre des mots"),
    "gallery.word_order_why": (
        "The words change places. In cross-attention, a head that follows the translation leaves the diagonal.",
        "词的位置变了。在交叉注意力里，跟随译文的头会离开对角线。",
        "Les mots changent de place. En attention croisée, une tête qui suit la traduction quitte la diagonale.",
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
        "Word for word would be wrong, or strange. See whether the model translates the whole or the words.",
        "逐词翻译会出错，或显得奇怪。看看模型译的是整体还是单词。",
        "Le mot à mot serait faux, ou étrange. Voyez si le modèle traduit l'ensemble ou les mots.",
    ),
    "gallery.ambiguity": ("Words with two meanings", "一词多义", "Les mots à double sens"),
    "gallery.ambiguity_why": (
        "The context decides the meaning. This small model often takes the more frequent one.",
        "词义由上下文决定。这个小模型常常选更常见的那个意思。",
        "Le contexte décide du sens. Ce petit modèle prend souvent le plus fréquent.",
    ),
    "gallery.long_distance": ("Words far apart", "远距离关系", "Les mots éloignés"),
    "gallery.long_distance_why": (
        "A clause stands between a word and what belongs to it. Small models often make mistakes here.",
        "一个从句把相关的两个词隔开了。小模型在这里容易出错。",
        "Une proposition sépare un mot de ce qui s'y rapporte. Les petits modèles s'y trompent souvent.",
    ),
    "gallery.head_matters": ("A head that matters", "起作用的头", "Une tête qui compte"),
    "gallery.head_matters_why": (
        "Switching off a single cross-attention head changes the translation. Find it in the app, under Explore.",
        "关掉某一个交叉注意力头，译文就会变。在应用的“探索”页里找出它。",
        "Désactiver une seule tête d'attention croisée change la traduction. Trouvez-la dans l'application, page Explorer.",
    ),
    "gallery.beam_differs": ("Where a beam decides otherwise", "束搜索结果不同", "Quand le faisceau choisit autrement"),
    "gallery.beam_differs_why": (
        "Greedy decoding and a beam of four give different translations. The page shows the greedy one.",
        "贪心解码和宽度为 4 的束搜索给出不同的译文。页面显示的是贪心解码的结果。",
        "Le décodage glouton et un faisceau de quatre donnent deux traductions. La page montre celle du glouton.",
    ),
}
