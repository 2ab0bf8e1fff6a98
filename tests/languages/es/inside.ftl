### Una cabeza por dentro.

said_without_scaling = Sin √d_k las puntuaciones son { NUMBER($factor, minimumFractionDigits: 1, maximumFractionDigits: 1) } veces mayores: el peso más grande de esta fila pasa de { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } a { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
