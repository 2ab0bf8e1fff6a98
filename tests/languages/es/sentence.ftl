### La frase y su traducción.

translate = Traducir
box = Frase para traducir
source = Original
target = Traducción
text = Texto
language_en = Inglés
language_fr = Francés
