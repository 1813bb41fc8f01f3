"""Where requests are counted by where they come from, one address is one client, and so is the network of one."""

from __future__ import annotations

import pytest

from service.shared.network import network


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "unknown"),
        ("192.0.2.1:80", "unknown"),
    ],
)
def test_an_address_counts_as_its_network(address: str, counted: str) -> None:
    assert network(address) == counted
