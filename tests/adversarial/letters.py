"""Word documents, web pages, mails and PDF files that hold a secret in one of their places."""

from __future__ import annotations

import base64
import io
import zipfile
from email.message import EmailMessage

from adversarial.search import SECRET

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
PLAIN = "The patient was seen for asthma and chest pain."
TEXT = f"The patient {SECRET} was seen for asthma and chest pain."


def p(text: str, inner: str = "") -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r>{inner}</w:p>"


BODY = "".join(p(PLAIN) for _ in range(5))


def document(body: str, parts: dict[str, str] | None = None, links: str = "") -> bytes:
    """A Word document with this body, written by hand, so that no library is needed."""
    whole = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{LINKS}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        **(parts or {}),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in whole.items():
            archive.writestr(name, content)
    return out.getvalue()


def beside(kind: str, content: str) -> bytes:
    """A document with another part that holds text."""
    link = f'<Relationship Id="r7" Type="{LINKS}/{kind}" Target="{kind}.xml"/>'
    part = f'<w:{kind} xmlns:w="{WORD}">{content}</w:{kind}>'
    return document(BODY + p(PLAIN), {f"word/{kind}.xml": part}, link)


BY = f'w:id="1" w:author="{SECRET}" w:initials="{SECRET}"'
S, LETTERS = SECRET, "".join(f"<w:r><w:t>{one}</w:t></w:r>" for one in SECRET)
HIDDEN = f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{TEXT}</w:t></w:r></w:p>"
BOX = f"<w:r><w:pict><w:txbxContent>{p(TEXT)}</w:txbxContent></w:pict></w:r>"
TABLE = f"<w:tbl><w:tr><w:tc>{p(TEXT)}</w:tc></w:tr></w:tbl>"
ENTITIES = "".join(f"&#{ord(one)};" for one in SECRET)
DOCUMENTS = {
    "docx body": document(BODY + p(TEXT)),
    "docx runs": document(BODY + f"<w:p>{LETTERS}</w:p>"),
    "docx entities": document(BODY + p(TEXT.replace(SECRET, ENTITIES))),
    "docx table": document(BODY + TABLE),
    "docx text box": document(BODY + p(PLAIN, BOX)),
    "docx hidden text": document(BODY + HIDDEN),
    "docx header": beside("header", p(TEXT)),
    "docx footer": beside("footer", p(TEXT)),
    "docx footnote": beside("footnotes", f'<w:footnote w:id="1">{p(TEXT)}</w:footnote>'),
    "docx endnote": beside("endnotes", f'<w:endnote w:id="1">{p(TEXT)}</w:endnote>'),
    "docx comment": beside("comments", f"<w:comment {BY}>{p(TEXT)}</w:comment>"),
    "docx deletion": document(
        BODY + p(PLAIN, f"<w:del {BY}><w:r><w:delText>{S}</w:delText></w:r></w:del>")
    ),
    "docx insertion": document(BODY + p(PLAIN, f"<w:ins {BY}><w:r><w:t>.</w:t></w:r></w:ins>")),
    "docx field": document(BODY + p(PLAIN, f"<w:r><w:instrText>{S}</w:instrText></w:r>")),
    "docx link": document(
        BODY + p(PLAIN),
        links=f'<Relationship Id="r8" Type="{LINKS}/hyperlink" Target="http://{S}.org" '
        'TargetMode="External"/>',
    ),
    "docx alternative text": document(
        BODY
        + p(
            PLAIN,
            f'<w:r><w:pict alt="{S}"><w:txbxContent>{p(PLAIN)}</w:txbxContent></w:pict></w:r>',
        )
    ),
    "docx bookmark": document(BODY + p(PLAIN, f'<w:bookmarkStart w:id="1" w:name="{S}"/>')),
    "docx properties": document(BODY, {"docProps/core.xml": f"<a>{S}</a>"}),
    "docx custom part": document(BODY, {"customXml/item1.xml": f"<a>{S}</a>"}),
    "docx settings": document(
        BODY,
        {"word/settings.xml": f'<w:settings xmlns:w="{WORD}"><w:docVar w:val="{S}"/></w:settings>'},
    ),
    "docx embedded file": document(BODY, {"word/embeddings/a.bin": S}),
    "docx picture": document(BODY, {"word/media/a.png": S}),
}

BLOCKS = f"<p>{PLAIN}</p>" * 5
PAGES = {
    "html text": f"<p>{TEXT}</p>",
    "html letters": "<p>" + "".join(f"<b>{one}</b>" for one in SECRET) + "</p>",
    "html entities": f"<p>{TEXT.replace(SECRET, ENTITIES)}</p>",
    "html title": f"<title>{TEXT}</title>",
    "html alternative text": f'<img alt="{TEXT}">',
    "html value": f"<input value='{TEXT}'>",
    "html address": f'<p><a href="mailto:{S}">mail</a></p>',
    "html picture": f'<img src="{S}.png">',
    "html class": f'<p class="{S}" id="{S}" data-a="{S}" style="{S}">a</p>',
    "html own tag": f"<{S}>a</{S}>",
    "html own attribute": f"<p {S}='{S}'>a</p>",
    "html comment": f"<!-- {S} --><p>a</p>",
    "html open comment": f"<p>a</p><!-- {S}",
    "html script": f"<script>let a = '{S}'</script>",
    "html style": f"<style>.{S} {{}}</style>",
    "html template": f"<template>{S}</template>",
    "html meta": f'<meta name="author" content="{S}">',
    "html instruction": f"<?{S}?>",
    "html document type": f"<!DOCTYPE {S}>",
    "html cdata": f"<![CDATA[ {S} ]]>",
}
WEB = {
    name: f"{page if 'type' in name else ''}<html><body>{BLOCKS}{page}</body></html>".encode()
    for name, page in PAGES.items()
}


def mail(subject: str = PLAIN, body: str = TEXT, **headers: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"], made["From"] = subject, "a <a@example.org>"
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content((PLAIN + "\n") * 3 + body)
    return made


def with_part(**how: str) -> bytes:
    made = mail(body=PLAIN)
    if how.get("html"):
        made.add_alternative(f"<p>{TEXT}</p><!-- {S} -->", subtype="html")
    if how.get("text"):
        made.add_attachment(TEXT, filename=f"{S}.txt")
    if how.get("binary"):
        made.add_attachment(S.encode(), maintype="image", subtype="png")
    if how.get("message"):
        made.add_attachment(mail(X_Mailer=S))
    return made.as_bytes()


MAILS = {
    "mail body": mail().as_bytes(),
    "mail base64": b"Subject: a\nContent-Transfer-Encoding: base64\n\n"
    + base64.encodebytes((TEXT + "\n" + PLAIN * 3).encode()),
    "mail quoted printable": b"Subject: a\nContent-Transfer-Encoding: quoted-printable\n\n"
    + "".join(f"={ord(one):02X}" for one in f"{S} was seen for asthma.").encode(),
    "mail subject": mail(subject=TEXT, body=PLAIN).as_bytes(),
    "mail encoded subject": mail(subject=TEXT + " é", body=PLAIN).as_bytes(),
    "mail other header": mail(body=PLAIN, X_Mailer=S, Received=S, Message_ID=f"<{S}@a>").as_bytes(),
    "mail html": with_part(html="1"),
    "mail text attached": with_part(text="1"),
    "mail picture attached": with_part(binary="1"),
    "mail within a mail": with_part(message="1"),
    "mail preamble": with_part(html="1").replace(b"\n\n--", f"\n\n{S}\n--".encode(), 1),
}
