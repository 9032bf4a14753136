"""Words that people's own values are judged by: definitions, which method and check share.

Everyday words say nothing where they stand in a text. Words that are names too tell a name only
with a capital. Months have the names that the recognisers' languages and their neighbours use.
"""

from __future__ import annotations

# Values that say nothing where they stand in a text: answers, degrees, gaps.
_EVERYDAY = (
    "yes no not none other others unknown missing true false null nan n/a any all both some never "
    "always often low medium middle high mild moderate severe small large good bad poor fair "
    "normal average new old the and for was are his her she him"
)
EVERYDAY = frozenset(_EVERYDAY.split())
# First and last names that are words of texts as well: without a capital they are no names.
_ALSO_WORDS = (
    "abbey amber angel april ash august autumn baker banks barber bell berry best bill bird bishop "
    "black bloom blue bond bowman boy brandy bright brook brooks brown buck burns bush butler "
    "carpenter carter case chance chase christian church city clay cliff close cole cook cooper "
    "cross crystal daisy dale dawn day dean dick duke earl early east faith farmer field fields "
    "finch fisher flint flower ford forest foster fox frank free french frost fuller gardener "
    "german gold grace grant gray green grey grove guy hall hand hardy hart hazel heath heather "
    "hill holly home hope house hunt hunter ice iris iron ivory ivy jack jade jewel joy june "
    "justice key king knight lake lamb lance land lane law lily lion little long love low lucky "
    "major man mark marks mason max may mercy merry miles mill miller moon more moss mountain "
    "noble north oak olive page park parks parson patience pearl penny pepper pope porter post "
    "potter power price prince queen quick rain ray red reed rich ridge ring river robin rock rod "
    "rose royal ruby rush sage sand sandy savage sea self sharp shepherd short silver singer "
    "skinner skip sky smart snow south sparks spring star steel stone storm street strong summer "
    "summers sun sunny swan swift temple tide tiger turner valentine van violet von wade walker "
    "wall ward waters way weaver weeks well wells west white wild will willow wills winter winters "
    "wise wolf wood woods worth wright young"
)
ALSO_WORDS = frozenset(_ALSO_WORDS.split())
_MONTHS = """
january jan enero ene januar janvier janv gennaio gen janeiro januari janner
february feb febrero februar fevrier fevr febbraio fevereiro fev februari
march mar marzo marz maerz mars marco maart mrt
april apr abril abr avril avr aprile
may mayo mai maggio mag maio mei
june jun junio juni juin giugno giu junho
july jul julio juli juillet juil luglio lug julho
august aug agosto ago aout augustus
september sep sept septiembre setiembre septembre settembre set setembro
october oct octubre oktober okt octobre ottobre ott outubro out
november nov noviembre novembre novembro
december dec diciembre dic dezember dez decembre dicembre dezembro
"""
MONTHS = {
    name: number
    for number, line in enumerate(_MONTHS.split("\n")[1:-1], 1)
    for name in line.split()
}
ORDINALS = frozenset(["st", "nd", "rd", "th", "er", "o", "a", "ter", "te"])
# What may stand between the parts of a date: 22nd of July, 22 de julio de 1972.
FILLERS = frozenset(["of", "the", "de", "del", "den", "der", "do", "le", "du", "di"]) | ORDINALS
LONGEST_GAP = 3  # symbols between the parts of a date, blanks aside
