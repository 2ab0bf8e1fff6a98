"""The handwritings of the training set: fonts from Debian packages and Fontsource, and single-stroke letters.

No font is part of this project. Fontconfig finds installed fonts; ``missing_packages`` lists the others.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from model.errors import RegardError

FONTS: Mapping[str, tuple[str, ...]] = {
    "fonts-aoyagi-soseki": ("AoyagiSosekiFont2",),
    "fonts-averia-gwf": ("Averia GWF",), "fonts-averia-sans-gwf": ("Averia Sans GWF",), "fonts-breip": ("Breip",),
    "fonts-bwht": ("Because We Build", "Because We Connect", "Because We Create", "Because We Learn",
                   "Because We Mentor", "Because We Organize"),
    "fonts-cabinsketch": ("CabinSketch", "Cabin Sketch"), "fonts-comic-neue": ("Comic Neue",),
    "fonts-dancingscript": ("Dancing Script",), "fonts-dejavu-core": ("DejaVu Sans", "DejaVu Serif"),
    "fonts-dkg-handwriting": ("DkgHandwriting",),
    "fonts-dustin": ("Domestic Manners", "Dustismo", "Dustismo Roman", "It wasn't me", "Penguin Attack", "Wargames"),
    "fonts-ebgaramond": ("EB Garamond",), "fonts-ecolier-court": ("Ecolier_court",),
    "fonts-essays1743": ("Essays1743",), "fonts-femkeklaver": ("femkeklaver",), "fonts-havana": ("Havana",),
    "fonts-humor-sans": ("Humor Sans",), "fonts-isabella": ("Isabella",), "fonts-jura": ("Jura",),
    "fonts-kaushanscript": ("Kaushan Script",),
    "fonts-kiloji": ("kiloji", "kiloji - B", "kiloji - D", "kiloji - P"), "fonts-klee": ("Klee One",),
    "fonts-kristi": ("Kristi",), "fonts-lato": ("Lato",), "fonts-leckerli-one": ("Leckerli One",),
    "fonts-levien-typoscript": ("TypoScript",),
    "fonts-liberation": ("Liberation Sans",), "fonts-lobstertwo": ("Lobster Two",),
    "fonts-opendyslexic": ("OpenDyslexic", "OpenDyslexicAlta"), "fonts-rufscript": ("Rufscript",),
    "fonts-seto": ("SetoFont",), "fonts-sjfonts": ("Delphine", "Steve"), "fonts-summersby": ("Summersby",),
    "fonts-tlwg-purisa-ttf": ("Purisa",), "fonts-tomsontalks": ("Tomson Talks",),
    "fonts-yozvox-yozfont-cute": ("YOzC", "YOzCi", "YOzCF", "YOzCFi"), "fonts-yusei-magic": ("Yusei Magic",),
}  # fmt: skip
"""Debian packages, with the families of each that look handwritten or are plain."""
FONTSOURCE = (
    "aguafina-script", "alex-brush", "allison", "allura", "amita", "annie-use-your-telescope", "architects-daughter",
    "arizonia", "bad-script", "balsamiq-sans", "beth-ellen", "bilbo", "bilbo-swash-caps", "birthstone",
    "birthstone-bounce", "bubbler-one", "butterfly-kids", "calligraffitti", "caramel", "carattere", "caveat",
    "caveat-brush", "cedarville-cursive", "charm", "charmonman", "chewy", "chilanka", "clicker-script", "combo",
    "comforter", "comforter-brush", "comic-relief", "coming-soon", "condiment", "cookie", "corinthia", "courgette",
    "covered-by-your-grace", "crafty-girls", "cute-font", "damion", "darumadrop-one", "dawning-of-a-new-day", "dekko",
    "delicious-handrawn", "delius", "delius-swash-caps", "dr-sugiyama", "dynalight", "east-sea-dokdo",
    "edu-au-vic-wa-nt-hand", "edu-au-vic-wa-nt-pre", "edu-nsw-act-cursive", "edu-nsw-act-foundation",
    "edu-nsw-act-hand-pre", "edu-qld-beginner", "edu-qld-hand", "edu-sa-beginner", "edu-sa-hand", "edu-tas-beginner",
    "edu-vic-wa-nt-beginner", "edu-vic-wa-nt-hand", "engagement", "englebert", "ephesis", "estonia", "euphoria-script",
    "fasthand", "felipa", "finger-paint", "fondamento", "freehand", "fuzzy-bubbles", "gaegu", "gamja-flower",
    "give-you-glory", "gloria-hallelujah", "gochi-hand", "grand-hotel", "grandstander", "grape-nuts", "great-vibes",
    "grechen-fuemen", "hachi-maru-pop", "handlee", "happy-monkey", "herr-von-muellerhoff", "hi-melody",
    "homemade-apple", "hubballi", "hurricane", "indie-flower", "italianno", "itim", "jim-nightshade", "julee",
    "just-another-hand", "just-me-again-down-here", "kalam", "kapakana", "kavivanar", "kings", "kirang-haerang",
    "kite-one", "kolker-brush", "la-belle-aurore", "league-script", "licorice", "liu-jian-mao-cao", "long-cang",
    "love-ya-like-a-sister", "loved-by-the-king", "ma-shan-zheng", "macondo", "mali", "mansalva", "marck-script",
    "mclaren", "meddon", "meie-script", "merienda", "montecarlo", "montez", "moon-dance", "mr-bedfort", "mr-dafoe",
    "mr-de-haviland", "ms-madi", "my-soul", "mynerve", "nanum-brush-script", "nanum-pen-script", "nerko-one", "neucha",
    "norican", "nothing-you-could-do", "oooh-baby", "oregano", "over-the-rainbow", "pacifico", "pangolin", "paprika",
    "parisienne", "patrick-hand", "permanent-marker", "pinyon-script", "playball", "playpen-sans", "playwrite-au-qld",
    "playwrite-be-wal", "playwrite-de-grund", "playwrite-de-sas", "playwrite-dk-loopet", "playwrite-es",
    "playwrite-fr-trad", "playwrite-hr", "playwrite-it-trad", "playwrite-nl", "playwrite-no", "playwrite-us-trad",
    "pompiere", "poor-story", "qwigley", "qwitcher-grypen", "rancho", "redressed", "reenie-beanie", "rochester",
    "rock-salt", "romanesco", "rouge-script", "ruthie", "sacramento", "satisfy", "schoolbell", "seaweed-script",
    "sedgwick-ave", "sedgwick-ave-display", "send-flowers", "shadows-into-light", "shadows-into-light-two",
    "shantell-sans", "short-stack", "single-day", "smooch", "sofadi-one", "sofia", "solitreo", "splash", "square-peg",
    "sriracha", "style-script", "stylish", "sue-ellen-francisco", "sunshiney", "swanky-and-moo-moo", "tangerine",
    "the-girl-next-door", "the-nautigal", "tillana", "twinkle-star", "unkempt", "vibur", "vujahday-script",
    "waiting-for-the-sunrise", "walter-turncoat", "water-brush", "whisper", "winky-rough", "yellowtail", "yeon-sung",
    "yesteryear", "yomogi", "yuji-boku", "zen-kurenaido", "zeyada", "zhi-mang-xing",
)  # fmt: skip
"""npm packages under @fontsource, each with one family that looks handwritten. Fontconfig finds their files if they
were installed with ``npm install --prefix ~/.local/share/fonts @fontsource/caveat …``."""
PRINTED = frozenset({"Averia GWF", "Averia Sans GWF", "DejaVu Sans", "DejaVu Serif", "Dustismo", "Dustismo Roman",
                     "EB Garamond", "Essays1743", "Jura", "Lato", "Liberation Sans", "OpenDyslexic",
                     "OpenDyslexicAlta"})  # fmt: skip
"""Families that do not look handwritten; fewer pictures use them."""
HELD_OUT = frozenset({"Rufscript", "Steve", "Delphine", "DkgHandwriting"})
"""Held-out families, for the hardest test."""
EVERYDAY = frozenset({"cedarville-cursive", "gochi-hand", "indie-flower", "patrick-hand", "reenie-beanie",
                      "schoolbell"})  # fmt: skip
"""Held-out packages of Fontsource: handwriting as in letters and on blackboards."""
STROKE_FONTS = {"futural": 0.25, "rowmans": 0.25, "cursive": 0.25, "scriptc": 0.1, "futuram": 0.075, "timesr": 0.075}
"""Single-stroke fonts of Hershey (1967) in the package Hershey-Fonts, each with its share of the simulated fingers.
Some lines of the last two are double.
"""


class HandsError(RegardError, ValueError):
    """Fonts or letters are not installed; the message says how to install them."""


@dataclass(frozen=True, slots=True)
class Font:
    """One font file."""

    family: str
    """Font family, or Fontsource package."""
    path: str


@lru_cache(maxsize=1)
def installed_fonts() -> tuple[Font, ...]:
    """The fonts of ``FONTS`` and ``FONTSOURCE`` that fontconfig finds, without duplicate files.

    Raises:
        HandsError: without fontconfig, or if none of the fonts is installed.
    """
    program = shutil.which("fc-list")
    if program is None:
        raise HandsError("fc-list is not installed: install fontconfig, and " + " ".join(FONTS))
    listed = subprocess.run(
        [program, "--format", "%{family[0]}\t%{file}\t%{variable}\n"], capture_output=True, text=True, check=True
    ).stdout
    families = {family for names in FONTS.values() for family in names}
    fonts = {}
    for line in listed.splitlines():
        family, path, _ = line.split("\t")
        web = _WEB_FILE.search(path)
        if web and web["package"] in FONTSOURCE:
            fonts[path] = Font(web["package"], path)
        elif family in families and path.endswith((".ttf", ".otf")) and "Mono" not in path:
            fonts[path] = Font(family, path)
    if not fonts:
        raise HandsError("no font is installed in which words can be written: apt-get install " + " ".join(FONTS))
    return tuple(fonts[path] for path in sorted(fonts))


_WEB_FILE = re.compile(r"@fontsource/(?P<package>[a-z-]+)/files/(?P=package)-latin-400-normal\.woff2$")


def missing_packages() -> tuple[list[str], list[str]]:
    """The packages without any installed font: Debian's, and npm's with their scope."""
    families = {font.family for font in installed_fonts()}
    debian = [package for package, looks in FONTS.items() if not families & set(looks)]
    return debian, [f"@fontsource/{package}" for package in FONTSOURCE if package not in families]


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter as strokes; y points down, and 9 is the baseline."""

    strokes: tuple[tuple[tuple[float, float], ...], ...]
    left: float
    width: float


