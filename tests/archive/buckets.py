"""A bucket on a server of the tests that speaks the protocol of S3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

NAME = "boardroom-records"
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}


def client() -> Any:
    """A client of the server that the environment names."""
    import boto3

    return boto3.session.Session().client("s3")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty archive in a bucket, whose server the environment names."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    s3 = client()
    s3.create_bucket(Bucket=NAME)
    yield f"s3://{NAME}/games"
    for each in s3.list_objects_v2(Bucket=NAME).get("Contents", ()):
        s3.delete_object(Bucket=NAME, Key=each["Key"])
    server.stop()
