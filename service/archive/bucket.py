"""A bucket of S3, or of a store that speaks its protocol, that holds objects by their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

from service.archive.folder import LARGEST, Unequal
from service.shared.circuit_breaker import CircuitBreaker

SCHEME: Final = "s3://"
_WITH_KEY: Final = "aws:kms:"
_MISSING: Final = frozenset({"404", "NoSuchKey", "NotFound"})
_SECONDS: Final = {"connect_timeout": 2, "read_timeout": 4}
"""A page waits for the answer."""


class Unanswered(OSError):
    """The server of the bucket does not answer, or has just not answered."""


class Bucket:
    """The objects of a bucket under a prefix; safe between threads.

    Keys, region and endpoint are those of the environment (`AWS_...`) or of the machine, as boto3 finds them. A server
    that does not answer is left alone for some seconds: only those who ask at that moment wait for it.
    """

    def __init__(self, address: str, encryption: str | None = None) -> None:
        """`address` is `s3://bucket/prefix`; `encryption` of what is written: `AES256`, `aws:kms`, `aws:kms:KEY`."""
        split = urlsplit(address)
        prefix = split.path.strip("/")
        self._address = address
        self._bucket, self._prefix = split.netloc, f"{prefix}/" if prefix else ""
        self._encryption = _fields(encryption)
        self._breaker = CircuitBreaker()

    def __str__(self) -> str:
        return self._address

    def holds(self, name: str) -> bool:
        """Return whether there is an object of the name; OSError."""
        try:
            with self._asked(name):
                self._client.head_object(**self._key(name))
        except FileNotFoundError:
            return False
        return True

    def write(self, name: str, content: bytes) -> None:
        """Write an object and read it back; Unequal, OSError. An object that has its name is whole."""
        with self._asked(name):
            self._client.put_object(**self._key(name), Body=content, ContentType="application/gzip", **self._encryption)
        if self.read(name) != content:
            raise Unequal(f"{self._address}/{name} is not what was written")

    def read(self, name: str) -> bytes:
        """Return what is in an object; FileNotFoundError if there is none, OSError if it cannot be read."""
        with self._asked(name):
            body = self._client.get_object(**self._key(name))["Body"]
            found: bytes = body.read(LARGEST + 1)
            body.close()
        if len(found) > LARGEST:
            raise OSError(f"{self._address}/{name} has more than {LARGEST:,} bytes")
        return found

    def _key(self, name: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + name}

    @cached_property
    def _client(self) -> Any:
        # The extra boardroom[s3]; it takes half a second to import, and most processes never read the archive.
        import boto3
        from botocore.config import Config

        # A session of its own: to make a client of the one that is shared is not safe between threads.
        return boto3.session.Session().client("s3", config=Config(retries={"total_max_attempts": 2}, **_SECONDS))

    @contextmanager
    def _asked(self, name: str) -> Iterator[None]:
        """Raise what goes wrong with an object as what would go wrong with a file: FileNotFoundError, OSError."""
        from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
        from urllib3.exceptions import HTTPError

        where = f"{self._address}/{name}"
        if not self._breaker.closed:
            raise Unanswered(f"{where} cannot be used: its server has just not answered")
        try:
            yield
        except ClientError as error:
            self._breaker.reset()
            code = str(error.response.get("Error", {}).get("Code"))
            if code in _MISSING:
                raise FileNotFoundError(f"{where} does not exist") from error
            raise OSError(f"{where} cannot be used: {code}") from error
        except (BotoCoreError, HTTPClientError, HTTPError) as error:
            self._breaker.trip()
            raise Unanswered(f"{where} cannot be used: {error}") from error
        self._breaker.reset()


def _fields(encryption: str | None) -> dict[str, str]:
    """Return what is said of the encryption when an object is written."""
    if encryption is None:
        return {}
    if encryption.startswith(_WITH_KEY):
        return {"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": encryption.removeprefix(_WITH_KEY)}
    return {"ServerSideEncryption": encryption}
