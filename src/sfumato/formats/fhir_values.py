"""Values of FHIR resources changed under the steward's key: dates, and names of resources."""

from __future__ import annotations

import hmac
import re
import uuid
from datetime import date, timedelta

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(T.*)?)?)?")
_REFERENCE = re.compile(
    r"(?P<kind>[A-Za-z]+)/(?P<id>[A-Za-z0-9.\-]{1,64})(?:/_history/.*)?|"
    r"urn:(?:uuid|oid):(?P<urn>\S+)|#(?P<inside>\S+)|"
    r"https?://\S*?/(?P<type>[A-Z][A-Za-z]+)/(?P<far>[A-Za-z0-9.\-]{1,64})(?:/_history/.*)?"
)
MOST = 365


def name_of(reference: str) -> str | None:
    """The name of the resource that a reference means; None if it is none that we know.

    >>> [name_of(one) for one in ("Patient/7", "urn:uuid:7", "#7", "http://h/f/Patient/7", "7?")]
    ['7', '7', '7', '7', None]
    """
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None
    return next(one for one in found.group("id", "urn", "inside", "far") if one is not None)


def pseudonym(key: bytes, name: str) -> str:
    """A name for a resource: the same for the same, and nobody's to who lacks the key."""
    made = hmac.digest(key, b"name\0" + name.encode("utf-8", "surrogatepass"), "sha256")
    return str(uuid.UUID(bytes=made[:16], version=4))


def pseudonymized(key: bytes, value: str) -> str | None:
    """An id or a reference with the pseudonym of what it means; None where it cannot be read.

    >>> key = b"a key of sixteen bytes"
    >>> one = pseudonym(key, "7")
    >>> pseudonymized(key, "Patient/7") == "Patient/" + one, pseudonymized(key, "7") == one
    (True, True)
    >>> pseudonymized(key, "Patient?identifier=Ann")
    """
    found = _REFERENCE.fullmatch(value)
    if found is None:
        plain = re.fullmatch(r"[A-Za-z0-9.\-]{1,64}", value)
        return pseudonym(key, value) if plain else None
    made = pseudonym(key, name_of(value) or "")
    if found["kind"] is not None:
        return f"{found['kind']}/{made}"
    if found["type"] is not None:
        return f"{found['type']}/{made}"
    return f"#{made}" if found["inside"] is not None else f"urn:uuid:{made}"


def offset(key: bytes, patient: str) -> int:
    """By how many days the dates of a patient are shifted: from -365 to 365, never 0."""
    drawn = hmac.digest(key, b"days\0" + patient.encode("utf-8", "surrogatepass"), "sha256")
    days = int.from_bytes(drawn[:8]) % (2 * MOST) - MOST
    return days if days < 0 else days + 1


def shifted(value: str, days: int) -> str | None:
    """A date so many days later, as exact as it was; a time of day becomes midnight.

    >>> shifted("2021-03-01T11:30:00+01:00", -1), shifted("2021-03", 31), shifted("soon", 1)
    ('2021-02-28T00:00:00Z', '2021-04', None)
    """
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day, time = found.groups()
    try:
        moved = date(int(year), int(month or 7), int(day or 1 if month else 1)) + timedelta(days)
    except (ValueError, OverflowError):
        return None
    precise = moved.isoformat()[: 4 if month is None else 7 if day is None else 10]
    return precise + ("T00:00:00Z" if time else "")


def cut(value: str, length: int) -> str | None:
    """A date cut to its year (4) or month (7).

    >>> cut("1950-03-01", 4), cut("long ago", 4)
    ('1950', None)
    """
    return value[:length] if _DATE.fullmatch(value) else None