@lru_cache(maxsize=1)
def stroke_letters() -> Mapping[str, Mapping[str, Letter]]:
    """The letters of each font of ``STROKE_FONTS``, by character; empty without the package Hershey-Fonts."""
    try:
        from HersheyFonts import HersheyFonts  # type: ignore[import-not-found]
    except ImportError:
        return {}
    fonts, letters = HersheyFonts(), {}
    for name in STROKE_FONTS:
        fonts.load_default_font(name)
        letters[name] = {chr(code): _letter(fonts, chr(code)) for code in range(33, 127)}
    return letters


def _letter(fonts: Any, character: str) -> Letter:
    strokes = tuple(
        tuple((float(x), float(y)) for x, y in stroke) for stroke in fonts.strokes_for_text(character) if len(stroke)
    )
    xs = [x for stroke in strokes for x, _ in stroke] or [0.0]
    return Letter(strokes, min(xs), max(xs) - min(xs))


_ACUTE, _GRAVE = ((-2.0, 2.0), (2.0, -2.0)), ((-2.0, -2.0), (2.0, 2.0))
_HAT = ((-3.0, 2.0), (0.0, -2.0), (3.0, 2.0))
_DOTS = (((-3.0, 0.0), (-2.5, 0.5)), ((2.5, 0.0), (3.0, 0.5)))
_TILDE = ((-3.0, 1.0), (-1.5, -0.5), (1.5, 1.0), (3.0, -0.5))
_HOOK = ((0.0, 0.0), (1.0, 2.0), (0.0, 4.0), (-2.0, 4.0))
_MARKS = {"\u0301": (_ACUTE,), "\u0300": (_GRAVE,), "\u0302": (_HAT,), "\u0308": _DOTS, "\u0303": (_TILDE,),
          "\u0327": (_HOOK,)}  # fmt: skip
"""Strokes of the combining accents, relative to the middle of their letter."""


def accented_letter(letters: Mapping[str, Letter], character: str) -> Letter | None:
    """The letter for a character from a font of unaccented letters, with its accent; None if the font lacks it."""
    if character in letters:
        return letters[character]
    base, mark = (*unicodedata.normalize("NFD", character), "")[:2]
    letter, shape = letters.get(base), _MARKS.get(mark)
    if letter is None or shape is None or not letter.strokes:
        return None
    strokes = tuple(
        stroke for stroke in letter.strokes if base != "i" or max(y for _, y in stroke) > 0
    )  # drop the dot of the i
    ys = [y for stroke in strokes for _, y in stroke]
    x, y = letter.left + letter.width / 2, max(ys) if mark == "\u0327" else min(ys) - 4
    added = tuple(tuple((x + dx, y + dy) for dx, dy in stroke) for stroke in shape)
    return Letter((*strokes, *added), letter.left, letter.width)
