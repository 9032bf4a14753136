"""What rules for English are made of: names, streets, towns, dates, numbers in words."""

from __future__ import annotations

from .everywhere import LOWER, UPPER

NAME = (
    rf"[{UPPER}](?:['’][{UPPER}])?[{LOWER}]{{1,20}}(?:[{UPPER}][{LOWER}]{{1,15}})?"
    rf"(?:-[{UPPER}][{LOWER}]{{1,20}})?"
)
INITIAL = rf"[{UPPER}]\."
PARTICLE = r"(?:van der|van|von|de la|de|del|di|da|la|le|el|binti|binte|bint|ibn|bin|al)"
NEXT = rf" (?:[{UPPER}]\.? )?(?:{PARTICLE} )?{NAME}"
NAMES = rf"(?:{INITIAL} ?){{0,2}}{NAME}(?:{NEXT}){{0,3}}"
FULL = rf"(?:{NAME}(?:{NEXT}){{1,3}}|(?:{INITIAL} ?){{1,2}}{NAME})"
TITLE = (
    r"(?:Drs?|Mrs?|Ms|Miss|Mister|Prof|Professor|Doctor|Nurse|Rev|Fr|Sr|Sir|Dame|Lady|Lord|Judge"
    r"|Justice|Capt|Sgt|Lt|Col|Officer|Detective|Inspector|Constable|Senator|Coach|Chef|Pastor"
    r"|Rabbi|Imam|Sheikh|Puan|Encik|Tuan|Datuk|Signora?|Señora?|Herr|Frau|Monsieur|Madame)"
)
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
DAY = r"[0-3]?[0-9](?:st|nd|rd|th)?"
YEAR = r"(?:1[89]|20)[0-9]{2}"
STREET = (
    r"(?:Street|St|Avenue|Ave|Av|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq"
    r"|Terrace|Ter|Way|Circle|Cir|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Cres|Row|Trail|Trl|Alley|Arcade"
    r"|Bend|Bluffs?|Branch|Bridge|Brooks?|Bypass|Canyon|Cape|Causeway|Centers?|Centre|Chase|Cliffs?|Common|Copse|Corners?"
    r"|Course|Courts|Coves?|Creek|Crest|Crossing|Crossroads?|Curve|Dale|Dene|Divide|Drives|Esplanade|Estates?"
    r"|Expressway|Extensions?|Falls?|Ferry|Fields?|Flats?|Fords?|Forest|Forges?|Forks?|Freeway|Gardens?|Gate"
    r"|Gateway|Glens?|Greens?|Groves?|Harbou?rs?|Haven|Heights|Hills?|Hollow|Inlet|Islands?|Isle|Junctions?"
    r"|Keys?|Knolls?|Lakes?|Landing|Lights?|Lodge|Loop|Mall|Manors?|Meadows?|Mews|Mills?|Mission"
    r"|Motorway|Mount|Mountains?|Orchard|Oval|Overpass|Parade|Parks?|Parkways|Pass|Passage|Path|Pike|Pines?|Plains?|Plaza"
    r"|Points?|Ports?|Prairie|Promenade|Quay|Radial|Ramp|Ranch|Rapids?|Rest|Ridges?|Rise|River|Roads|Route|Run|Shoals?|Shores?"
    r"|Side|Skyway|Springs?|Spurs?|Squares|Station|Strand|Stream|Streets|Summit|Throughway|Trace|Track|Trafficway|Tunnel"
    r"|Turnpike|Underpass|Unions?|Vale|Valleys?|Via|Viaduct|Views?|Villages?|Ville|Vista|Walks?|Wall|Wells?|Wharf|Yard)"
)
PROVINCE = r"(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT|NSW|VIC|QLD|WA|SA|TAS|ACT)"
STATE = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]"
    r"|T[NX]|UT|V[AT]|W[AIVY])"
)
ZIP = r"[0-9]{5}(?:-[0-9]{4})?"
UK_POSTCODE = r"[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-BD-HJLNP-UW-Z]{2}"
CA_POSTCODE = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
EIRCODE = r"[AC-FHKNPRTV-Y][0-9][0-9W] ?[0-9AC-FHKNPRTV-Y]{4}"
# Codes of letters and digits that tell themselves, and digits that need a word before them.
POSTCODES = rf"(?:{UK_POSTCODE}|{CA_POSTCODE}|[0-9]{{5}}-[0-9]{{3,4}})"
ANY_POSTCODE = (
    rf"(?:{UK_POSTCODE}|{CA_POSTCODE}|{EIRCODE}|[0-9]{{4}} ?[A-Z]{{2}}|[0-9]{{3}} [0-9]{{2,3}}"
    r"|[0-9]{2}-[0-9]{3}|(?:[A-Z]{1,2}-)?[0-9]{4,6}(?:-[0-9]{3,4})?)"
)
TOWN = rf"(?:St\. )?{NAME}(?:[ -]{NAME}){{0,2}}"
GAP = r"(?:,? ?\r?\n ?|, ?| )"
UNIT = (
    r"(?:(?i:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|building|bldg|lot|level"
    r"|shop)\.? ?#?(?:[0-9][0-9A-Za-z-]{0,5}|[A-Za-z]-?[0-9]{0,4}\b)"
    r"|#[0-9A-Za-z-]{1,6}|[0-9]{1,2}(?:st|nd|rd|th) [Ff]loor)"
)
IN_TOWN = (
    rf"(?:{GAP}{TOWN}(?:{GAP}{TOWN})?,? (?:(?:{STATE}|{PROVINCE}),? )?(?:{ZIP}|{UK_POSTCODE}"
    rf"|{CA_POSTCODE}|[0-9]{{4}})\b"
    rf"|{GAP}{TOWN}(?:,|{GAP}){{1,2}}(?:(?:{STATE}|{PROVINCE})(?:,? (?:{ZIP}|{CA_POSTCODE}"
    rf"|[0-9]{{4}}))?|{ZIP}|{UK_POSTCODE})\b)?"
)
LAND = (
    r"(?:U\.?S\.?A?\b\.?|United States(?: of America)?|UK|United Kingdom|England|Scotland|Wales"
    r"|Ireland|Canada|Australia"
    r"|New Zealand|India|South Africa)"
)
PLACE = (
    r"(?:Hospital|Clinic|Medical Cent(?:er|re)|Health Cent(?:er|re)|Infirmary|Hospice|University"
    r"|College|School|Institute|Laborator(?:y|ies)|Nursing Home|Pharmacy|Foundation|Church)"
)
# Number, then (optionally) colon or hash: the way forms introduce an identifier.
COLON = (
    r"(?: ?(?:(?i:number|no|num|id|nr|code)\.?|#))?(?: (?:is|was|reads))?[ \t]?[:#=]{0,2}[ \t]{0,3}"
)
IDENTIFIER = r"[A-Z]{0,4}-?[0-9][0-9A-Z-]{3,18}"
NUMBER_WORD = (
    r"(?i:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four"
    r"|five|six|seven"
    r"|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen)"
)
ORDINAL_WORD = (
    r"(?i:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    r"|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    r"|twenty[ -]first|twenty[ -]second"
    r"|twenty[ -]third|twenty[ -]fourth|twenty[ -]fifth|twenty[ -]sixth|twenty[ -]seventh"
    r"|twenty[ -]eighth"
    r"|twenty[ -]ninth|thirtieth|thirty[ -]first)"
)
WEEKDAY = (
    r"(?:Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?|Mon|Tues?"
    r"|Wed|Thurs?|Fri|Sat|Sun)"
)
# Feasts that tell a day, and what tells a day from today.
FEAST = (
    r"(?:Christmas(?: Eve| Day)?|New Year(?:'s|’s)?(?: Eve| Day)|Boxing Day|Easter(?: Sunday"
    r"| Monday)?|Good Friday"
    r"|Thanksgiving(?: Day)?|Halloween|Independence Day|Memorial Day|Labor Day|Veterans Day"
    r"|Valentine(?:'s|’s) Day"
    r"|Mother(?:'s|’s) Day|Father(?:'s|’s) Day|Diwali|Eid al-Fitr|Ramadan|Passover|Hanukkah"
    r"|Yom Kippur|Whit Monday)"
)
AGO = (
    rf"(?:(?:[0-9]{{1,3}}|{NUMBER_WORD}|a few|several|a couple of) (?:days?|weeks?|months?"
    rf"|years?) (?:ago|earlier)"
    rf"|(?:[Ll]ast|[Nn]ext|[Tt]his(?: coming| past)?) (?:{WEEKDAY}|{MONTH}|spring|summer|autumn"
    rf"|winter))"
)
RELATIVE = (
    r"(?:[Dd]aughter|[Ss]on|[Ww]ife|[Hh]usband|[Ss]pouse|[Pp]artner|[Mm]other|[Ff]ather|[Ss]ister"
    r"|[Bb]rother|[Nn]eighbou?r|[Cc]aregiver|[Cc]arer|[Gg]uardian|[Nn]iece|[Nn]ephew|[Ff]riend)"
)

