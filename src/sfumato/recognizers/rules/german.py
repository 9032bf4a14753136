"""Rules for German: the words of forms and letters, tax and insurance numbers."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from . import european

WORDS = european.Words(
    titles=r"(?:Herrn?|Frau|Hr|Fr|Dr|Prof|Professorin|Professor|Dipl\.-Ing|Mag|Pfarrer|Schwester"
    r"|Pfleger|PD|med|rer\. nat)",
    particles=r"(?:von der|von dem|von|van der|van|zu|zum|zur|vom|de|am|im|an der|in der|ob der"
    r"|der|den|und|für)",
    fields=r"name|patient(?:in)?|vorname|nachname|familienname|arzt|ärztin|hausarzt|einweiser|betreuer(?:in)?|kontakt|ansprechpartner(?:in)?"
    r"|unterschrift|versicherte[rn]?|auftraggeber|mieter(?:in)?|vermieter(?:in)?|verfasser(?:in)?",
    relatives=r"(?:Tochter|Sohn|Ehefrau|Ehemann|Frau|Mann|Mutter|Vater|Schwester|Bruder|Nachbarin|Nachbar|Partnerin|Partner|Kollegin|Kollege"
    r"|Freundin|Freund|Enkelin|Enkel|Nichte|Neffe|Tante|Onkel)",
    introduces=r"(?:[Pp]atient(?:in)?|namens|heißt|heisse|heiße|heisst|[Gg]ez\.|[Ii]ch bin"
    r"|mein Name ist|Mein Name ist|[Ll]iebe[r]?|[Hh]allo|Sehr geehrter Herr|Sehr geehrte Frau)",
    months=r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember",
    short_months=r"jan|feb|mrz|apr|jun|jul|aug|sep|sept|okt|nov|dez",
    day=r"[0-3]?[0-9]\.",
    of=r"",
    year=r"seit|im jahr|im jahre|jahrgang|bis|anfang|ende|von|in|mitte",
    age=r"(?:jährige[rsnm]?|-jährige[rsnm]?|jahre? alt|monate alt|wochen alt|tage alt|j\.)",
    aged=r"alter|im alter von",
    lives=r"(?:wohnhaft in|wohnt in|lebt in|geboren in|aus|nach|stammt aus|gebürtig aus)",
    institutions=r"(?:Universität|Universitätsklinikum|Klinikum|Krankenhaus|Klinik|Hochschule|Gymnasium|Grundschule|Praxis|Amtsgericht|Landgericht"
    r"|Finanzamt|Sparkasse|Volksbank|Stadtwerke|Stiftung|Institut|Kanzlei|Apotheke|Gemeinde)",
    institution_ends=r"Universität|Klinikum|Krankenhaus|Klinik|Hochschule|Gymnasium|Schule|Apotheke|Stiftung|Verlag|Bank|Versicherung|GmbH|AG|KG"
    r"|GmbH & Co\. KG|e\.V\.|OHG|OG|SE|mbH|GbR|GesbR|UG|KGaA|Cie\.|Co\.|Söhne|Gruppe|Sàrl",
    countries=r"Deutschland|Österreich|Schweiz|Frankreich|Italien|Spanien|Portugal|Polen|Tschechien|Niederlande|Belgien|Luxemburg|Dänemark"
    r"|Schweden|Norwegen|Finnland|Ungarn|Rumänien|Bulgarien|Griechenland|Türkei|Russland|Ukraine|Kroatien|Serbien|Slowenien|Slowakei|Bosnien"
    r"|England|Großbritannien|Irland|USA|Kanada|China|Japan|Indien|Syrien|Irak|Iran|Afghanistan|Marokko|Tunesien|Ägypten|Eritrea|Nigeria",
    nationalities=r"[Dd]eutsche[rsnm]?|[Öö]sterreichische[rsnm]?|[Ss]chweizer(?:in|isch)?|[Ff]ranzösische[rsnm]?|[Ii]talienische[rsnm]?|[Ss]panische[rsnm]?"
    r"|[Pp]olnische[rsnm]?|[Tt]ürkische[rsnm]?|[Rr]ussische[rsnm]?|[Uu]krainische[rsnm]?|[Rr]umänische[rsnm]?|[Bb]ulgarische[rsnm]?|[Gg]riechische[rsnm]?"
    r"|[Ss]yrische[rsnm]?|[Ii]rakische[rsnm]?|[Aa]fghanische[rsnm]?|[Ss]erbische[rsnm]?|[Kk]roatische[rsnm]?|[Bb]ritische[rsnm]?|[Aa]merikanische[rsnm]?",
    nationality=r"staatsangehörigkeit|nationalität|staatsbürgerschaft",
    trade=r"arbeitet als|tätig als|von Beruf|Beruf|angestellt als|arbeite als",
    sex=r"männlich|weiblich|divers|mann|frau|junge|mädchen",
    address=r"adresse|anschrift|wohnort und straße|wohnhaft",
    town=r"ort|wohnort|geburtsort|stadt",
    postcode=r"(?:D-|A-|CH-)?[0-9]{4,5}",
    record=r"patientennummer|patienten-?id|fallnummer|fall|aktenzeichen|akte|pid",
    account=r"kontonummer|konto|kundennummer|rechnungsnummer|rechnung|bestellnummer|vertragsnummer|auftrag|kunden-?nr",
    insurance=r"versichertennummer|versicherungsnummer|krankenversichertennummer|sozialversicherungsnummer|rentenversicherungsnummer|svnr|sv-nummer",
    licence=r"führerschein(?:nummer)?|lanr|bsnr|approbation|zulassung",
    plate=r"kennzeichen|kfz-kennzeichen|nummernschild|amtliches kennzeichen",
    passport=r"reisepass(?:nummer)?|personalausweis(?:nummer)?|ausweisnummer|ausweis|passnummer",
    birth=r"geboren am|geboren|geb\.|geburtsdatum|geburtstag",
    ago=r"vor (?:[0-9]{1,3}|zwei|drei|vier|fünf|sechs|einigen|wenigen) (?:tagen|wochen|monaten"
    r"|jahren)|(?:letzten|nächsten|kommenden|vergangenen)"
    r" (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|monat)",
)
FREQUENT = european.frequent(WORDS)
RULES = (
    Rule(
        "NATIONAL_ID",
        r"\b[1-9][0-9](?: ?[0-9]{3}){3}\b",
        checks.mod11_10,
        0.9,
        "tax number with a right check digit",
    ),
    Rule(
        "NATIONAL_ID",
        r"\b(?i:steuer-?id(?:nummer)?|steuernummer|idnr)\.?:? ?([0-9][0-9 /]{7,15}[0-9])\b",
        None,
        0.95,
    ),
    Rule("INSURANCE", r"\b[A-Z][0-9]{9}\b", None, 0.7, "health insurance number"),
    Rule(
        "INSURANCE",
        r"\b[0-9]{2} ?[0-9]{6} ?[A-Z] ?[0-9]{3}\b",
        None,
        0.9,
        "pension insurance number",
    ),
    *european.rules(WORDS),
)
