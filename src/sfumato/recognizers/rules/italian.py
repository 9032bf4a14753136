"""Rules for Italian: the words of forms and letters, the tax code."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from . import european
from .streets import IN_TOWN, NAMED, NUMBER, UNITS

WORDS = european.Words(
    titles=r"(?:Sig\.ra|Sig|Sigg|Signora|Signor|Signorina|Dott\.ssa|Dott|Dottore|Dottoressa|Dr|Dr\.ssa|Prof|Prof\.ssa|Professore|Professoressa|Avv|Ing|Arch|Don|Suor)",
    particles=r"(?:della|delle|dello|degli|dei|del|dal|dalla|di|de|da|la|lo|li|e|al|alla|d')",
    fields=r"nome|cognome|nome e cognome|paziente|medico|medico curante|firma|firmato|autore"
    r"|contatto|referente|assistit[oa]|intestatario|richiedente|infermier[ea]",
    relatives=r"(?:[Ff]iglia|[Ff]iglio|[Mm]oglie|[Mm]arito|[Mm]adre|[Pp]adre|[Ss]orella|[Ff]ratello|[Vv]icina|[Vv]icino|[Cc]ompagna|[Cc]ompagno|[Nn]onna|[Nn]onno"
    r"|[Zz]ia|[Zz]io|[Nn]ipote|[Aa]mica|[Aa]mico|[Cc]ollega|[Cc]ugina|[Cc]ugino)",
    introduces=r"(?:[Pp]aziente|[Mm]i chiamo|[Ss]i chiama|[Ss]ono|di nome|chiamat[oa]|[Cc]ar[oa]"
    r"|[Cc]iao|[Gg]entile|[Ee]gregio|firmato)",
    months=r"gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
    short_months=r"gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic",
    day=r"(?:1[°º]|[0-3]?[0-9])",
    of=r"",
    year=r"nel|dal|anno|fino al|del",
    age=r"anni\b|mesi\b",
    aged=r"età|di età",
    lives=r"(?:vive a|abita a|residente a|residente in|domiciliat[oa] a|nat[oa] a"
    r"|originari[oa] di|proveniente da)",
    institutions=r"(?:Ospedale|Policlinico|Clinica|Università|Liceo|Scuola|Istituto|Comune"
    r"|Tribunale|Banca|Cassa|Fondazione|Associazione|Farmacia|Azienda|Ministero|Casa di Cura|ASL"
    r"|ASST)",
    institution_ends=r"S\.p\.A\.|SpA|S\.r\.l\.|Srl|S\.n\.c\.|S\.a\.s\.|e Figli",
    countries=r"Italia|Francia|Svizzera|Austria|Germania|Spagna|Portogallo|Slovenia|Croazia|Albania|Romania|Bulgaria|Grecia|Turchia|Russia|Ucraina|Moldavia"
    r"|Polonia|Marocco|Tunisia|Egitto|Senegal|Nigeria|Ghana|Perù|Ecuador|Brasile|Argentina|Cina"
    r"|Giappone|India|Pakistan|Bangladesh|Filippine|Stati Uniti|Regno Unito|Inghilterra|Irlanda",
    nationalities=r"[Ii]talian[oaie]|[Ff]rances[ei]|[Ss]vizzer[oaie]|[Tt]edesc(?:o|a|hi|he)|[Ss]pagnol[oaie]|[Pp]ortoghes[ei]|[Aa]lbanes[ei]|[Rr]umen[oaie]|[Mm]oldav[oaie]"
    r"|[Uu]crain[oaie]|[Rr]uss[oaie]|[Mm]arocchin[oaie]|[Tt]unisin[oaie]|[Ee]gizian[oaie]|[Ss]enegales[ei]|[Nn]igerian[oaie]|[Pp]eruvian[oaie]|[Bb]rasilian[oaie]|[Cc]ines[ei]"
    r"|[Gg]iappones[ei]|[Ii]ndian[oaie]|[Ff]ilippin[oaie]|[Aa]merican[oaie]|[Ii]ngles[ei]|[Gg]rec(?:o|a|i|he)|[Tt]urc(?:o|a|hi|he)|[Pp]olacc(?:o|a|hi|he)",
    nationality=r"nazionalità|cittadinanza",
    trade=r"lavora come|di professione|[Pp]rofessione|impiegat[oa] come|[Ll]avoro",
    sex=r"uomo|donna|maschio|femmina|ragazzo|ragazza|maschile|femminile",
    address=r"indirizzo|residenza|domicilio",
    town=r"città|comune|luogo di nascita|località|provincia",
    postcode=r"[0-9]{5},?",
    record=r"cartella(?: clinica)?|nosologico|codice paziente|pratica|fascicolo|id paziente",
    account=r"conto|codice cliente|fattura|ordine|contratto|numero cliente|cliente",
    insurance=r"tessera sanitaria|polizza|numero assicurato|assicurazione",
    licence=r"patente(?: di guida)?|iscrizione all'albo|albo",
    plate=r"targa|targata|targato",
    passport=r"passaporto|carta d'identità|carta di identità|documento|permesso di soggiorno",
    birth=r"nat[oa] il|nat[oa] nel|data di nascita|nascita",
    ago=r"(?:[0-9]{1,3}|due|tre|quattro|cinque|sei|alcuni|alcune|qualche) (?:giorni|settimane"
    r"|mesi|anni) fa"
    r"|(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|settimana|mese) (?:scors[oa]"
    r"|prossim[oa])",
)
FREQUENT = european.frequent(WORDS)
RULES = (
    Rule(
        "NATIONAL_ID",
        r"\b[A-Za-z]{6}[0-9]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]\b",
        checks.codice_fiscale,
        1.0,
        "tax code with a right letter",
    ),
    Rule("NATIONAL_ID", r"\b(?i:codice fiscale|c\.f\.|cf):? ?([A-Za-z0-9]{16})\b", None, 0.95),
    Rule("NATIONAL_ID", r"\b(?i:partita iva|p\.? ?iva):? ?((?:IT)?[0-9]{11})\b", None, 0.9),
    Rule("VEHICLE", r"\b[A-HJ-NPR-Z]{2} ?[0-9]{3} ?[A-HJ-NPR-Z]{2}\b", None, 0.7, "number plate"),
    Rule(
        "ADDRESS",
        rf"\b(?:via|largo|strada|contrada|borgo) {NAMED},? {NUMBER}{UNITS}{IN_TOWN}",
        None,
        0.8,
        "street and number, in lower case",
    ),
    *european.rules(WORDS),
)
