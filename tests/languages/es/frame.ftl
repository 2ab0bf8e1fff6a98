### What surrounds every page.

tagline = Mira a qué presta atención un Transformer
page_explore = Explorar
page_decode = Decodificar
page_causal = Causas
page_inside = Dentro de una cabeza
page_positions = Posiciones
page_corpus = Corpus
page_laboratory = Laboratorio
page_lesson = Lección
page_room = Aula
model = Modelo
language = Idioma
menu_inside = Por dentro
menu_learn = Aprender
menu_research = Investigar
menu_models = Modelos
model_shape =
    { $encoder }+{ $decoder } capas × { $heads } { $heads ->
        [one] cabeza
       *[other] cabezas
    }
