"""What the names of columns tell: identifiers, things others know, things to keep secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

PERSON = (
    r"person(al)?[ _-]?(id|no|nr|number)?|patient([ _-]?(id|no|nr|number))?|subject[ _-]?(id)?|"
    r"pat(ient(en|in)?)?[ ._-]*(id|nr|no|nummer)\.?|(id|n[ou]m(ero|éro|mer)?)[ ._-]*pa[ctz]i.*|"
    r"paciente|paziente|utente|proband(en)?[ _-]?(id|nr|nummer)?",
    r"(user|member|customer|client|employee|student|respondent|participant|author)"
    r"[ _-]?(id|no|nr|number)?|(kunden|mitglieds|personal|matrikel)[ _-]?(id|nr|nummer)",
    r"pid|uid|id|nr|no|number|key|case[ _-]?(id)?|mrn|fall[ _-]?(id|nr|nummer)|aufnahme(nr|nummer)",
    r".*[ _-]id|id[ _-].*|.*(Id|ID)",
)
DIRECT = (
    r"(first|last|given|family|sur|full|middle|maiden|user|nick)[ _-]?name|name|names|surname",
    r"(vor|nach|zu|familien|geburts)name|nom|pr[eé]nom|nombres?|apellidos?|cognome|nome|(achter)?naam",
    r"e?[ _-]?mail([ _-]?(address|adresse))?|correo.*",
    r"(tele|mobile[ _-]?|cell[ _-]?|home[ _-]?)?phone([ _-]?(no|nr|number))?|mobile|fax|tel",
    r"(telefon|telefax|handy|mobil)(nr|nummer|e)?|t[eé]l[eé]ph?one|tel[eé]fono",
    r"ssn|social[ _-]?security.*|passport.*|licen[cs]e.*|iban|account.*|credit[ _-]?card.*",
    r"(home|street|postal|ip|mac)?[ _-]?address|street|ip|url|website|mrn|nhs.*|insurance.*",
    r"adresse|anschrift|stra(ß|ss)e.*|hausn.*|direcci[oó]n|domicilio|rue|indirizzo|endere[cç]o|adres",
    r"versicherten.*|versicherungs?(nr|nummer).*|kvnr|ausweis.*|konto.*|dni|nif|nir|bsn|cpf",
)
KNOWN = (
    r"age|alter|edad|[aâ]ge|et[aà]|idade|leeftijd|sex|gender|geschlecht|sexo?e?|sesso|geslacht",
    r"race|ethnic.*|nationalit.*|staatsang.*|nacionalidad|(native[ _-]?)?country|land|pa[iíy]se?s?",
    r"zip([ _-]?code)?|post(al)?[ _-]?code|plz|postleitzahl|code[ _-]?postal|c[oó]digo[ _-]?postal",
    r"cap|city|town|state|region|county|district|ort|wohnort|stadt|gemeinde|kreis|bundesland",
    r"ville|commune|ciudad|municipio|provincia|comune|citt[aà]|cidade|plaats|woonplaats|localidad",
    r"birth.*|.*birth(day|date)?|born|dob|date.*|.*date|.*[ _-]at|year|job|occupation|profession",
    r"geb(urt|\.|_|-|oren).*|datum.*|.*datum|jahr.*|beruf|familienstand|.*naissance.*|fecha.*",
    r".*nacimiento.*|.*nascita.*|data[ _-].*|geboorte.*",
    r"profesi[oó]n|professione|profiss[aã]o|beroep",
    r"(.*[ _-])?(age|sex|gender|nationality|country|city|town|region|zip|post[ _-]?code|birth)",
    r"lat(itude)?|lo?ng(itude)?|geo.*|coordinates?",
    r"education|marital.*|married|sign|zodiac|topic|work[ _-]?class|hours.*",
    r"(height|weight|gewicht|gr(ö|oe)(ß|ss)e|peso|poids|taille|altura|talla)([ _-].*)?",
)
SENSITIVE = (
    r"diagnos.*|disease.*|illness|condition|icd.*|hiv.*|blood.*|medication|drugs?|treatment",
    r"erkrankung.*|krankheit.*|medika(tion|ment).*|behandlung|hauptdiagnos.*|nebendiagnos.*",
    r"maladie.*|traitement|enfermedad.*|diagn[oó]stic.*|tratamiento|malattia|doen[cç]a|ziekte",
    r"salar(y|ies)([ _-]?class)?|income|wage.*|debt.*|religion|politic.*|party|orientation",
    r"gehalt|einkommen|konfession|salario|ingresos?|salaire|revenus?|stipendio",
    r"test[ _-]?result|result|outcome|score|conviction.*|crime.*",
)
TEXT = (
    r"(.*[ _-])?(text|notes?|comments?|messages?|msg|remarks?|body|descriptions?|quer(y|ies))",
    r"(.*[ _-])?(narrative|history|summary|report|reviews?|posts?|tweet|chat|feedback|answer)",
    r"(frei)?texte?|notiz(en)?|bemerkung(en)?|kommentare?|nachricht(en)?|befund(e|text)?|anamnese",
    r"epikrise|arztbrief|verlauf|beurteilung|commentaires?|remarques?|observations?|notas?|textos?",
    r"comentarios?|observaciones|mensajes?|mensagens?|messaggi(o)?|commenti|opmerking(en)?|bericht",
)
ENTITIES = {
    r"age|alter|edad|[aâ]ge|et[aà]|idade": ["AGE"],
    r"birth.*|.*birth(day|date)?|born|dob|date.*|.*date|geb(urt|\.|_|-|oren).*|.*datum": ["DATE"],
    r"city|town|region|county|district|state|ort|wohnort|stadt|gemeinde|kreis|bundesland|ville|"
    r"commune|ciudad|municipio|provincia|comune|citt[aà]|cidade|plaats": ["LOCATION", "GPE"],
    r"(native[ _-]?)?country|nationalit(y|ät|é)|land|pays|pa[ií]s": ["COUNTRY", "GPE", "NORP"],
    r"zip([ _-]?code)?|post(al)?[ _-]?code|plz|postleitzahl|code[ _-]?postal": ["POSTCODE"],
    r"job|occupation|profession|beruf|profesi[oó]n": ["OCCUPATION"],
    r"sex|gender|geschlecht|sexe|sexo|sesso": ["GENDER"],
    r"diagnos.*|disease.*|illness|condition": ["DIAGNOSIS"],
}
CODES = r"zip([ _-]?code)?|post(al)?[ _-]?code|plz|postleitzahl|code[ _-]?postal|icd.*|.*[ _-]?code"
SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "middle", "high"),
    ("low", "moderate", "high"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("none", "mild", "moderate", "severe"),
    ("small", "medium", "large"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("bad", "fair", "good", "very good", "excellent"),
    ("poor", "fair", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)


def matches(name: str, patterns: Sequence[str]) -> int | None:
    """The place of the first pattern that is the whole name, whatever its case.

    >>> matches("Patient_ID", PERSON), matches("note", PERSON)
    (0, None)
    """
    for place, pattern in enumerate(patterns):
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return place
    return None


def entities_of(name: str) -> list[str]:
    """The entity types under which texts are likely to repeat a column of this name.

    >>> entities_of("dob")
    ['DATE']
    """
    for pattern, types in ENTITIES.items():
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return types
    return []


def scale_of(values: Sequence[str]) -> list[str] | None:
    """The values in the order of a well-known scale they all belong to.

    >>> scale_of(["high", "Low"])
    ['Low', 'high']
    """
    folded = {value.strip().casefold(): value for value in values}
    for scale in SCALES:
        if len(folded) == len(values) >= 2 and set(folded) <= set(scale):
            return [folded[one] for one in scale if one in folded]
    return None
