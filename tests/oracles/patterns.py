"""String sanitization by its definitions; `#` is the separator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from math import sqrt

SEPARATOR = "#"


def windows(text: str, k: int) -> list[str]:
    """The length-k windows without a separator, in order."""
    every = [text[i : i + k] for i in range(len(text) - k + 1)]
    return [window for window in every if SEPARATOR not in window]


def kept(text: str, sensitive: Iterable[str], k: int) -> list[str]:
    """N: the non-sensitive windows, in order."""
    secret = set(sensitive)
    return [window for window in windows(text, k) if window not in secret]


def marked(text: str, patterns: Sequence[str], k: int) -> set[str]:
    """Of each pattern its length-k substring that is rarest in the text, leftmost on ties."""
    count = Counter(windows(text, k))
    return {min(windows(pattern, k), key=lambda window: count[window]) for pattern in patterns}


def tfs(text: str, sensitive: Iterable[str], k: int) -> str:
    """X as the method's notes spell it: scan N, append one symbol or `#` and the window."""
    result = ""
    before: str | None = None
    for window in kept(text, sensitive, k):
        if before is None:
            result = window
        elif before[1:] == window[:-1]:
            result += window[-1]
        else:
            result += SEPARATOR + window
        before = window
    return result


def strings(alphabet: str, length: int) -> Iterator[str]:
    """Every string of this length."""
    return ("".join(letters) for letters in product(alphabet, repeat=length))


def shortest(text: str, sensitive: Iterable[str], k: int, alphabet: str, limit: int) -> int | None:
    """The least length of any string with C1, P1 and P2; None if it is over the limit."""
    target = kept(text, sensitive, k)
    for length in range(limit + 1):
        if any(windows(z, k) == target for z in strings(alphabet + SEPARATOR, length)):
            return length
    return None


def least_edit_distance(
    text: str, sensitive: Iterable[str], k: int, alphabet: str, longest: int
) -> int | None:
    """The least distance from the text to any string of at most `longest` symbols with C1 to P2."""
    target = kept(text, sensitive, k)
    return min(
        (
            edit_distance(text, z)
            for length in range(longest + 1)
            for z in strings(alphabet + SEPARATOR, length)
            if windows(z, k) == target
        ),
        default=None,
    )


