"""Words of the film of training; ``{names}`` are filled in by the browser."""

STRINGS: dict[str, tuple[str, ...]] = {
    "film.slider": ("Step of the training", "训练步", "Étape de l'entraînement"),
    "film.step": ("step {step}", "第 {step} 步", "étape {step}"),
    "film.at_step": ("step {step}: {text}", "第 {step} 步：{text}", "étape {step} : {text}"),
    "film.play": ("Play", "播放", "Lire"),
    "film.pause": ("Pause", "暂停", "Pause"),
    "film.weights": ("Weights", "权重", "Poids"),
    "film.change": ("Change since the start", "相对起点的变化", "Écart depuis le début"),
    "film.grid": ("All heads, layers down", "全部注意力头，逐层向下", "Toutes les têtes, couches vers le bas"),
    "film.grid_label": (
        "All heads; chosen is layer {layer}, head {head}. Arrow keys move.",
        "全部注意力头；已选第 {layer} 层第 {head} 头。方向键移动。",
        "Toutes les têtes ; choisie : couche {layer}, tête {head}. Les flèches passent d'une tête à l'autre.",
    ),
    "film.map": ("Layer {layer} · Head {head}", "第 {layer} 层第 {head} 头", "Couche {layer} · Tête {head}"),
    "film.map_label": (
        "Attention of layer {layer}, head {head} at step {step}",
        "第 {step} 步时第 {layer} 层第 {head} 头的注意力",
        "Attention de la couche {layer}, tête {head} à l'étape {step}",
    ),
    "film.map_how": (
        "Each row: where the token on the left looks. The colour follows the square root of the weight.",
        "每一行：左侧词元看向哪里。颜色深浅按权重的平方根。",
        "Chaque ligne : où regarde le token de gauche. La couleur suit la racine carrée du poids.",
    ),
    "film.entropy": ("Entropy of this head", "这个头的熵", "Entropie de cette tête"),
    "film.entropy_label": (
        "Entropy {bits} bits at step {step}",
        "第 {step} 步的熵为 {bits} 比特",
        "Entropie de {bits} bits à l'étape {step}",
    ),
    "film.bits": ("{bits} bits", "{bits} 比特", "{bits} bits"),
    "film.nothing": ("(no output yet)", "（还没有输出）", "(pas encore de sortie)"),
}
