"""Words of the slider through a small model's training, on Explore."""

STRINGS: dict[str, tuple[str, ...]] = {
    "curve.show": ("How attention formed in training", "注意力是怎样形成的", "Comment l'attention s'est formée"),
    "curve.about": (
        "The same sentence in a small English–French model ({encoder}+{decoder} layers, {heads} heads), kept at {n} moments of its "
        "training of {steps} steps. Move the slider: at step 0 its weights are random.",
        "同一个句子在一个英法小模型（{encoder}+{decoder} 层，{heads} 个头）中的样子：模型共训练 {steps} 步，这里保存了其中 {n} 个时刻。"
        "拖动滑块查看；第 0 步时权重是随机的。",
        "La même phrase dans un petit modèle anglais-français ({encoder}+{decoder} couches, {heads} têtes), conservé à {n} moments de son "
        "entraînement de {steps} étapes. Déplacez le curseur : à l'étape 0, ses poids sont aléatoires.",
    ),
    "curve.long": (
        "This sentence is too long for the small model: choose one of at most {n} tokens.",
        "这个句子对小模型来说太长：请选一个不超过 {n} 个词元的句子。",
        "Cette phrase est trop longue pour le petit modèle : choisissez-en une de {n} tokens au plus.",
    ),
}
