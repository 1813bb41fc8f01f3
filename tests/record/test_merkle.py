"""The tree over a day's seals is that of RFC 6962: roots and ways that other implementations come to as well."""

from __future__ import annotations

import pytest

from service.record.merkle import leads_to, leaf, path, root

INPUTS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
LEAVES = [leaf(bytes.fromhex(each)) for each in INPUTS]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Of the first 0, 1, 2 ... 8 inputs, as the tests of Certificate Transparency have them."""


@pytest.mark.parametrize(("count", "expected"), list(enumerate(ROOTS)))
def test_the_root_of_so_many_leaves_is_the_published_one(count: int, expected: str) -> None:
    assert root(LEAVES[:count]).hex() == expected


def test_the_way_from_a_leaf_to_the_root_is_the_published_one() -> None:
    assert [step.hex() for step in path(LEAVES, 5)] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@pytest.mark.parametrize("count", range(1, 9))
def test_each_way_leads_from_its_own_leaf_to_the_root_and_from_no_other(count: int) -> None:
    leaves = LEAVES[:count]
    for index in range(count):
        steps = path(leaves, index)
        reached = [leads_to(each, index, count, steps) == root(leaves) for each in leaves]
        assert reached == [each == index for each in range(count)]
        assert leads_to(leaves[index], index, count, [*steps, leaves[0]]) is None
    assert leads_to(leaves[0], count, count, path(leaves, 0)) is None
