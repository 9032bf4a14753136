"""Rules for Portuguese, of Portugal and of Brazil: forms and letters, tax numbers."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from . import european

WORDS = european.Words(
    titles=r"(?:Sr|Sra|Srta|Senhor|Senhora|Dr|Dra|Doutor|Doutora|Prof|Profa|Professor|Professora|Eng|Enf|Dom|Dona|D|Exmo|Exma|Padre|Irmã)",
    particles=r"(?:da|das|do|dos|de|d'|e)",
    fields=r"nome|nome completo|apelido|sobrenome|paciente|médic[oa]|doente|utente|assinado"
    r"|autor[a]?|contat?o|responsável|titular|requerente|enfermeir[oa]|mãe|pai",
    relatives=r"(?:[Ff]ilha|[Ff]ilho|[Ee]sposa|[Ee]sposo|[Mm]ulher|[Mm]arido|[Mm]ãe|[Pp]ai|[Ii]rmã|[Ii]rmão|[Vv]izinha|[Vv]izinho|[Cc]ompanheira|[Cc]ompanheiro|[Aa]vó|[Aa]vô"
    r"|[Tt]ia|[Tt]io|[Pp]rima|[Pp]rimo|[Nn]eta|[Nn]eto|[Aa]miga|[Aa]migo|[Cc]olega)",
    introduces=r"(?:[Pp]aciente|[Uu]tente|[Cc]hamo-me|[Mm]e chamo|[Mm]eu nome é|[Oo] meu nome é"
    r"|[Ss]ou [oa]?|chamad[oa]|[Cc]ar[oa]|[Oo]lá|[Ee]xmo\. Senhor|assinado por)",
    months=r"janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    short_months=r"jan|fev|abr|mai|jun|jul|ago|set|out|nov|dez",
    day=r"(?:1[°º]|[0-3]?[0-9])",
    of=r"(?:de )?",
    year=r"em|desde|ano|até|de",
    age=r"anos(?: de idade)?\b|meses(?: de idade)?\b",
    aged=r"idade",
    lives=r"(?:vive em|mora em|residente em|reside em|nascid[oa] em|natural de|vind[oa] de"
    r"|mora no|mora na)",
    institutions=r"(?:Hospital|Clínica|Centro de Saúde|Universidade|Faculdade|Escola|Colégio"
    r"|Instituto|Câmara Municipal|Tribunal|Banco|Caixa|Fundação|Associação"
    r"|Farmácia|Ministério|Santa Casa|UBS|UPA|Prefeitura)",
    institution_ends=r"Lda\.?|Ltda\.?|S\.A\.|S/A|EIRELI|ME|EI|Filhos|SGPS",
    countries=r"Portugal|Brasil|Angola|Moçambique|Cabo Verde|Guiné-Bissau|Timor-Leste|Espanha"
    r"|França|Alemanha|Itália|Suíça|Luxemburgo|Reino Unido|Inglaterra|Irlanda"
    r"|Holanda|Bélgica|Ucrânia|Roménia|Romênia|Moldávia|Rússia|China|Japão|Índia|Nepal|Argentina"
    r"|Chile|Uruguai|Paraguai|Bolívia|Peru|Colômbia|Venezuela|Estados Unidos|Canadá",
    nationalities=r"[Pp]ortugues(?:a|as|es)?|[Pp]ortuguês|[Bb]rasileir[oa]s?|[Aa]ngolan[oa]s?|[Mm]oçambican[oa]s?|[Cc]abo-?verdian[oa]s?|[Ee]spanho(?:l|la|is|las)|[Ff]rances(?:a|as|es)"
    r"|[Ff]rancês|[Aa]lem(?:ão|ã|ães)|[Ii]talian[oa]s?|[Ii]ngles(?:a|as|es)|[Ii]nglês|[Uu]cranian[oa]s?|[Rr]omen[oa]s?|[Cc]hines(?:a|as|es)|[Cc]hinês|[Aa]merican[oa]s?|[Aa]rgentin[oa]s?|[Vv]enezuelan[oa]s?",
    nationality=r"nacionalidade",
    trade=r"trabalha como|de profissão|[Pp]rofissão|[Oo]cupação|empregad[oa] como",
    sex=r"homem|mulher|menino|menina|rapaz|rapariga|masculino|feminino",
    address=r"morada|endereço|residência|domicílio",
    town=r"cidade|localidade|concelho|freguesia|município|naturalidade",
    postcode=r"(?:[0-9]{4}-[0-9]{3}|[0-9]{5}-?[0-9]{3})",
    record=r"processo|prontuário|número de utente|utente|registo clínico|episódio|sns",
    account=r"conta|número de cliente|fatura|factura|encomenda|pedido|contrato|cliente|protocolo",
    insurance=r"apólice|número de beneficiário|segurança social|niss|carteirinha|convênio|seguro",
    licence=r"carta de condução|cnh|crm|cédula profissional|ordem dos médicos|coren",
    plate=r"matrícula|placa",
    passport=r"passaporte|bilhete de identidade|cartão de cidadão|rg|identidade"
    r"|título de residência",
    birth=r"nascid[oa] a|nascid[oa] em|nasceu em|data de nascimento|nascimento",
    ago=r"há (?:[0-9]{1,3}|dois|duas|três|quatro|cinco|seis|alguns|algumas|uns) (?:dias|semanas"
    r"|meses|anos)"
    r"|(?:segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo|semana"
    r"|mês) (?:passad[oa]|que vem)|(?:na|no) (?:última|último|próxima|próximo) (?:semana|mês)",
)
FREQUENT = european.frequent(WORDS)
RULES = (
    Rule(
        "NATIONAL_ID",
        r"\b[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}\b",
        checks.cpf,
        1.0,
        "CPF with right check digits",
    ),
    Rule(
        "NATIONAL_ID", r"\b[0-9]{2}\.?[0-9]{3}\.?[0-9]{3}/[0-9]{4}-?[0-9]{2}\b", None, 0.9, "CNPJ"
    ),
    Rule(
        "NATIONAL_ID",
        r"\b(?i:nif|contribuinte|cpf|nif/nipc):? ?([0-9][0-9 .-]{7,13}[0-9])\b",
        None,
        0.95,
    ),
    Rule("NATIONAL_ID", r"\b[1235][0-9]{8}\b", checks.nif, 0.8, "NIF with a right check digit"),
    Rule("POSTCODE", r"\b[0-9]{4}-[0-9]{3}\b", checks.no_year_first, 0.8),
    Rule("POSTCODE", r"\b[0-9]{5}-[0-9]{3}\b", None, 0.8),
    Rule(
        "VEHICLE",
        r"\b(?:[A-Z]{2}-[0-9]{2}-[A-Z]{2}|[0-9]{2}-[A-Z]{2}-[0-9]{2}|[A-Z]{3}-?[0-9][A-Z0-9][0-9]{2})\b",
        None,
        0.7,
        "number plate",
    ),
    *european.rules(WORDS),
)
