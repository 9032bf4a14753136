"""The list of known leaks names cases alone."""

from adversarial.known import KNOWN
from adversarial.places import PLACES
from adversarial.test_alike import ALIKE
from adversarial.test_tables import TABLES
from adversarial.test_wrong import WRONG


def test_every_known_leak_is_a_case():
    assert set(KNOWN) <= {place.name for place in PLACES} | set(TABLES) | ALIKE | WRONG
