"""Files appear complete and together, or not at all."""

from __future__ import annotations

import os

import pytest

from sfumato import formats
from sfumato.core.errors import BadInput


def put(files, path, content=b"new", **options):
    with files.open(path, **options) as stream:
        stream.write(content)


def names(folder) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


def test_all_files_appear_at_the_commit_with_their_permissions(tmp_path, umask):
    (tmp_path / "a").write_bytes(b"old")
    with formats.atomic_files(overwrite=True) as files:
        put(files, tmp_path / "a")
        put(files, tmp_path / "b", b"secret", private=True)
        assert (tmp_path / "a").read_bytes() == b"old"
        temporary = list(tmp_path.glob(".sfumato-*"))
        assert [p.stat().st_mode & 0o777 for p in temporary] == [0o600, 0o600]
        files.commit()
    assert names(tmp_path) == ["a", "b"]
    assert (tmp_path / "a").read_bytes() == b"new"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    assert os.umask(umask) == umask


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_before_the_commit_leaves_everything_as_it_was(tmp_path, error):
    (tmp_path / "a").write_bytes(b"old")

    def interrupted():
        with formats.atomic_files(overwrite=True) as files:
            put(files, tmp_path / "a")
            files.open(tmp_path / "b").write(b"half")
            raise error

    with pytest.raises(error):
        interrupted()
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_no_commit_no_files(tmp_path):
    with formats.atomic_files() as files:
        put(files, tmp_path / "a")
    assert names(tmp_path) == []


def test_a_rename_that_fails_takes_away_what_was_renamed_before_it(tmp_path, monkeypatch):
    replace = os.replace

    def failing(source, target):
        if os.path.basename(target) == "b":
            raise OSError("planted")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with formats.atomic_files() as files:
        for name in "abc":
            put(files, tmp_path / name)
        with pytest.raises(OSError, match="planted"):
            files.commit()
    assert names(tmp_path) == []


