"""Rules for Spanish: the fields of reports, DNI and NIE, addresses, dates, ages."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from .everywhere import ISO_DATE, LOWER, UPPER

NAME = rf"[{UPPER}](?:[{LOWER}]{{1,20}}|[{UPPER}]{{2,20}})(?:-[{UPPER}][{LOWER}]{{1,20}})?"
JOIN = r"(?:de la|de las|de los|del|de|la|y|i)"
NAMES = rf"(?:[{UPPER}]\. ?){{0,2}}{NAME}(?: {{1,2}}(?:[{UPPER}]\.|(?:{JOIN} )?{NAME})){{0,4}}"
TITLE = r"(?:Dr|Dra|Drs|Dres|D|Dª|Dña|Don|Doña|Sr|Sra|Srta|Prof|Profª|Lic)"
MONTH = (
    r"(?i:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre"
    r"|diciembre)"
)
YEAR = r"(?:1[89]|20)[0-9]{2}"
NUMBER_WORD = (
    r"(?i:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince"
    r"|dieciséis|diecisiete|dieciocho|diecinueve|veinte|treinta|cuarenta|cincuenta|sesenta|setenta"
    r"|ochenta|noventa)"
)
SPAN = r"(?i:años?|meses|mes|semanas?|días?)"
STREET = (
    r"(?:Calle|C/|C\.|c/|Cl\.|Avenida|Avda?\.?|Av\.|Plaza|Pza\.?|Pl\.|Paseo|Pº|P\.º|Camino|Cno\.|Carretera"
    r"|Ctra\.?|Ronda|Rda\.|Vial"
    r"|Circunvalación|Circuito|Corredor|Viaducto|Prolongación|Privada|Callejón|Carrera|Diagonal|Transversal"
    r"|Eje vial"
    r"|Boulevard|Bulevar|Blvd\.|Cañada|Acceso|Alameda|Vereda|Pasaje|Cuesta|Rambla|Calzada|Periférico|Andador|Cerrada|Continuación|Peatonal"
    r"|Retorno|Travesía|Urbanización|Urb\.|Rúa|Passeig|Carrer|Glorieta"
    r"|Gran Vía|Vía)"
)
WORD = rf"(?:[{UPPER}][{LOWER}{UPPER}]{{0,20}}\.?|{JOIN}|[0-9]{{1,2}})"
HEALTH = (
    r"(?:Hospital|Clínica|Clinica|Centro de Salud|Centro de Atención Primaria|Policlínica|Sanatorio"
    r"|Complejo Hospitalario|Complexo Hospitalario|Consorcio Hospitalario|Fundación|Instituto"
    r"|Universidad|Universitat|Facultad)"
)
COLON = r"[ \t]?[:.]{0,2}[ \t]{0,3}"
TOWN = rf"[{UPPER}][{LOWER}]{{1,20}}(?:[ -](?:{JOIN} )?[{UPPER}][{LOWER}]{{1,20}}){{0,3}}"
COUNTRY = (
    r"(?:España|Francia|Portugal|Italia|Alemania|Reino Unido|Marruecos|Ecuador|Colombia|Perú"
    r"|Bolivia|Argentina|Chile|México|Venezuela|Cuba|Brasil|Uruguay|Paraguay|Rumanía|Bulgaria|Ucrania"
    r"|Rusia|China|Pakistán|India|Senegal|Nigeria|Guinea Ecuatorial|República Dominicana"
    r"|Estados Unidos|Honduras|Nicaragua|Guatemala|El Salvador|Panamá|Costa Rica|Argelia|Polonia"
    r"|Bélgica|Holanda|Suiza|Suecia|Noruega|Dinamarca|Finlandia|Irlanda|Grecia|Japón|Filipinas)"
)

NATIONALITY = (
    r"(?:[Ee]spañol(?:a|es|as)?|[Ff]rances(?:a|es|as)?|[Ff]rancés|[Pp]ortugues(?:a|es|as)?|[Pp]ortugués|[Ii]talian[oa]s?"
    r"|[Aa]lem(?:án|ana|anes|anas)|[Bb]ritánic[oa]s?|[Ii]ngles(?:a|es|as)?|[Ii]nglés|[Mm]arroquí(?:es)?|[Ee]cuatorian[oa]s?"
    r"|[Cc]olombian[oa]s?|[Pp]eruan[oa]s?|[Bb]olivian[oa]s?|[Aa]rgentin[oa]s?|[Cc]hilen[oa]s?|[Mm]exican[oa]s?|[Vv]enezolan[oa]s?"
    r"|[Cc]uban[oa]s?|[Dd]ominican[oa]s?|[Bb]rasileñ[oa]s?|[Uu]ruguay[oa]s?|[Pp]araguay[oa]s?|[Hh]ondureñ[oa]s?|[Rr]uman[oa]s?"
    r"|[Bb]úlgar[oa]s?|[Uu]cranian[oa]s?|[Rr]us[oa]s?|[Cc]hin[oa]s?|[Pp]aquistaní(?:es)?|[Ss]enegales(?:a|es|as)?|[Ss]enegalés"
    r"|[Nn]igerian[oa]s?|[Ff]ilipin[oa]s?|[Ee]stadounidenses?)"
)
KIN = (
    r"(?:[Hh]ij[oa]|[Ee]spos[oa]|[Mm]arido|[Mm]ujer|[Mm]adre|[Pp]adre|[Hh]erman[oa]|[Vv]ecin[oa]|[Cc]uidador[a]?|[Aa]buel[oa]|[Tt]í[oa]"
    r"|[Ss]obrin[oa]|[Nn]iet[oa]|[Pp]areja|[Aa]mig[oa])"
)
TAIL = r"(?:[ ,;:)\r\n]|\.(?:[ \r\n]|$)|$)"

NO_NAMES = frozenset(
    (
        "varón",
        "mujer",
        "hombre",
        "niño",
        "niña",
        "paciente",
        "lactante",
        "se",
        "el",
        "la",
        "en",
        "no",
    )
)


def _named(text: str) -> bool:
    """Whether a field begins with a name: reports begin cases with the patient's sex."""
    return text.partition(" ")[0].lower() not in NO_NAMES


