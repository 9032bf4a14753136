"""Rules for French: the words of forms and letters, the social security number."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from . import european

WORDS = european.Words(
    titles=r"(?:M|MM|Mme|Mlle|Mr|Monsieur|Madame|Mademoiselle|Dr|Docteur|Pr|Prof|Professeur|Maître|Me|Père|Sœur)",
    particles=r"(?:de la|de l'|des|du|de|d'|le|la|les|el|ben|et|en|sur|sous|aux|au)",
    fields=r"nom|prénom|nom et prénom|patiente?|médecin|docteur|signé|auteur|contact|responsable"
    r"|locataire|propriétaire|assurée?|demandeur"
    r"|infirmi(?:er|ère)|destinataire|expéditeur",
    relatives=r"(?:[Ss]a|[Ss]on|[Mm]a|[Mm]on|[Ll]eur) (?:fille|fils|femme|mari|mère|père|sœur"
    r"|frère|voisine?|compagne|compagnon|tante|oncle|nièce|neveu"
    r"|amie?|collègue|grand-mère|grand-père)",
    introduces=r"(?:[Pp]atiente?|nommée?|appelée?|[Jj]e m'appelle|[Jj]e suis|[Ss]'appelle"
    r"|[Ss]igné|[Cc]her|[Cc]hère|[Bb]onjour|[Vv]u par|[Aa]dressée? par)",
    months=r"janvier|février|fevrier|mars|avril|mai|juin|juillet|août|aout|septembre|octobre|novembre|décembre|decembre",
    short_months=r"janv|févr|avr|juil|sept|oct|nov|déc",
    day=r"(?:1er|[0-3]?[0-9])",
    of=r"",
    year=r"en|depuis|année|jusqu'en|dès|vers",
    age=r"ans\b|mois\b(?: d'âge)?",
    aged=r"âge|agée? de|âgée? de|age",
    lives=r"(?:habite à|habitant à|vit à|domiciliée? à|demeurant à|née? à|originaire de"
    r"|résidant à|[Àà])",
    institutions=r"(?:Hôpital|Clinique|CHU|CHR|Centre Hospitalier|Université|Lycée|Collège|École"
    r"|Institut|Mairie|Tribunal|Banque|Société|Association"
    r"|Fondation|Pharmacie|Cabinet|Caisse|Conseil|Ministère|Laboratoires?)",
    institution_ends=r"SARL|SAS|S\.A\.|SA|SASU|EURL|SNC|S\.A\.R\.L\.|S\.A\.S\.|Fils|Cie|GmbH|AG|Sàrl",
    countries=r"France|Belgique|Suisse|Luxembourg|Allemagne|Italie|Espagne|Portugal|Pays-Bas|Angleterre|Royaume-Uni|Irlande|Pologne|Roumanie|Grèce"
    r"|Turquie|Russie|Ukraine|Maroc|Algérie|Tunisie|Sénégal|Mali|Cameroun|Côte d'Ivoire|Congo"
    r"|Madagascar|Haïti|Canada|Québec|États-Unis|Brésil|Chine"
    r"|Japon|Inde|Vietnam|Liban|Syrie|Égypte|Autriche|Suède|Norvège|Danemark|Finlande|Hongrie|Bulgarie",
    nationalities=r"[Ff]rançais(?:e|es)?|[Bb]elges?|[Ss]uisses?|[Aa]llemande?s?|[Ii]talien(?:ne)?s?|[Ee]spagnole?s?|[Pp]ortugaise?s?|[Aa]nglaise?s?|[Bb]ritanniques?"
    r"|[Mm]arocaine?s?|[Aa]lgérien(?:ne)?s?|[Tt]unisien(?:ne)?s?|[Ss]énégalaise?s?|[Mm]alien(?:ne)?s?|[Cc]amerounaise?s?|[Rr]oumaine?s?|[Pp]olonaise?s?"
    r"|[Rr]usses?|[Uu]krainien(?:ne)?s?|[Tt]urcs?|[Tt]urques?|[Cc]hinoise?s?|[Jj]aponaise?s?|[Cc]anadien(?:ne)?s?|[Qq]uébécoise?s?|[Aa]méricaine?s?|[Ss]yrien(?:ne)?s?",
    nationality=r"nationalité",
    trade=r"travaille comme|de profession|[Pp]rofession|[Mm]étier|employée? comme|exerce comme",
    sex=r"homme|femme|garçon|fille|masculin|féminin",
    address=r"adresse|domicile|demeurant|adresse postale",
    town=r"ville|lieu de naissance|commune|localité",
    postcode=r"(?:F-|B-|CH-)?[0-9]{4,5}",
    record=r"dossier|ipp|nip|numéro de patient|n° patient|identifiant patient",
    account=r"compte|numéro client|facture|commande|contrat|client|référence",
    insurance=r"sécurité sociale|numéro d'assuré|mutuelle|police|nir|assurance",
    licence=r"permis(?: de conduire)?|rpps|adeli|finess|siret|siren",
    plate=r"immatriculation|plaque|immatriculée?",
    passport=r"passeport|carte d'identité|cni|titre de séjour",
    birth=r"née? le|née? en|date de naissance|naissance",
    ago=r"il y a (?:[0-9]{1,3}|deux|trois|quatre|cinq|six|quelques) (?:jours|semaines|mois|ans)"
    r"|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|semaine|mois|année) (?:dernier"
    r"|dernière|prochain|prochaine)",
)
FREQUENT = european.frequent(WORDS)
RULES = (
    Rule(
        "NATIONAL_ID",
        r"\b[12][ .-]?[0-9]{2}[ .-]?[0-9]{2}[ .-]?[0-9][0-9AB][ .-]?[0-9]{3}[ .-]?[0-9]{3}"
        r"[ .-]?[0-9]{2}\b",
        checks.nir,
        1.0,
        "social security number with its key",
    ),
    Rule("VEHICLE", r"\b[A-Z]{2}-[0-9]{3}-[A-Z]{2}\b", None, 0.8, "number plate"),
    *european.rules(WORDS),
)