# What people are by trade, by the last word of it.
OCCUPATION = (
    r"(?:accountant|actor|actress|architect|artist|attorney|baker|banker|barber|bartender|bricklayer"
    r"|builder|butcher|carpenter|cashier|chef|chemist|cleaner|clerk|consultant|contractor|cook|dancer"
    r"|dentist|designer|developer|doctor|driver|economist|editor|electrician|engineer|executive"
    r"|factory worker|farmer|firefighter|fisherman|florist|foreman|gardener|guard|hairdresser"
    r"|housewife|inspector|janitor|journalist|judge|labou?rer|lawyer|lecturer|librarian|machinist"
    r"|manager|mechanic|merchant|miner|musician|nurse|officer|operator|painter|paramedic|pharmacist"
    r"|photographer|physician|pilot|plumber|policeman|politician|porter|priest|professor|programmer"
    r"|psychologist|realtor|receptionist|representative|sailor|salesman|scientist|seamstress|secretary"
    r"|singer|soldier|solicitor|student|surgeon|surveyor|tailor|teacher|technician|therapist|trader"
    r"|translator|tutor|veterinarian|waiter|waitress|welder|worker|writer)"
)
TRADE = r"\b(?:[Ww]ork(?:s|ed|ing) as|[Ee]mployed as|[Oo]ccupation:|[Pp]rofession:) "
SUFFERED = (
    r"\b(?:(?i:history of|diagnosed with|suffers from|suffering from|h/o)|Diagnosis:|[Kk]nown) "
)
# A condition: a few words up to one that does not belong to it.
CONDITION = r"[A-Za-z][A-Za-z0-9'-]{1,20}(?: [A-Za-z0-9'-]{1,20}){0,5}?"
CONDITION_ENDS = (
    r"(?:[.,;:()\r\n]| (?:and|or|but|who|which|with|without|presenting|presents|presented|admitted"
    r"|seen|since|for|in|on|at|as|is|was|were|has|had|status|treated|diagnosed|requiring)\b|$)"
)

# What follows a short date or a year that is not part of a longer number.
TAIL = r"(?:[ ,;:)\r\n]|\.(?:[ \r\n]|$)|$)"

# Words with a capital that are no name by themselves: after a refusal other rules are tried.
TITLES = frozenset(
    ("Dr", "Drs", "Mr", "Mrs", "Ms", "Miss", "Prof", "Professor", "Doctor", "Nurse", "Rev", "Sir")
)
NO_TOWNS = TITLES.union(
    ("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    ("October", "November", "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep"),
    ("Sept", "Oct", "Nov", "Dec", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    ("Saturday", "Sunday", "The", "This", "That", "He", "She", "They", "It", "His", "Her"),
)