def edit_distance(a: Sequence[object], b: Sequence[object]) -> int:
    """Levenshtein's distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def shortest_arrangement(blocks: Sequence[str], k: int) -> int:
    """The least length of the blocks in any order, joined by `#` or by an overlap of k-1."""
    if not blocks:
        return 0
    best = None
    for order in permutations(blocks):
        length = len(order[0])
        for before, after in pairwise(order):
            overlaps = before[len(before) - k + 1 :] == after[: k - 1]
            length += len(after) - (k - 1) if overlaps else len(after) + 1
        best = length if best is None else min(best, length)
    assert best is not None
    return best


def keeps_chains(text: str, released: str, sensitive: Iterable[str], k: int) -> bool:
    """The partial order: every p-chain occurs at least as often in the release."""

    def chains(text: str) -> Counter[str]:
        blocks = tfs(text, sensitive, k).split(SEPARATOR)
        return Counter(
            block[i:j]
            for block in blocks
            for i in range(len(block))
            for j in range(i + k, len(block) + 1)
        )

    found = Counter(
        piece[i:j]
        for piece in released.split(SEPARATOR)
        for i in range(len(piece))
        for j in range(i + k, len(piece) + 1)
    )
    return all(found[chain] >= count for chain, count in chains(text).items())


def ghosts(text: str, released: str, k: int, tau: int) -> set[str]:
    """Windows with frequency below tau in the text and at least tau in the release."""
    before, after = Counter(windows(text, k)), Counter(windows(released, k))
    return {window for window in after if before[window] < tau <= after[window]}


def lost(text: str, released: str, sensitive: Iterable[str], k: int, tau: int) -> set[str]:
    """Non-sensitive windows with frequency at least tau in the text and below in the release."""
    before, after = Counter(windows(text, k)), Counter(windows(released, k))
    secret = set(sensitive)
    return {w for w in before if w not in secret and after[w] < tau <= before[w]}


def distortion(text: str, released: str, sensitive: Iterable[str], k: int) -> int:
    """The sum over non-sensitive windows of the squared change of frequency."""
    before, after = Counter(windows(text, k)), Counter(windows(released, k))
    secret = set(sensitive)
    return sum((before[w] - after[w]) ** 2 for w in before.keys() | after.keys() if w not in secret)


def contexts(y: str, k: int, choices: Sequence[str]) -> list[list[str]]:
    """S_ij: the 2k-1 symbols round separator i with choice j (2k-2 if deleted, the choice "")."""
    result = []
    for i, symbol in enumerate(y):
        if symbol != SEPARATOR:
            continue
        left = y[max(0, i - k + 1) : i].split(SEPARATOR)[-1]
        right = y[i + 1 : i + k].split(SEPARATOR)[0]
        result.append([left + choice + right for choice in choices])
    return result


def candidates(y: str, k: int, choices: Sequence[str], tau: int) -> set[str]:
    """Candidate ghosts: Freq_Y(U) < tau <= Freq_Y(U) + sum_i max_j Freq_Sij(U)."""
    most: Counter[str] = Counter()
    for options in contexts(y, k, choices):
        best: Counter[str] = Counter()
        for option in options:
            best |= Counter(windows(option, k))
        most += best
    before = Counter(windows(y, k))
    return {u for u in most if before[u] < tau <= before[u] + most[u]}


def mcsr_cost(
    y: str,
    k: int,
    choices: Sequence[str],
    tau: int,
    forbidden: Iterable[str],
    sub: Callable[[str], float],
    theta: float,
) -> float | None:
    """The least total cost of any admissible choice per separator, by enumeration."""
    candidate, never = candidates(y, k, choices, tau), set(forbidden)
    best = None
    rows = contexts(y, k, choices)
    for pick in product(range(len(choices)), repeat=len(rows)):
        made = [windows(row[j], k) for row, j in zip(rows, pick, strict=True)]
        if any(w in never for some in made for w in some):
            continue
        if sum(sub(choices[j]) for j in pick) > theta:
            continue
        cost = float(sum(w in candidate for some in made for w in some))
        best = cost if best is None else min(best, cost)
    return best


def fewest_ghosts(
    text: str, y: str, k: int, choices: Sequence[str], tau: int, forbidden: Iterable[str]
) -> int | None:
    """The least number of tau-ghosts over all admissible replacements, by enumeration."""
    never, best = set(forbidden), None
    for pick in product(choices, repeat=y.count(SEPARATOR)):
        z = written(y, pick)
        if any(w in never for w in windows(z, k)):
            continue
        found = len(ghosts(text, z, k, tau))
        best = found if best is None else min(best, found)
    return best


def written(y: str, pick: Sequence[str]) -> str:
    """The text with a choice (a letter, or nothing) in the place of every separator."""
    pieces = y.split(SEPARATOR)
    return pieces[0] + "".join(
        choice + piece for choice, piece in zip(pick, pieces[1:], strict=True)
    )


def hide_and_mine(
    y: str, k: int, letters: Sequence[str], tau: int, forbidden: Iterable[str]
) -> list[str] | None:
    """Left to right the letter of least sum 1/(tau - f), f counting what is written already.

    Ties: the least sum of 2c + 1 over the windows, c created so far; then the first letter.
    Deletion ("") only when no letter is admissible; None when that is not either.
    """
    never, before = set(forbidden), Counter(windows(y, k))
    created: Counter[str] = Counter()
    picks = []
    for row in contexts(y, k, [*letters, ""]):
        made = {j: windows(text, k) for j, text in enumerate(row)}
        admissible = [j for j, some in made.items() if not never & set(some)]
        some_letters = [j for j in admissible if j < len(letters)] or admissible
        if not some_letters:
            return None

        def price(j: int, made: dict[int, list[str]] = made) -> tuple[float, int]:
            now = [before[w] + created[w] for w in made[j]]
            return (
                sum(1.0 / (tau - f) for f in now if f < tau),
                sum(2 * created[w] + 1 for w in made[j]),
            )

        best = min(some_letters, key=price)
        created.update(made[best])
        picks.append([*letters, ""][best])
    return picks


def refined(
    y: str,
    k: int,
    letters: Sequence[str],
    tau: int,
    forbidden: Iterable[str],
    pick: Sequence[str],
    sweeps: int,
) -> list[str]:
    """Sweeps: at every separator the letter of fewest ghosts, then least distortion.

    Both are counted over the whole text; on ties the old one stays, then the first wins. A deleted
    separator stays so.
    """
    never, before = set(forbidden), Counter(windows(y, k))
    rows = contexts(y, k, [*letters, ""])
    choices = [*letters, ""]

    def price(picks: Sequence[str]) -> tuple[int, int]:
        made = [windows(row[choices.index(c)], k) for row, c in zip(rows, picks, strict=True)]
        created = Counter(w for some in made for w in some)
        return (
            sum(before[w] < tau <= before[w] + count for w, count in created.items()),
            sum(count * count for count in created.values()),
        )

    result = list(pick)
    for _ in range(sweeps):
        old = list(result)
        for i, row in enumerate(rows):
            for j, choice in enumerate(letters if result[i] else []):
                other = [*result[:i], choice, *result[i + 1 :]]
                if not never & set(windows(row[j], k)) and price(other) < price(result):
                    result = other
        if result == old:
            break
    return result


def z_score(window: str, reference: str) -> float:
    """How far a window's frequency is from what its parts let expect."""

    def f(piece: str) -> int:
        return sum(reference.startswith(piece, i) for i in range(len(reference) - len(piece) + 1))

    inner = f(window[1:-1])
    expected = f(window[:-1]) * f(window[1:]) / inner if inner else 0.0
    return (f(window) - expected) / max(sqrt(expected), 1.0)


def fewest_deleted(text: str, patterns: Iterable[str]) -> int:
    """The least number of symbols whose deletion leaves no pattern, by trying all."""
    listed = list(patterns)
    for count in range(len(text) + 1):
        for gone in combinations(range(len(text)), count):
            left = "".join(symbol for i, symbol in enumerate(text) if i not in gone)
            if not any(pattern in left for pattern in listed):
                return count
    raise AssertionError("the empty text has no pattern")


def is_subsequence(part: Sequence[object], whole: Sequence[object]) -> bool:
    """Whether symbols may be deleted from the whole such that the part is left."""
    rest = iter(whole)
    return all(symbol in rest for symbol in part)


def shortest_filling(
    left: str, right: str, letters: str, forbidden: Iterable[str], most: int
) -> int | None:
    """How many letters the shortest admissible string between two texts has; one before none."""
    never = set(forbidden)

    def may(string: str) -> bool:
        whole = left + string + right
        return not any(
            whole[i : i + len(one)] == one
            for one in never
            for i in range(len(whole))
            if i < len(left) + len(string)
            and i + len(one) > len(left)
            and (string or i < len(left) < i + len(one))
        )

    sizes: list[int] = [1, 0, *range(2, most + 1)]
    for size in sizes:
        if any(may("".join(string)) for string in product(letters, repeat=size)):
            return size
    return None
