"""Rules for Dutch: the words of forms and letters, the citizen service number."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from . import european

WORDS = european.Words(
    titles=r"(?:Dhr|dhr|De heer|de heer|Mevr|mevr|Mw|mw|Mevrouw|mevrouw|Meneer|meneer|Dr|dr|Drs"
    r"|drs|Prof|prof|Ir|Ing|Mr|Zuster|Broeder)",
    particles=r"(?:van de|van den|van der|van het|van 't|van|de|den|der|ter|ten|te|in 't|op de"
    r"|aan|en|het|'t|voor)",
    fields=r"naam|patiënt(?:e)?|voornaam|achternaam|huisarts|arts|behandelaar|contactpersoon|ondertekend|verzekerde|cliënt|huurder|auteur",
    relatives=r"(?:[Dd]ochter|[Zz]oon|[Ee]chtgenote|[Ee]chtgenoot|[Vv]rouw|[Mm]an|[Mm]oeder|[Vv]ader|[Zz]us|[Bb]roer|[Bb]uurvrouw|[Bb]uurman|[Pp]artner"
    r"|[Oo]ma|[Oo]pa|[Tt]ante|[Oo]om|[Nn]icht|[Nn]eef|[Cc]ollega|[Vv]riendin|[Vv]riend)",
    introduces=r"(?:[Pp]atiënte?|genaamd|heet|[Ii]k ben|[Mm]ijn naam is|[Bb]este|[Hh]allo"
    r"|[Gg]eachte heer|[Gg]eachte mevrouw|getekend)",
    months=r"januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
    short_months=r"jan|feb|mrt|apr|jun|jul|aug|sep|sept|okt|nov|dec",
    day=r"[0-3]?[0-9]",
    of=r"",
    year=r"sinds|in|jaar|vanaf|tot|uit|anno",
    age=r"(?:-jarige|jarige|jaar oud|jaar\b|maanden oud|weken oud|jr\b)",
    aged=r"leeftijd",
    lives=r"(?:woont in|woonachtig in|wonende te|geboren in|geboren te|uit|naar|afkomstig uit)",
    institutions=r"(?:Universiteit|Hogeschool|Ziekenhuis|Gemeente|Rechtbank|Stichting|Basisschool|Apotheek|Bibliotheek|Huisartsenpraktijk|Instituut|UMC)",
    institution_ends=r"Ziekenhuis|Universiteit|College|School|Stichting|Bank|Verzekeringen|B\.V\.|BV|N\.V\.|NV|VOF|CommV|CV|BVBA|Apotheek",
    countries=r"Nederland|België|Duitsland|Frankrijk|Luxemburg|Spanje|Portugal|Italië|Engeland"
    r"|Verenigd Koninkrijk|Ierland|Polen|Roemenië|Bulgarije"
    r"|Griekenland|Turkije|Marokko|Suriname|Curaçao|Aruba|Indonesië|Syrië|Irak|Iran|Eritrea"
    r"|Somalië|Rusland|Oekraïne|China|Japan|India|Verenigde Staten|Canada",
    nationalities=r"[Nn]ederlandse?|[Bb]elgische?|[Dd]uitse?|[Ff]ranse?|[Ss]paanse?|[Ii]taliaanse?|[Pp]ortugese?|[Ee]ngelse?|[Bb]ritse?|[Pp]oolse?|[Rr]oemeense?"
    r"|[Bb]ulgaarse?|[Gg]riekse?|[Tt]urkse?|[Mm]arokkaanse?|[Ss]urinaamse?|[Ii]ndonesische?|[Ss]yrische?|[Rr]ussische?|[Oo]ekraïense?|[Cc]hinese?|[Aa]merikaanse?",
    nationality=r"nationaliteit",
    trade=r"werkt als|werkzaam als|van beroep|[Bb]eroep|werk als",
    sex=r"man|vrouw|jongen|meisje|mannelijk|vrouwelijk",
    address=r"adres|woonadres|postadres",
    town=r"woonplaats|plaats|geboorteplaats|stad",
    postcode=r"[0-9]{4} ?[A-Z]{2}",
    record=r"patiëntnummer|patientnummer|dossiernummer|dossier|zaaknummer|zaak",
    account=r"rekeningnummer|rekening|klantnummer|factuurnummer|factuur|ordernummer|bestelling|polisnummer|klant",
    insurance=r"verzekerdennummer|verzekeringsnummer|polis|uzovi|zorgverzekering",
    licence=r"rijbewijs(?:nummer)?|big-?nummer|agb-?code|big",
    plate=r"kenteken|nummerplaat",
    passport=r"paspoort(?:nummer)?|identiteitskaart|id-kaart|documentnummer",
    birth=r"geboren op|geboren|geb\.|geboortedatum",
    ago=r"(?:[0-9]{1,3}|twee|drie|vier|vijf|zes|enkele) (?:dagen|weken|maanden|jaar) geleden"
    r"|(?:afgelopen|vorige|volgende|komende)"
    r" (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|week|maand)",
)
FREQUENT = european.frequent(WORDS)
RULES = (
    Rule(
        "NATIONAL_ID",
        r"\b(?i:bsn|burgerservicenummer|sofinummer|sofi-nummer)\.?:? ?([0-9]{9}"
        r"|[0-9]{4}[ .][0-9]{2}[ .][0-9]{3})\b",
        None,
        0.95,
    ),
    Rule(
        "NATIONAL_ID",
        r"\b[0-9]{9}\b",
        checks.bsn,
        0.7,
        "citizen service number with a right check digit",
    ),
    Rule("POSTCODE", r"\b[1-9][0-9]{3} ?[A-Z]{2}\b", checks.no_year_first, 0.8),
    Rule(
        "VEHICLE",
        r"\b(?:[A-Z]{2}-[0-9]{3}-[A-Z]|[A-Z]-[0-9]{3}-[A-Z]{2}|[0-9]{2}-[A-Z]{3}-[0-9]|[0-9]-[A-Z]{3}-[0-9]{2})\b",
        None,
        0.8,
        "number plate",
    ),
    *european.rules(WORDS),
)
