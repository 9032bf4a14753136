"""Index, L and cover against libsais, which then has a suffix array and PLCP only.

    python benchmarks/suppress_libsais.py [--library libsais.so] [--symbols 50000000]

CPU seconds, best of 3, in turns, of `trials_en` as codes of 8 bits, k = 5, one text. libsais is no
part of this package. Its library is made
by `gcc -O3 -fPIC -shared -Iinclude src/libsais.c -o libsais.so` in a copy of
github.com/IlyaGrebnov/libsais; without --library it is told to be absent. Data from SFUMATO_DATA or
../shared/data.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tables import Row, record, text_of

from sfumato.kernels.covers import cover
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode

K, TIMES = 5, 3
PEER = "libsais: suffix array, PLCP"
Work = Callable[[], None]


def peer(path: Path, codes: np.ndarray) -> dict[str, Work]:
    """What libsais does with the codes: in arrays made anew, as ours are, and made before."""
    library = ctypes.CDLL(str(path.resolve()))
    size = ctypes.c_int32(len(codes))

    def run(suffixes: np.ndarray, plcp: np.ndarray) -> None:
        at = [one.ctypes.data_as(ctypes.c_void_p) for one in (codes, suffixes, plcp)]
        failed = library.libsais(at[0], at[1], size, 0, None)
        if failed or library.libsais_plcp(at[0], at[1], at[2], size):
            raise SystemExit("libsais failed")

    def arrays() -> tuple[np.ndarray, np.ndarray]:
        return np.empty(len(codes), np.int32), np.empty(len(codes), np.int32)

    before = arrays()
    return {PEER: lambda: run(*arrays()), f"{PEER}, in arrays made before": lambda: run(*before)}


def ours(codes: np.ndarray) -> dict[str, Work]:
    def index() -> None:
        SuffixIndex(codes)

    def stars() -> None:
        lengths = SuffixIndex(codes).repeat_lengths(K, last=True)
        cover(lengths, np.array([len(codes) - 1], np.int64))

    return {"suffix array, PLCP": index, "suffix array, PLCP, L, cover": stars}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path)
    parser.add_argument("--symbols", type=int, default=50_000_000)
    asked = parser.parse_args()
    if asked.library is not None and not asked.library.exists():
        print(f"{asked.library} is absent: build libsais, or leave --library out")
        sys.exit(5)
    codes = encode([text_of("trials_en.txt.zst", asked.symbols)], at_least=K).codes
    if codes.dtype != np.uint8:
        raise SystemExit("the text has more than 255 symbols that occur often enough")
    work = ours(codes) | ({} if asked.library is None else peer(asked.library, codes))
    best = dict.fromkeys(work, float("inf"))
    for _ in range(TIMES):
        for name, run in work.items():
            begun = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - begun)
    whole = best.get(PEER)
    rows: list[Row] = [
        {
            "what": name,
            "CPU s": seconds,
            "of libsais": "absent" if whole is None else seconds / whole,
        }
        for name, seconds in best.items()
    ]
    record(
        "suppress_libsais",
        rows,
        part="suppress",
        title="From codes to stars beside libsais",
        note=f"""{len(codes):,} symbols of English as codes of 8 bits, k = {K}. libsais is built by
        gcc -O3 and runs on one thread. Pages of an array are zeroed when they are first touched,
        which counts for whoever takes the array.""",
        command=f"python benchmarks/suppress_libsais.py --library libsais.so "
        f"--symbols {asked.symbols}",
    )


if __name__ == "__main__":
    main()
