"""What the days of the week are called, Monday first: whole names, then short ones.

A definition: recognisers, methods and checks mean the same days by it and find them by code of
their own.
"""

from __future__ import annotations

from collections.abc import Mapping

WEEKDAY_NAMES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    language: tuple(tuple(names.split()) for names in forms)
    for language, forms in {
        "en": (
            "monday tuesday wednesday thursday friday saturday sunday",
            "mon tue wed thu fri sat sun",
        ),
        "es": (
            "lunes martes miércoles jueves viernes sábado domingo",
            "lun mar mié jue vie sáb dom",
        ),
        "de": (
            "montag dienstag mittwoch donnerstag freitag samstag sonntag",
            "mo di mi do fr sa so",
        ),
        "fr": (
            "lundi mardi mercredi jeudi vendredi samedi dimanche",
            "lun mar mer jeu ven sam dim",
        ),
        "nl": (
            "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
            "ma di wo do vr za zo",
        ),
        "it": (
            "lunedì martedì mercoledì giovedì venerdì sabato domenica",
            "lun mar mer gio ven sab dom",
        ),
        "pt": (
            "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
            "segunda terça quarta quinta sexta sábado domingo",
            "seg ter qua qui sex sáb dom",
        ),
        "ja": ("月 火 水 木 金 土 日",),
    }.items()
}
# Other spellings: the language, the form that is written instead, the day.
OTHER_SPELLINGS: Mapping[str, tuple[str, int, int]] = {
    "tues": ("en", 1, 1),
    "weds": ("en", 1, 2),
    "thur": ("en", 1, 3),
    "thurs": ("en", 1, 3),
    "miercoles": ("es", 0, 2),
    "sabado": ("es", 0, 5),
    "sonnabend": ("de", 0, 5),
    "lunedi": ("it", 0, 0),
    "martedi": ("it", 0, 1),
    "mercoledi": ("it", 0, 2),
    "giovedi": ("it", 0, 3),
    "venerdi": ("it", 0, 4),
}
