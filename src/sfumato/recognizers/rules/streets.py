"""Street addresses as they are written in many countries, in one line or several."""

from __future__ import annotations

from ..scan import Rule
from .everywhere import LOWER, UPPER

WORD = rf"[{UPPER}][{LOWER}{UPPER}'’]{{0,20}}\.?"
JOIN = (
    r"(?:de la|de las|de los|de los|de l'|de|del|della|delle|dello|dei|di|da|do|dos|das|du|des"
    r"|van de"
    r"|van der|van den|van|den|der|ter|ten|zu|zum|zur|am|im|an der|la|le|les|el|los|las|al|y|e"
    r"|et|of|the)"
)
NAMED = rf"(?:{JOIN} ?)?(?:{WORD}|[0-9]{{1,3}})(?:[ -](?:{JOIN} )?{WORD}){{0,4}}"
NUMBER = (
    r"(?:[Nn][°ºro]{0,2}\.?:? ?|[Nn]um\. ?|# ?)?[0-9]{1,5}(?: ?[-/] ?[0-9]{1,4})?(?: ?[A-Za-z]\b)?"
)

# What streets end with in one word, or as a word of its own behind the name.
ENDS = (
    r"(?:straße|strasse|str\.|weg|gasse|platz|allee|damm|ufer|straat|laan|plein|gracht|kade"
    r"|dreef|steeg|singel|gatan|vägen|stigen|gränd|vej|gade|allé|stræde|veien|vegen|gata|gaten|katu|kuja"
    r"|polku|puistotie|utca|körút)"
)
ENDS_APART = (
    r"(?:Straße|Strasse|Str\.|Weg|Gasse|Platz|Allee|Ring|Damm|Ufer|Straat|Laan|Plein|Gracht|gate|gata|gatan"
    r"|väg|vej|allé|katu|tie|kuja|utca|út|útja|tér|körút|Caddesi|Cad\.|Sokak|Sokağı|Sk\.|Bulvarı|Prospekt"
    r"|ulica|cesta|trg|ulice|náměstí)"
)
# What streets begin with, from French to Indonesian.
BEGINS = (
    r"(?:[Rr]ue|[Aa]v(?:enue|\.)|[Bb]oulevard|Bd\.?|Blvd\.?|Place|[Cc]hemin|[Aa]llées?|[Ii]mpasse|[Qq]uai|Route|Faubourg|Via|[Vv]iale"
    r"|[Vv]icolo|[Pp]iazzale|[Pp]iazza|[Cc]orso|Largo|Borgo|Contrada|Strada|Rotonda|Stretto|Incrocio|Canale|[Cc]alle|C/|[Cc]arrer|[Aa]venida|Avda\."
    r"|[Pp]laza|Pza\.|[Pp]aseo|Camino|Carretera|Ronda|Travesía|Glorieta|Cuesta|Cañada|Callejón|Pasaje|Pasadizo|Prolongación|Carrera|Diagonal"
    r"|Transversal|Peatonal|Viaducto|Rúa|[Rr]ua|[Tt]ravessa|Ladeira|Rodovia|[Pp]raça|Praceta|Loteamento|Alameda|Estrada|Fazenda|Vila|Morro|Trevo"
    r"|Parque|[Uu]l\.|[Uu]lica|[Uu]litsa|Al\.|[Aa]leja|Os\.|Str\.|Soseaua|[Șș]oseaua|Bulevardul|Aleea|Splaiul|Intrarea|Jl\.|[Jj]alan|Gg\."
    r"|Am|An der|Im|Auf der|Zum|Zur|Unter den)"
)
# A town with its postcode before or behind it.
POSTCODE = (
    r"(?:[A-Z]{1,2}-)?(?:[0-9]{4,6}(?:-[0-9]{3,4})?|[0-9]{3} [0-9]{2}|[0-9]{2}-[0-9]{3}"
    r"|[0-9]{4} ?[A-Z]{2}"
    r"|[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9])\b"
)
TOWN_WORD = rf"(?:St\. )?[{UPPER}][{LOWER}{UPPER}'’]{{1,20}}"
TOWN = rf"{TOWN_WORD}(?:[ /-](?:{JOIN} )?{TOWN_WORD}){{0,3}}"
GAP = r"(?: ?,? ?\r?\n ?|, ?| - | )"
UNIT = (
    r"(?:(?i:apt|apartment|appartamento|apto|suite|ste|unit|flat|floor|fl|room|rm|piso|planta|puerta|piano"
    r"|interno|interior|bloco|bloque|lote|andar|edificio|esc|etage|bus|bl|sc|ap|et|sala|kat|daire|top|stiege"
    r"|hus|lgh)\b\.?:? ?[0-9A-Za-z-]{1,6}[º°ª]?|#[0-9A-Z-]{1,6}|[0-9]{1,3} ?[º°ª][A-Za-z]?\b)"
)
UNITS = rf"(?:{GAP}{UNIT}){{0,4}}"
IN_TOWN = (
    rf"(?:{GAP}(?:{POSTCODE},? {TOWN}|{TOWN},? {POSTCODE})(?: \([A-Z]{{2}}\)| / [A-Z]{{2}}"
    rf"|-[A-Z]{{2}}\b)?"
    rf"|{GAP}{TOWN}{GAP}{POSTCODE}(?: {TOWN})?(?: \([A-Z]{{2}}\)| / [A-Z]{{2}})?)?"
)


def _street(text: str) -> bool:
    """Whether a word with the end of a street is none of the English ones that have it."""
    first = text.split(None, 1)[0].lower()
    return not first.endswith(("brigade", "renegade", "blockade", "norweg"))


RULES = (
    Rule(
        "ADDRESS",
        rf"\b(?:[{UPPER}][{LOWER}]{{1,20}}[ -]){{0,3}}[{UPPER}][{LOWER}{UPPER}-]{{1,20}}{ENDS}"
        rf" {NUMBER}{UNITS}{IN_TOWN}",
        _street,
        0.85,
        "street and number",
    ),
    Rule(
        "ADDRESS",
        rf"\b(?:{WORD}[ -]){{1,3}}{ENDS_APART} {NUMBER}{UNITS}{IN_TOWN}",
        None,
        0.8,
        "street and number",
    ),
    Rule(
        "ADDRESS",
        rf"\b[0-9]{{1,4}}(?: ?(?:bis|ter|[A-Za-z]))?,? {BEGINS} {NAMED}{UNITS}{IN_TOWN}",
        None,
        0.85,
        "number and street",
        opening=r"\b[0-9]{1,4}(?: ?(?:bis|ter|[A-Za-z]))?,? " + BEGINS + " ",
    ),
    Rule(
        "ADDRESS",
        rf"\b{BEGINS} {NAMED},? (?:[Ll]otto )?{NUMBER}{UNITS}{IN_TOWN}",
        None,
        0.8,
        "street and number",
        opening=rf"\b{BEGINS} ",
    ),
)