def test_a_folder_comes_back_when_its_successor_cannot_be_renamed(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").write_bytes(b"old")
    replace, calls = os.replace, []

    def failing(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError("planted")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with formats.atomic_files() as files:
        (files.folder(tmp_path / "out", overwrite=True) / "new").touch()
        with pytest.raises(OSError, match="planted"):
            files.commit()
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["old"]


def test_a_stream_still_open_forbids_the_commit(tmp_path):
    with formats.atomic_files() as files:
        files.open(tmp_path / "a")
        with pytest.raises(RuntimeError, match="still being written"):
            files.commit()
    assert names(tmp_path) == []


def test_a_link_is_followed(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "sub" / "real")
    with formats.atomic_files() as files:
        put(files, tmp_path / "link")
        files.commit()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "sub" / "real").read_bytes() == b"new"


def test_what_cannot_be_written_is_refused_with_the_remedy(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    files = formats.atomic_files()
    for path, message in [
        ("no/a", "the folder does not exist; create it first"),
        ("file/a", "the folder does not exist; create it first"),
        ("pipe", "exists and is no regular file; name a file"),
        (".", "exists and is no regular file; name a file"),
    ]:
        with pytest.raises(BadInput, match=message):
            files.open(tmp_path / path)
    with pytest.raises(BadInput, match="exists and is no folder"):
        files.folder(tmp_path / "file")
    with pytest.raises(BadInput, match="the folder does not exist"):
        files.folder(tmp_path / "no" / "out")

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(BadInput, match=r"cannot write to this folder \(Permission denied\); allow"):
        files.open(tmp_path / "a")
    assert names(tmp_path) == ["file", "pipe"]


def test_inputs_are_never_replaced(tmp_path):
    (tmp_path / "in").write_bytes(b"in")
    os.link(tmp_path / "in", tmp_path / "hard")
    (tmp_path / "soft").symlink_to(tmp_path / "in")
    files = formats.atomic_files()
    files.protect(tmp_path / "in")
    for name in ("in", "hard", "soft"):
        with pytest.raises(BadInput, match="overwrite or mix with the input"):
            files.open(tmp_path / name)


def test_two_outputs_need_two_names(tmp_path):
    with formats.atomic_files() as files:
        put(files, tmp_path / "a")
        with pytest.raises(BadInput, match="two outputs have this name"):
            files.open(tmp_path / "sub" / ".." / "a")


def test_digests_are_known_before_the_commit(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in" / name).write_text(name)
    with formats.atomic_files() as files:
        put(files, tmp_path / "c", b"new")
        out = formats.writer(tmp_path / "out", formats.read(tmp_path / "in"), files=files)
        out.write([None, "changed"])
        before = files.digests(tmp_path / "c"), files.digests(tmp_path / "out")
        files.open(tmp_path / "d")
        with pytest.raises(RuntimeError, match="still being written"):
            files.digests(tmp_path / "d")
    assert list(before[1]) == ["a.txt", "b.txt"]
    (tmp_path / "c").write_bytes(b"new")
    (tmp_path / "in" / "b.txt").write_text("changed")
    assert before == (formats.file_digests(tmp_path / "c"), formats.file_digests(tmp_path / "in"))


def test_half_a_release_is_never_committed(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,a\n")
    source = formats.read(tmp_path / "a.csv", text_column="text")
    with formats.atomic_files() as files:
        put(files, tmp_path / "certificate")
        with pytest.raises(BadInput, match="half a surrogate"):
            formats.writer(tmp_path / "b.csv", source, files=files).write(["\ud800"])
        with pytest.raises(RuntimeError, match="abandoned"):
            files.commit()
    assert names(tmp_path) == ["a.csv"]


def test_a_folder_never_written_forbids_the_commit(tmp_path):
    with formats.atomic_files() as files:
        files.folder(tmp_path / "out")
        with pytest.raises(RuntimeError, match="has not been written"):
            files.commit()
    assert names(tmp_path) == []


@pytest.mark.parametrize("folder_first", [True, False])
def test_no_output_lies_within_another(tmp_path, folder_first):
    (tmp_path / "out").mkdir()
    with formats.atomic_files() as files:
        calls = [
            lambda: files.folder(tmp_path / "out"),
            lambda: files.open(tmp_path / "out" / "private.json", private=True),
        ]
        first, second = calls if folder_first else calls[::-1]
        first()
        with pytest.raises(BadInput, match=r"within another|not empty"):
            second()
    assert list((tmp_path / "out").iterdir()) == []


KILLED = """
import os, signal, sys
from sfumato import formats
files = formats.atomic_files()
files.open(sys.argv[1] + "/a").write(b"half")
(files.folder(sys.argv[1] + "/b") / "part").write_text("half")
print("written", flush=True)
if sys.argv[2] == "wait":
    sys.stdin.read()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    """Its own temporary files, held by nobody: not those of a process that still writes."""
    import subprocess
    import sys

    start = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(
        [*start, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as living:
        assert living.stdout.readline() == b"written\n"
        held = set(names(tmp_path))
        assert len(held) == 2
        subprocess.run([*start, "go"], stdout=subprocess.DEVNULL, check=False)
        assert len(names(tmp_path)) == 4
        others = tmp_path / ".sfumato-of-somebody"
        others.write_text("not ours")
        with formats.atomic_files() as files:
            put(files, tmp_path / "c", b"new")
            here = set(names(tmp_path)) - held - {others.name}
            assert len(here) == 1  # the dead one's are gone, the living one's and ours are there
            assert held <= set(names(tmp_path))
            with formats.atomic_files() as again:  # closed streams are held until the commit
                put(again, tmp_path / "d", b"new")
                again.commit()
            files.commit()
        living.stdin.close()
        living.wait()
    assert set(names(tmp_path)) == {*held, others.name, "c", "d"}
    with formats.atomic_files(overwrite=True) as files:
        put(files, tmp_path / "c", b"newer")
        files.commit()
    assert names(tmp_path) == [others.name, "c", "d"]


def old_folder(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").write_bytes(b"old")
    return tmp_path / "out"


def test_nothing_is_replaced_unless_it_may_be(tmp_path):
    out = old_folder(tmp_path)
    (tmp_path / "a").write_bytes(b"old")
    files = formats.atomic_files()
    with pytest.raises(BadInput, match=r"the file exists; .* \(--overwrite\)"):
        files.open(tmp_path / "a")
    with pytest.raises(BadInput, match=r"not empty; .* \(--overwrite\)"):
        files.folder(out)
    with formats.atomic_files(overwrite=True) as files:
        put(files, tmp_path / "a")
        (files.folder(out) / "new").touch()
        files.commit()
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(out) == ["new"]
    with formats.atomic_files() as files:  # one of them may
        put(files, tmp_path / "a", b"newer", overwrite=True)
        files.commit()
    assert (tmp_path / "a").read_bytes() == b"newer"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("there", [False, True])
def test_of_two_that_write_one_target_the_second_is_refused(tmp_path, overwrite, there):
    if there:
        (tmp_path / "a").write_bytes(b"old")
        old_folder(tmp_path)
    if there and not overwrite:
        return
    first, second = (formats.atomic_files(overwrite=overwrite) for _ in range(2))
    with first, second:
        for number, files in enumerate((first, second)):
            put(files, tmp_path / "beside", b"%d" % number)
            put(files, tmp_path / "a", b"%d" % number)
            (files.folder(tmp_path / "out") / f"of{number}").touch()
        first.commit()
        with pytest.raises(BadInput, match="another process wrote this meanwhile; nothing was"):
            second.commit()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "beside").read_bytes() == b"0"
    assert names(tmp_path / "out") == ["of0"]
    assert names(tmp_path) == ["a", "beside", "out"]


KILLED_IN_COMMIT = """
import os, signal, sys
from sfumato import formats
replace, calls = os.replace, []

def killed(source, target):
    calls.append(target)
    if len(calls) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)

os.replace = killed
with formats.atomic_files(overwrite=True) as files:
    (files.folder(sys.argv[1] + "/out") / "new").touch()
    files.commit()
"""


@pytest.mark.parametrize(("call", "kept"), [(1, "old"), (2, "old"), (3, "new")])
def test_a_folder_is_never_lost_between_two_renames(tmp_path, call, kept):
    """Killed before each of the renames: whoever writes there next finds the old or the new one."""
    import subprocess
    import sys

    out = old_folder(tmp_path)
    start = [sys.executable, "-c", KILLED_IN_COMMIT, str(tmp_path), str(call)]
    assert subprocess.run(start, check=False).returncode == -9
    with formats.atomic_files() as files:
        put(files, tmp_path / "other")
        with pytest.raises(BadInput, match="the folder exists"):
            files.folder(out)
        files.commit()
    assert names(tmp_path) == ["other", "out"]
    assert names(out) == [kept]