# What documents are full of is tried first.
FREQUENT = (
    ISO_DATE,
    Rule("DATE", r"\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b", checks.numeric_date, 0.9),
    Rule("DATE", r"\b[0-9]{1,2}-[0-9]{1,2}-[0-9]{2,4}\b", checks.numeric_date, 0.9),
    Rule(
        "PERSON",
        rf"\b(?i:nombre y apellidos|nombre|apellidos|médico|medico|remitido por"
        rf"|responsable clínico|paciente|autora?|enfermer[oa]|firmado|doctora?){COLON}:[ \t]{{0,3}}"
        rf"(?:{TITLE}\.? )?({NAMES})",
        _named,
        0.9,
        "name in a field",
    ),
    Rule("PERSON", rf"\b{TITLE}\.? ({NAMES})", None, 0.85, "name after a title"),
)

RULES = (
    Rule(
        "ADDRESS",
        r"\b(?:(?:Av\.|Avenida) )?(?:[Cc]alle|Cl\.?|CL|[Cc]arrera"
        r"|Cra\.?|Cr\.?|Kr\.?|Ak\.?|Ac\.?|Dg\.?|Tv\.?|Tr\.?|Diagonal|Transversal) "
        r"[0-9]{1,3}ª? ?[A-Z]{0,2}(?: (?:Sur|Norte|Bis|Este))? # ?"
        r"[0-9]{1,3} ?[A-Z]?-[0-9]{1,3}(?: (?:Sur|Este))?\b",
        None,
        0.95,
        "address with a crossing",
    ),
    Rule(
        "ADDRESS",
        rf"\b(?i:domicilio|dirección|direccion){COLON}([{UPPER}0-9][^\r\n]{{3,80}}?)"
        r"\.?[ \t]{0,3}\r?\n",
        None,
        0.9,
        "address in a field",
    ),
    Rule(
        "ADDRESS",
        rf"\b{STREET} ?{WORD}(?:[ -]{WORD}){{0,6}},? ?(?:(?i:nº|núm\.?|s/n) ?)?[0-9]{{0,4}}"
        rf"(?:[ ,-]{{1,2}}[0-9]{{1,3}} ?[º°ª]?(?: ?[A-Z])?\b)?",
        None,
        0.8,
    ),
    Rule("DATE", r"\b[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}\b", checks.numeric_date, 0.7),
    Rule("DATE", rf"\b[0-3]?[0-9](?: de)? {MONTH}(?: (?:de |del )?(?:año )?{YEAR})?\b", None, 0.9),
    Rule("DATE", rf"\b{MONTH}(?:[ ,-]{{1,2}}(?:de |del )?(?:año )?|/){YEAR}\b", None, 0.9),
    Rule(
        "DATE",
        rf"\b[0-3]?[0-9][-/](?:{MONTH}|(?i:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic))"
        rf"[-/](?:{YEAR}|[0-9]{{2}})\b",
        None,
        0.9,
    ),
    Rule(
        "DATE",
        rf"\b(?:{MONTH}|(?i:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic))[-/][0-9]{{2}}\b",
        None,
        0.7,
    ),
    Rule("DATE", rf"\b(?i:en|desde|año|hasta|del|de) ({YEAR}){TAIL}", None, 0.6, "year"),
    Rule("DATE", rf"\b(?:0?[1-9]|1[0-2])[/-]{YEAR}\b", None, 0.7, "month and year"),
    Rule(
        "NATIONAL_ID",
        r"\b[XYZxyz0-9][ .-]?[0-9]{7}[ .-]?[A-Za-z]\b",
        checks.dni,
        1.0,
        "DNI or NIE with a right letter",
    ),
    Rule("NATIONAL_ID", r"\b[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}[ .-]?[A-Za-z]\b", checks.dni, 1.0),
    Rule(
        "INSURANCE",
        rf"\b(?:NASS|NSS|(?i:seguridad social|aseguramiento)){COLON}"
        r"([0-9][0-9 /-]{3,18}[0-9])\b",
        None,
        0.95,
    ),
    Rule("INSURANCE", r"\b[0-9]{2}[ /-][0-9]{8}[ /-][0-9]{2}\b", None, 0.9),
    Rule(
        "LICENSE",
        r"\b(?:N[º°o]\.? ?Col|NºCol|(?i:colegiad[oa]|n[º°]? colegiado))"
        rf"(?:\.|:)?{COLON}([0-9][0-9 -]{{2,13}}[0-9])\b",
        None,
        0.95,
    ),
    Rule("LICENSE", r"\b[0-9]{2} [0-9]{2} [0-9]{5}\b", None, 0.8),
    Rule(
        "MRN",
        rf"\b(?:NHC|(?i:historia clínica|nº historia|n[º°] de historia|número de historia|nh)"
        rf"|CIPA?){COLON}([A-Za-z]{{0,4}}-?[0-9][0-9A-Za-z/-]{{3,14}})\b",
        None,
        0.95,
    ),
    Rule(
        "ACCOUNT",
        rf"\b(?i:episodio|cuenta|expediente|póliza|contrato){COLON}"
        r"([0-9][0-9-]{3,14})\b",
        None,
        0.9,
    ),
    Rule(
        "PHONE",
        r"\b(?i:tel|tfno|tlfn?|tlf|teléfono|telefono|móvil|movil|fax|tfn|telf)\.?[ºo]?[ \t]?:?"
        r"[ \t]{0,3}\+?[ ]?(\(?[0-9][0-9 ().-]{4,17}[0-9])\b",
        None,
        0.95,
    ),
    Rule("PHONE", r"(?:\+|00)34[ .-]{0,2}[6-9](?:[ .-]?[0-9]){8}\b", None, 0.9),
    Rule(
        "PHONE", r"\b[6-9][0-9]{2}(?:[ .-][0-9]{3}[ .-][0-9]{3}|(?:[ .-][0-9]{2}){3})\b", None, 0.85
    ),
    Rule("PHONE", r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}\b", checks.dialled, 0.9),
    Rule(
        "DURATION",
        rf"\b(?:de |con )?((?:[0-9]{{1,3}}|{NUMBER_WORD}) {{0,2}}{SPAN} (?:de (?i:evolución"
        r"|duración|seguimiento|tratamiento|historia|antigüedad)|(?i:antes|después)))\b",
        None,
        0.9,
    ),
    Rule(
        "AGE",
        rf"\b[0-9]{{1,3}} {{0,2}}{SPAN}(?: y (?:medio|[0-9]{{1,2}} {SPAN}))?(?: de edad)\b",
        checks.age,
        0.95,
    ),
    Rule("AGE", rf"\b(?i:edad){COLON}([0-9]{{1,3}}(?: {{0,2}}{SPAN})?)\b", checks.age, 0.95),
    Rule(
        "AGE",
        rf"\b(?:de|con|tiene) ((?:[0-9]{{1,3}}|{NUMBER_WORD}) {{0,2}}(?i:años?|meses|mes)"
        r"(?: y medio)?)\b",
        None,
        0.8,
    ),
    Rule("AGE", rf"\b(?:[0-9]{{1,3}}|{NUMBER_WORD}) (?i:años|meses) de edad\b", None, 0.9),
    Rule("AGE", rf"\b{NAME} \(([0-9]{{1,3}}(?: años)?)\)", None, 0.6, "age behind a name"),
    Rule("POSTCODE", rf"\b(?:CP|C\.P\.|(?i:código postal)){COLON}([0-9]{{4,6}})\b", None, 0.95),
    Rule(
        "LOCATION",
        rf"\b(?:[A-Z]-)?(?:0[1-9]|[1-4][0-9]|5[0-2])[0-9]{{3}}[,-]? {{1,2}}{TOWN}",
        None,
        0.8,
        "postcode and town",
    ),
    Rule(
        "MONEY",
        r"\b[0-9]{1,3}(?:\.?[0-9]{3}){0,4}(?:,[0-9]{1,2})? ?(?:€|euros?\b|EUR\b)",
        None,
        0.8,
    ),
    Rule(
        "TIME",
        r"\b(?i:a las|a la) ([0-9]{1,2}(?:[:.][0-9]{2})?)(?: ?(?:h|hs|horas))?\b",
        checks.clock,
        0.5,
    ),
    Rule(
        "PERSON",
        rf"\b(?:Remitido por|Responsable clínico|Médico):? {{0,2}}{TITLE}\.? {{0,2}}({NAMES})",
        None,
        0.9,
    ),
    Rule("ORG", rf"\b{HEALTH}(?: {WORD}){{1,8}}", None, 0.8),
    Rule(
        "LOCATION",
        rf"\b(?i:localidad ?/ ?provincia|localidad|provincia|población|municipio|ciudad)"
        rf"{COLON}({TOWN})",
        None,
        0.9,
        "place in a field",
    ),
    Rule(
        "COUNTRY",
        rf"\b(?i:país|pais|nacionalidad|(?:país|pais) de nacimiento){COLON}({TOWN})",
        None,
        0.9,
    ),
    Rule("COUNTRY", rf"\b{COUNTRY}\b", None, 0.7),
    Rule("NATIONALITY", rf"\b{NATIONALITY}\b", None, 0.6),
    Rule(
        "LOCATION",
        rf"\b(?:vive en|reside en|residente en|natural de|nacid[oa] en|procedente de|vecin[oa] de"
        rf"|trasladad[oa] a|viaje a) ({TOWN})",
        None,
        0.6,
        "place after a preposition",
    ),
    Rule("PERSON", rf"\b{KIN},? ({NAMES})", _named, 0.7, "name after a relation"),
    Rule(
        "PERSON",
        rf"\b(?:llamad[oa]|[Mm]e llamo|[Mm]i nombre es|[Ss]e llama|[Ff]irmado(?: por)?|[Hh]ola"
        rf"|[Qq]uerid[oa]"
        rf"|[Ee]stimad[oa]|[Ss]oy) ({NAMES})",
        _named,
        0.7,
        "name that is introduced",
    ),
    Rule(
        "OCCUPATION",
        rf"\b(?:[Tt]rabaja(?:ba)? (?:como|de)|de profesión|[Pp]rofesión:|[Oo]cupación:"
        rf"|jubilad[oa] de)"
        rf" ((?:[{LOWER}]{{3,15}} ){{0,1}}[{LOWER}]{{4,20}})\b",
        None,
        0.6,
    ),
    Rule(
        "VEHICLE",
        rf"\b(?i:matrícula|matricula){COLON}([0-9]{{4}} ?[A-Z]{{3}}"
        rf"|[A-Z]{{1,2}}[ -]?[0-9]{{4}}[ -]?[A-Z]{{1,2}})\b",
        None,
        0.9,
    ),
    Rule("VEHICLE", r"\b[0-9]{4} [BCDFGHJKLMNPRSTVWXYZ]{3}\b", None, 0.7, "number plate"),
    Rule("NATIONAL_ID", rf"\b(?i:pasaporte){COLON}([A-Z0-9]{{6,12}})\b", checks.enough_digits, 0.9),
    Rule(
        "ORG",
        rf"\b(?:{NAME} ){{1,3}}(?:S\.A\.|S\.L\.|SL|SA|S\.L\.U\.|y Asociados"
        rf"|e Hijos)",
        None,
        0.7,
    ),
    Rule(
        "ORG",
        rf"\b(?:Colegio|Instituto|Escuela|Banco|Caja|Ayuntamiento|Farmacia|Residencia|Ministerio|Juzgado"
        rf"|Parroquia|Asociación|Empresa)(?: (?:{JOIN}|[{UPPER}][{LOWER}]{{1,20}})){{1,6}}",
        None,
        0.7,
    ),
    Rule(
        "DATE",
        r"\b(?i:hace (?:[0-9]{1,3}|dos|tres|cuatro|cinco|seis|unos|unas|algunos) (?:días|semanas"
        r"|meses|años)"
        r"|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|semana|mes|año) (?:pasad[oa]"
        r"|próxim[oa]))\b",
        None,
        0.5,
        "a day told from another",
    ),
    Rule(
        "GENDER",
        r"\b(?i:sexo)[ \t]?:[ \t]{0,3}([HMVF]|(?i:hombre|mujer|varón|femenino|masculino))\b",
        None,
        0.95,
    ),
    Rule("GENDER", r"\b(?i:varón|mujer|hombre|niño|niña|masculino|femenino)\b", None, 0.6),
    Rule(
        "RELATIVE",
        r"\b(?i:madre|padre|herman[oa]s?|hij[oa]s?|abuel[oa]s?|tí[oa]s?|prim[oa]s?|espos[oa]"
        r"|marido|sobrin[oa]s?|niet[oa]s?|padres)\b",
        None,
        0.6,
    ),
)
