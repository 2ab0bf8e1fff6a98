### La página Decodificar.

mode = Cómo decodificar
mode_greedy = Voraz
step_of = Paso { $step } de { $count }
