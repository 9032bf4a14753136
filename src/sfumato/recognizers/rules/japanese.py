"""Rules for Japanese: names by honorifics and fields, addresses by prefecture, eras, numbers.

Japanese has no blanks between words, so these rules do not ask where a word begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...core.spans import Span
from .. import checks
from ..overlaps import resolve
from ..weekdays import with_weekdays

if TYPE_CHECKING:
    from ...core.progress import Progress

KANJI, KATAKANA, HIRAGANA = "一-龯々〆ヶ", "ァ-ヺー", "ぁ-ゖ"
DIGIT = "[0-9０-９]"
DASH = "[-－‐−ー―]"
HONORIFIC = (
    "(?:さん|さま|様|氏|先生|君|くん|ちゃん|殿|医師|教授|准教授|看護師|主治医|弁護士"
    "|社長|部長|課長|容疑者|被告)"
)
# Two to four letters for a surname (and up to three for a given name), or a name in katakana.
NAME = (
    f"(?:[{KANJI}]{{1,4}}[ 　]?[{KANJI}{HIRAGANA}]{{1,3}}|[{KANJI}]{{2,5}}"
    f"|[{KATAKANA}]{{2,10}}(?:[・ 　][{KATAKANA}]{{2,10}}){{0,2}})"
)
SURNAME = (
    "(?:佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|渡部|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|斎藤|斉藤|齋藤|清水|山崎|池田|橋本"
    "|阿部|安部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|太田|西村|藤井|金子|岡本|藤原|三浦|中野|中川"
    "|原田|松田|竹内|小野|田村|中山|和田|石田|森田|上田|内田|柴田|酒井|宮崎|横山|高木|安藤|宮本|大野|小島|谷口|今井|工藤|高田|増田|丸山|杉山"
    "|村田|大塚|新井|小山|平野|藤本|河野|上野|武田|野口|松井|千葉|菅原|岩崎|久保田|久保|木下|佐野|野村|松尾|菊地|菊池|杉本|市川|古川|大西"
    "|島田|水野|桜井|高野|吉川|山内|西田|飯田|西川|小松|北村|安田|五十嵐|川口|平田|中田|服部|岩田|土屋|川崎|福島|本田|樋口|秋山|田口|永井"
    "|山中|中西|吉村|川上|石原|大橋|松岡|馬場|浜田|森本|星野|矢野|浅野|大久保|吉岡|小池|野田|荒井|大谷|熊谷|須藤|望月|尾崎|松下|田辺|児玉"
    "|大島|石塚|荒木|小沢|広瀬|早川|黒田|片山|内藤|篠原|川村|福井|関口|堀内|栗原|横田|岡崎|小西|奥村|松村|川島|滝沢|成田|白石|宮田|相馬)"
)
LAST_OF_GIVEN = "[子美恵郎夫男雄也介助太平樹代奈香花菜江枝吉治造之彦輔斗翔真希里穂乃音一]"
GIVEN = f"(?:[{KANJI}]{{1,3}}|[{HIRAGANA}]{{2,4}}|[{KANJI}]{{1,2}}[{HIRAGANA}]{{1,2}})"
PREFECTURE = (
    "(?:北海道|東京都|大阪府|京都府|(?:青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|神奈川|新潟|富山|石川|福井|山梨|長野|岐阜"
    "|静岡|愛知|三重|滋賀|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡|佐賀|長崎|熊本|大分|宮崎|鹿児島|沖縄)県)"
)
PLACE = f"[{KANJI}{HIRAGANA}{KATAKANA}]"
TOWN = f"(?:(?:[{KANJI}{KATAKANA}]{{1,6}}|[{HIRAGANA}]{{2,5}})(?:市|郡|区|町|村)){{1,3}}"
BLOCK = f"(?:(?:{DIGIT}{{1,4}}|[一二三四五六七八九十]{{1,3}})(?:丁目|番地の?|番|号|の|{DASH})?)"
ERA = (
    f"(?:明治|大正|昭和|平成|令和)(?:{DIGIT}{{1,2}}|元|[一二三四五六七八九十]{{1,3}})年"
    f"|[MTSHR]{DIGIT}{{1,2}}[.．]{DIGIT}{{1,2}}[.．]{DIGIT}{{1,2}}"
)
MONTH_DAY = f"{DIGIT}{{1,2}}月(?:{DIGIT}{{1,2}}日|頃|上旬|中旬|下旬)?"
COUNTRY = (
    "(?:日本|中国|韓国|北朝鮮|台湾|アメリカ|米国|カナダ|ブラジル|ペルー|イギリス|英国|フランス|ドイツ|イタリア|スペイン|ポルトガル|オランダ|ベルギー"
    "|スイス|ロシア|ウクライナ|インド|ネパール|パキスタン|ベトナム|タイ|フィリピン|インドネシア|ミャンマー|オーストラリア|トルコ|イラン|エジプト)"
)
# What may follow a name without being part of it.
BEHIND = "[はがのをとにもへで、。,()（）:： 　\\n]|様|さん|氏|先生|から|より|まで"
TRADES = (
    "市",
    "区",
    "町",
    "村",
    "駅",
    "県",
    "川",
    "水産",
    "建設",
    "電気",
    "情報",
    "印刷",
    "銀行",
    "食品",
    "運輸",
    "保険",
    "通信",
    "農林",
    "鉱業",
    "ガス",
    "会社",
)
DISTRICT = (
    f"(?:[{KANJI}{KATAKANA}]{{1,5}}市)?[{KANJI}{KATAKANA}]{{1,5}}区|[{KANJI}ヶケ]{{2,5}}市"
    f"|[{KANJI}]{{1,4}}郡[{KANJI}ヶの]{{1,5}}[町村]|[{KANJI}ヶ]{{2,4}}[町村]"
)
COMMON_TOWNS = frozenset(
    [
        "都市",
        "同市",
        "各市",
        "当市",
        "本市",
        "全市",
        "地区",
        "市区",
        "学区",
        "選挙区",
        "特区",
        "城下町",
        "下町",
        "農村",
        "漁村",
        "山村",
        "市町村",
        "隣町",
        "港町",
        "同町",
        "同村",
        "各地区",
        "行政区",
        "校区",
    ]
)
# Words before an honorific that name nobody.
NOBODY = frozenset(
    [
        "患者",
        "皆",
        "お客",
        "客",
        "神",
        "奥",
        "娘",
        "息子",
        "母",
        "父",
        "兄",
        "姉",
        "弟",
        "妹",
        "祖母",
        "祖父",
        "医者",
        "看護師",
        "業者",
        "担当",
        "家族",
        "王",
        "殿",
        "仏",
        "各位",
        "主治医",
        "貴殿",
        "同氏",
        "両氏",
        "有名人",
        "本人",
        "隣人",
        "店員",
        "運転手",
        "お医者",
        "担当者",
        "利用者",
        "関係者",
        "学生",
        "生徒",
        "子ども",
        "子供",
        "赤",
        "奥方",
        "旦那",
        "主人",
        "御主人",
        "先",
        "警察",
        "消防士",
        "大工",
        "外",
        "内",
        "同",
        "両",
        "某",
        "故",
    ]
)


def _somebody(text: str) -> bool:
    """Whether a name before an honorific is more than a word for anybody."""
    return text.strip(" 　") not in NOBODY and not text.startswith(("お", "ご", "御"))


def _no_firm(text: str) -> bool:
    """Whether a surname is not followed by a trade, as in a firm's name."""
    return not text.endswith(TRADES)


