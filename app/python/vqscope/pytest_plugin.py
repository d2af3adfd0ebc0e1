# SPDX-License-Identifier: GPL-3.0-or-later
"""The pytest plugin: fixtures `vqscope` and `assert_mask`, and a marker for expectations that tests share.

    @pytest.mark.vqscope(objective="causal", window=128)
    def test_mask(assert_mask):
        assert_mask(make_mask(512))
"""

import pytest


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "vqscope(**expectations): what assert_mask expects in this test, such as objective=\"causal\", "
        "documents=[4, 4], window=128; a call of assert_mask overrides them")


@pytest.fixture
def vqscope():
    """The package vqscope."""
    import vqscope as package
    return package


@pytest.fixture
def assert_mask(request, vqscope):
    """vqscope.assert_mask with the expectations of the markers of this test, its class and its module."""
    expected = {}
    for marker in reversed(list(request.node.iter_markers("vqscope"))):
        if marker.args:
            raise vqscope.Refused("the marker vqscope takes names only, such as window=128")
        expected.update(marker.kwargs)

    def check(mask=None, **values):
        __tracebackhide__ = True
        return vqscope.assert_mask(mask, **{**expected, **values})

    return check
