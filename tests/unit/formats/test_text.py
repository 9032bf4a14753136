"""Text files and folders of them."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats import text


@settings(max_examples=200)
@given(st.text(st.sampled_from("a\r\n\ufeffé★𝒳")), st.booleans(), st.none() | st.text())
def test_a_text_file_keeps_line_ends_and_its_mark(content, marked, new):
    raw = b"\xef\xbb\xbf" * marked + content.encode()
    source = text.read(raw, "a.txt")
    whole = content if marked or not content.startswith("\ufeff") else content[1:]
    assert source.texts == [whole]
    mark = raw[: len(raw) - len(whole.encode())]
    assert b"".join(source.pieces([None])) == raw
    assert b"".join(source.pieces([new])) == (raw if new is None else mark + new.encode())


def test_a_folder_is_read_in_the_order_of_paths_and_written_as_a_folder(tmp_path):
    folder = tmp_path / "in"
    (folder / "b").mkdir(parents=True)
    (folder / ".git").mkdir()
    contents = {"a.txt": b"one\r\n", "b/c.txt": b"\xef\xbb\xbftwo", "b.txt": b"", "d": b"four"}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / ".hidden").write_bytes(b"\0")
    (folder / ".git" / "x").write_bytes(b"\0")
    source = formats.read(folder)
    assert source.texts == ["one\r\n", "", "two", "four"]
    assert source.where(2) == str(folder / "b" / "c.txt")
    target = tmp_path / "out"
    with formats.writer(target, source) as out:
        out.write([None, None, "2", "4"])
        out.commit()
    written = {p.relative_to(target).as_posix(): p for p in target.rglob("*") if p.is_file()}
    assert {n: p.read_bytes() for n, p in written.items()} == {
        **contents,
        "b/c.txt": b"\xef\xbb\xbf2",
        "d": b"4",
    }
    assert {p.stat().st_mode & 0o777 for p in written.values()} == {0o666 & ~_umask()}
    for part in (target, target / "b"):
        assert part.stat().st_mode & 0o777 == 0o777 & ~_umask()
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def test_a_folder_may_hold_packed_files_and_other_encodings(tmp_path):
    import gzip

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt.gz").write_bytes(gzip.compress("é".encode("latin-1")))
    source = formats.read(tmp_path / "in", encoding="latin-1")
    with formats.writer(tmp_path / "out", source) as out:
        out.write([source.texts[0] + "è"])
        out.commit()
    assert gzip.decompress((tmp_path / "out" / "a.txt.gz").read_bytes()) == b"\xe9\xe8"


def test_a_folder_that_is_not_empty_is_replaced_only_when_allowed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("a")
    (tmp_path / "out").mkdir()
    source = formats.read(tmp_path / "in")
    with formats.writer(tmp_path / "out", source) as out:
        out.write(["b"])
        out.commit()
    (tmp_path / "out" / "old.txt").write_text("old")
    with pytest.raises(BadInput, match="exists and is not empty; name another"):
        formats.writer(tmp_path / "out", source)
    with formats.writer(tmp_path / "out", source, overwrite=True) as out:
        out.write(["c"])
        assert (tmp_path / "out" / "old.txt").exists()
        out.commit()
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a.txt"]
    assert (tmp_path / "out" / "a.txt").read_text() == "c"
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]


def test_a_folder_without_commit_leaves_nothing(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("a")

    def interrupted():
        with formats.writer(tmp_path / "out", formats.read(tmp_path / "in")) as out:
            out.write(["b"])
            [temporary] = tmp_path.glob(".sfumato-*")
            assert temporary.stat().st_mode & 0o777 == 0o700
            assert (temporary / "a.txt").stat().st_mode & 0o777 == 0o600
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize("target", ["in", "in/sub", "."])
def test_the_release_may_not_mix_with_the_input(tmp_path, target):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("a")
    source = formats.read(tmp_path / "in")
    with pytest.raises(BadInput, match="overwrite or mix with the input"):
        formats.writer(tmp_path / target, source, overwrite=True)
    assert (tmp_path / "in" / "a.txt").read_text() == "a"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"SECRET\0", "a.txt: a binary file: byte 7 is NUL; give a text file"),
        (b"SECRET\n\xff", "a.txt, line 2: a byte here is not valid UTF-8; name the file's enc"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_what_is_no_text_is_refused(tmp_path, content, message, whole):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(BadInput) as caught:
        formats.read(tmp_path if whole else tmp_path / "a.txt")
    assert message in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(BadInput, match="holds no files"):
        formats.read(tmp_path)


def test_links_to_folders_are_refused(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    with pytest.raises(BadInput, match="links to folders are not followed"):
        formats.read(tmp_path)


def test_text_has_no_columns(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    for options in ({"text_column": "a"}, {"group_column": "a"}):
        for path in (tmp_path, tmp_path / "a.txt"):
            with pytest.raises(BadInput, match="a text file has no columns; name no column"):
                formats.read(path, **options)
    with pytest.raises(BadInput, match="no columns"):
        formats.read(tmp_path).column("a")


def test_half_a_surrogate_pair_names_its_document(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(name)
    with pytest.raises(BadInput, match=r"b\.txt: the new text holds half a surrogate"):
        list(formats.read(tmp_path).pieces([None, "\udc00"]))
