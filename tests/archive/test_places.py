"""What is written to a folder or a bucket is read as it was; what cannot be read is told apart from what is gone."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest

from service.archive.archive import Damaged, name_of, open_archive
from service.archive.bucket import Bucket, Unanswered
from service.archive.folder import Folder, Unequal
from tests.archive.buckets import NAME, bucket, client

__all__ = ["bucket"]
GAME = UUID("01a207c8-86ff-739c-9726-a4af6aca9d45")
RECORD = b'{"kind":"header"}\n' * 1000


@pytest.fixture(params=["folder", "bucket"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty archive."""
    return str(tmp_path / "archive") if request.param == "folder" else str(request.getfixturevalue("bucket"))


def test_a_record_is_kept_small_and_read_as_it_was(address: str) -> None:
    archive = open_archive(address)
    assert not archive.holds(GAME)
    archive.keep(GAME, RECORD)
    # then another process finds it, and keeping it again changes nothing
    other = open_archive(address)
    assert other.holds(GAME)
    other.keep(GAME, RECORD)
    assert archive.read(GAME) == RECORD
    assert str(archive) == address


def test_what_is_not_there_is_said_to_be_missing(address: str) -> None:
    with pytest.raises(FileNotFoundError, match="01a207c8"):
        open_archive(address).read(GAME)


@pytest.mark.parametrize("content", [b"", b"no gzip", b"\x1f\x8b\x08\x00\x00"])
def test_what_cannot_be_unfolded_is_damaged(address: str, content: bytes) -> None:
    place = Bucket(address) if address.startswith("s3://") else Folder(Path(address))
    place.write(name_of(GAME), content)
    archive = open_archive(address)
    if content:
        with pytest.raises(Damaged, match="01a207c8"):
            archive.read(GAME)
    else:
        assert archive.read(GAME) == b""


def test_a_place_that_gives_back_something_else_is_not_trusted(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a disk, or a store, that loses a byte
    if address.startswith("s3://"):
        monkeypatch.setattr(Bucket, "read", lambda self, name: b"less")
    else:
        monkeypatch.setattr("service.archive.folder.read_file", lambda path: b"less")
    with pytest.raises(Unequal):
        open_archive(address).keep(GAME, RECORD)
    assert not [each for each in Path(address).rglob("*") if each.is_file()]


def test_a_bucket_that_is_not_there_is_said_to_be_none(bucket: str) -> None:
    with pytest.raises(OSError, match="NoSuchBucket"):
        open_archive("s3://nobodys").read(GAME)


def test_a_bucket_that_does_not_answer_is_not_said_to_be_empty(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(OSError, match="cannot be used") as raised:
        open_archive(bucket).holds(GAME)
    assert not isinstance(raised.value, FileNotFoundError)


def test_no_other_account_can_look_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    open_archive(str(folder)).keep(GAME, RECORD)
    modes = {each: each.stat().st_mode & 0o777 for each in (folder, *folder.rglob("*"))}
    assert modes == {folder: 0o700, folder / "45": 0o700, folder / name_of(GAME): 0o600}


@pytest.mark.parametrize(
    ("encryption", "algorithm", "key"),
    [("AES256", "AES256", None), ("aws:kms", "aws:kms", None), ("aws:kms:arn:aws:kms:x:1:key/2", "aws:kms", "2")],
)
def test_a_bucket_encrypts_records_as_it_is_told(bucket: str, encryption: str, algorithm: str, key: str | None) -> None:
    archive = open_archive(bucket, encryption)
    archive.keep(GAME, RECORD)
    there = client().head_object(Bucket=NAME, Key=f"games/{name_of(GAME)}")
    assert there["ServerSideEncryption"] == algorithm
    assert key is None or there["SSEKMSKeyId"].endswith(key)
    assert archive.read(GAME) == RECORD


def test_a_server_that_has_not_answered_is_left_alone_for_a_while(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    archive = open_archive(bucket)
    for why in ("Could not connect", "has just not answered"):
        with pytest.raises(Unanswered, match=why):
            archive.read(GAME)


def test_a_folder_that_cannot_be_looked_into_is_not_said_to_be_empty(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.write_bytes(b"no folder")
    with pytest.raises(NotADirectoryError):
        open_archive(str(folder)).holds(GAME)
