"""`pseudonymize`, declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import BadInput
from ...core.figures import DOCUMENTS, RECOGNIZER, SEED, Public, chosen
from ...core.method import Action, Beside, Call, Cost, Method, MethodInput, Parts, Undoing
from .claims import NAMES, names
from .method_options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from ...core.release import Release
    from ...formats.chunks import Chunks


def bind(given: MethodInput[Options]) -> Call:
    """The arguments of `pseudonymize`."""
    found: object = given.recognizer
    if given.reviewed is not None:
        found = given.reviewed(METHOD.roles)
    elif given.recognized is not None:
        found = given.recognized()
    more = {"recognizer": found, "key": given.key, "groups": given.data.groups}
    named = given.recognizer_name if given.reviewed is None else "given"
    return Call(
        data=given.data.data,
        arguments={**given.verb_options(), **more},
        shown={} if named is None else {"recognizer": named},
        beside=mapped(given, given.data.path),
    )


def in_parts(given: MethodInput[Options], chunks: Chunks) -> Parts:
    """Learns the entities of all parts, then releases one part after the other."""
    from .stream import Pseudonyms

    assert given.find is not None
    if given.options.give_back is not None:
        raise BadInput(
            "who writes a string is counted in all texts together",
            where="give_back",
            remedy="--no-stream",
        )
    told = [] if given.recognizer_name is None else given.recognizer_name
    run = Pseudonyms(
        told,
        given.key,
        given.options.dates,
        operators=given.options.operators,
        seed=given.seed,
        stretched=given.stretched,
    )
    try:
        for chunk in chunks.tracked("recognize", given.progress):
            run.learn(chunk.filled, given.find(chunk.filled))
    except BaseException:
        run.close()
        raise
    return Parts(
        release=lambda part: run.release(part.texts, part.groups),
        beside=mapped(given, chunks.path),
        close=run.close,
    )


def mapped(given: MethodInput[Options], original: Path | None) -> Beside | None:
    """Writes the encrypted mapping beside the release, where one is asked for."""
    path, key = given.file(given.options.mapping), given.key
    if path is None:
        return None
    if key is None:
        raise BadInput("a mapping needs the key", where="key_file", remedy="name its file")
    from ...formats import file_digests
    from .mapping import MappingWriter

    def opened(files: Any) -> Any:
        stream = files.open(path, private=True)
        writer = MappingWriter(stream, key)

        def add(release: Release | None) -> None:
            if release is not None:
                writer.add(release)
                return
            writer.close({} if original is None else file_digests(original))
            stream.close()

        return add

    return opened


METHOD = Method(
    verb="pseudonymize",
    summary="Consistent surrogates for what the recogniser found; claims no anonymity.",
    help="Replaces what a recogniser found by surrogates; claims no anonymity.",
    example="pseudonymize notes.jsonl --text-column text --group-column patient_id "
    "--key-file key --mapping map.sfumato -o out.jsonl",
    options=Options,
    function="methods.pseudonyms.pseudonymize:pseudonymize",
    takes="texts",
    claims=names,
    can_claim=NAMES,
    public=Public(
        parameters={
            **chosen("recognizer preset", RECOGNIZER),
            **chosen("dates", "what becomes of dates"),
            **chosen("give_back", "how many must write what is given back"),
            **chosen("operators", "what becomes of the kinds that are named"),
            **chosen("seed", SEED),
        },
        counts={"documents": DOCUMENTS},
    ),
    cost=Cost(1.2, 15.0),
    bind=bind,
    spans="exactly these, in place of a recogniser",
    roles=("direct", "quasi", "keep"),
    recognizes=True,
    keyed=True,
    group_help="The column that says whose text it is: its dates move alike.",
    undoing=Undoing(
        "methods.pseudonyms.mapping:mapping_bytes", "methods.pseudonyms.mapping:MappingWriter"
    ),
    parts=in_parts,
    actions=(
        Action(
            "undo",
            "INPUT is a release: give back the original.",
            "methods.pseudonyms.undoing:command",
        ),
    ),
)