def _no_common_town(text: str) -> bool:
    """Whether a town or ward is named, not any."""
    return text not in COMMON_TOWNS


def _number(text: str) -> bool:
    return checks.my_number(text)


def _phone(text: str) -> bool:
    digits = checks.digits_of(text.translate(checks.WIDE_DIGITS))
    return (digits[0] == "0" and 9 <= len(digits) <= 11) or digits[:2] == "81"


# Expression, label, check, score; a group marks the value. RE2 reads them.
RULES: tuple[tuple[str, str, Callable[[str], bool] | None, float], ...] = (
    (
        r"([A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})",
        "EMAIL",
        None,
        1.0,
    ),
    (r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+[A-Za-z0-9/_#=-]", "URL", None, 1.0),
    (f"(?:{ERA})(?:{MONTH_DAY})?", "DATE", None, 0.95),
    (f"(?:19|20|１９|２０){DIGIT}{{2}}年(?:度|{MONTH_DAY})?", "DATE", None, 0.95),
    (f"(?:19|20){DIGIT}{{2}}[/.-]{DIGIT}{{1,2}}[/.-]{DIGIT}{{1,2}}", "DATE", None, 0.9),
    (f"{DIGIT}{{1,2}}月{DIGIT}{{1,2}}日", "DATE", None, 0.9),
    (
        "(?:昨日|一昨日|先週|先月|昨年|来週|来月|来年)(?:の?[月火水木金土日]曜日?)?",
        "DATE",
        None,
        0.5,
    ),
    (
        f"{DIGIT}{{1,3}}[歳才](?:{DIGIT}{{1,2}}[かヶカケ]月)?|{DIGIT}0代(?:前半|後半)?|生後{DIGIT}{{1,2}}[かヶカケ]月",
        "AGE",
        None,
        0.9,
    ),
    (
        f"(?:マイナンバー|個人番号)[^0-9０-９]{{0,6}}"
        f"({DIGIT}{{4}}[ 　-]?{DIGIT}{{4}}[ 　-]?{DIGIT}{{4}})",
        "NATIONAL_ID",
        None,
        0.95,
    ),
    (
        f"({DIGIT}{{4}}[ 　-]?{DIGIT}{{4}}[ 　-]?{DIGIT}{{4}})(?:[^0-9０-９]|$)",
        "NATIONAL_ID",
        _number,
        0.9,
    ),
    (
        f"[+＋]81[- 　]?{DIGIT}{{1,4}}{DASH}?{DIGIT}{{1,4}}{DASH}?{DIGIT}{{3,4}}",
        "PHONE",
        None,
        0.95,
    ),
    (
        f"[(（]?[0０]{DIGIT}{{1,4}}[)）]?(?:{DASH}|[ 　])?{DIGIT}{{1,4}}(?:{DASH}"
        f"|[ 　]){DIGIT}{{3,4}}",
        "PHONE",
        _phone,
        0.9,
    ),
    (
        f"(?:電話|携帯|TEL|Tel|ＴＥＬ|FAX|ＦＡＸ)(?:番号)?[^0-9０-９]{{0,4}}([0０]{DIGIT}{{8,10}})",
        "PHONE",
        None,
        0.95,
    ),
    (f"[0０][7８9８９７][0０]{DIGIT}{{8}}", "PHONE", None, 0.8),
    (f"(?:^|\\n)({DIGIT}{{3}}{DASH}{DIGIT}{{4}})(?:[ 　\\n]|$)", "POSTCODE", None, 0.8),
    (
        f"(?:電話|携帯|TEL|Tel|連絡先|ＴＥＬ)(?:番号)?[^0-9０-９]{{0,4}}({DIGIT}{{2,5}}{DASH}{DIGIT}{{1,4}}{DASH}{DIGIT}{{3,4}})",
        "PHONE",
        None,
        0.95,
    ),
    (f"〒 ?({DIGIT}{{3}}{DASH}?{DIGIT}{{4}})", "POSTCODE", None, 1.0),
    (f"(?:郵便番号)[^0-9０-９]{{0,4}}({DIGIT}{{3}}{DASH}?{DIGIT}{{4}})", "POSTCODE", None, 1.0),
    (
        f"(?:{PREFECTURE})?{TOWN}{PLACE}{{0,8}}{BLOCK}{{1,5}}"
        f"(?:[ 　]?{PLACE}{{1,12}}{DIGIT}{{1,4}}(?:号室?)?)?",
        "ADDRESS",
        None,
        0.85,
    ),
    (f"{PREFECTURE}(?:{TOWN})?", "LOCATION", None, 0.85),
    ("(?:住所|現住所|所在地|本籍)[:： 　は]{1,3}([^ \\n\\r。、]{4,40})", "ADDRESS", None, 0.9),
    (
        f"(?:氏名|名前|患者名|お名前|姓名|担当医|主治医|担当者|代表者|記入者|署名"
        f"|フリガナ)[:： 　は]{{1,3}}({NAME})",
        "PERSON",
        None,
        0.9,
    ),
    (f"({NAME}){HONORIFIC}", "PERSON", _somebody, 0.85),
    (f"(?:^|[^{KANJI}])([{KANJI}])(?:ちゃん|くん|さん)", "PERSON", _somebody, 0.7),
    (f"(?:^|[^{HIRAGANA}])([{HIRAGANA}]{{2,4}})(?:ちゃん|くん)", "PERSON", _somebody, 0.7),
    (f"({SURNAME}[ 　]?[{KANJI}]{{1,3}})(?:{BEHIND}|$)", "PERSON", _no_firm, 0.7),
    (f"(?:^|[^{KANJI}])({SURNAME})(?:{BEHIND}|と申)", "PERSON", None, 0.6),
    (
        f"(?:長男|次男|長女|次女|父|母|夫|妻|兄|姉|弟|妹|娘|息子|祖父|祖母|友人|同僚)の([{KANJI}]{{1,2}}{LAST_OF_GIVEN})(?:{BEHIND})",
        "PERSON",
        _somebody,
        0.7,
    ),
    (
        f"(?:契約者|名義人|宛先|届け先|送り先|差出人|依頼人|申込者|証人"
        f"|患者|被告人?|原告|被害者|代理人|容疑者)[:： 　は]{{0,3}}({SURNAME}{GIVEN})",
        "PERSON",
        None,
        0.8,
    ),
    (
        f"(?:^|[^{KANJI}])({DISTRICT})(?:[^{KANJI}]|在住|出身|生まれ|$)",
        "LOCATION",
        _no_common_town,
        0.7,
    ),
    (f"[）)]?\\(({DIGIT}{{1,2}})\\)", "AGE", None, 0.4),
    (
        f"(?:株式会社|有限会社|医療法人|学校法人|社会福祉法人|財団法人|合同会社)[{KANJI}{KATAKANA}A-Za-z]{{2,15}}",
        "ORG",
        None,
        0.85,
    ),
    (
        f"[{KANJI}{KATAKANA}A-Za-z]{{2,14}}(?:株式会社|有限会社|合同会社|病院|医院|クリニック|大学|高校|高等学校|中学校|小学校|幼稚園|保育園|銀行|信用金庫|研究所|診療所|保健所|警察署|市役所|区役所|新聞社|製作所|薬局)",
        "ORG",
        None,
        0.8,
    ),
    (f"{COUNTRY}人", "NATIONALITY", None, 0.8),
    (f"(?:国籍)[:： 　は]{{1,3}}([{KANJI}{KATAKANA}]{{2,10}})", "NATIONALITY", None, 0.9),
    (f"(?:職業)[:： 　は]{{1,3}}([{KANJI}{KATAKANA}{HIRAGANA}]{{2,12}})", "OCCUPATION", None, 0.85),
    (
        f"(?:診察券番号|患者番号|患者ID|カルテ番号|ID)[:： 　は]{{0,3}}"
        f"([A-Z]{{0,3}}{DIGIT}{{4,12}})",
        "MRN",
        None,
        0.9,
    ),
    (
        f"(?:口座番号|会員番号|お客様番号|注文番号|契約番号)[:： 　は]{{0,3}}"
        f"([A-Z]{{0,3}}{DIGIT}{{4,14}})",
        "ACCOUNT",
        None,
        0.9,
    ),
    (
        f"(?:被保険者番号|保険証番号|記号番号)[:： 　は]{{0,3}}({DIGIT}[0-9０-９・-]{{4,14}})",
        "INSURANCE",
        None,
        0.9,
    ),
    (
        "(?:旅券番号|パスポート番号|運転免許証番号|免許証番号"
        "|在留カード番号)[:： 　は]{0,3}([A-Z0-9０-９]{6,14})",
        "NATIONAL_ID",
        None,
        0.9,
    ),
    (
        f"[{KANJI}]{{2,4}} ?{DIGIT}{{3}} ?[{HIRAGANA}] ?{DIGIT}{{2}}{DASH}{DIGIT}{{2}}",
        "VEHICLE",
        None,
        0.9,
    ),
    ("(?:男性|女性|男児|女児|男の子|女の子)", "GENDER", None, 0.6),
)


@dataclass(frozen=True)
class Japanese:
    """A recogniser by rules for Japanese. Cost: O(n) for each rule.

    >>> texts = ["令和3年5月6日、東京都港区の山田太郎さん(45歳)から電話 03-1234-5678。"]
    >>> [(span.label, texts[0][span.start : span.stop]) for span in Japanese()(texts)][:4]
    [('DATE', '令和3年5月6日'), ('LOCATION', '東京都港区'), ('PERSON', '山田太郎'), ('AGE', '45歳')]
    """

    name: str = "rules-ja"

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        found: list[Span] = []
        for document, text in enumerate(texts):
            searched = text.encode("utf-8", "replace").decode()  # half pairs match nothing
            here = []
            for expression, label, check, score in _compiled():
                for match in expression.finditer(searched):
                    start, stop = match.span(1 if expression.groups else 0)
                    if start < stop and (check is None or check(text[start:stop])):
                        why = f"{self.name}: {label.lower()}"
                        here.append(Span(document, start, stop, label, score, why))
            found += resolve(here)
            if progress is not None and document % 100 == 99:
                progress(self.name, (document + 1) / len(texts))
        return with_weekdays(texts, found)


@cache
def _compiled() -> tuple[tuple[Any, str, Callable[[str], bool] | None, float], ...]:
    import re2

    return tuple((re2.compile(one[0]), *one[1:]) for one in RULES)
