### Words of what a comparison comes to.

log_prob = log p de sa traduction { $value }
moved_title = Têtes qui ont le plus changé
moved_help = La part du poids d'une tête passée à un autre token, en moyenne sur les lignes communes. Cliquez pour voir.
moved = { $head } : { $share } %
other_shape = Les deux modèles n'ont pas les mêmes couches ou têtes : on peut les montrer côte à côte, mais pas les soustraire.
