"""``gamedsl lsp`` where no editor can be waited for."""

from __future__ import annotations

import argparse
import socket

import pytest

from gamedsl.cli.lsp_command import run_lsp
from gamedsl.language.source import UsageError


def refusal(**given: str) -> str:
    with pytest.raises(UsageError) as found:
        run_lsp(argparse.Namespace(**{"tcp": None, "ws": None, **given}))
    (diagnostic,) = found.value.diagnostics
    return f"{diagnostic.message} {diagnostic.help}"


@pytest.mark.parametrize("way", ["tcp", "ws"])
def test_a_port_in_use_is_named(way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        text = refusal(**{way: str(port)})
    assert f"at `{port}`: address already in use" in text and "another port" in text


@pytest.mark.parametrize("way", ["tcp", "ws"])
def test_advice_names_the_option_that_was_given(way: str) -> None:
    assert f"`--{way} 2087`" in refusal(**{way: "abc"})
