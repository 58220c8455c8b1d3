"""Laws of the data form: nothing is lost, and the schema and the reader accept the same documents."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data import data_shapes as data_shapes
from gamedsl.language.syntax.data.datum import plain
from gamedsl.language.syntax.data.dump import dump_json, dump_yaml
from gamedsl.language.syntax.data.former import in_present_form
from gamedsl.language.syntax.data.load import build, load_data
from gamedsl.language.syntax.data.reader import read_document
from gamedsl.language.syntax.parser import parse_ruleset
from gamedsl.language.syntax.print.printer import format_ruleset
from gamedsl.language.syntax.schema import ruleset_schema, schema_text
from tests.language.syntax.data_trees import any_node, nodes
from tests.language.syntax.plain_data import datum_of, from_data, to_data
from tests.strategies import rulesets

SLOW_TREES = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@cache
def validator(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**ruleset_schema(), "$ref": f"#/$defs/{kind}"})


@given(any_node())
@SLOW_TREES
def test_plain_values_and_back(node: ast.Node) -> None:
    assert from_data(to_data(node)) == node


@given(nodes(ast.Ruleset, 4))
@SLOW_TREES
def test_json_text_and_back(tree: ast.Ruleset) -> None:
    document = read_document(Source("x.json", dump_json(tree)))
    assert build(document) == (tree, ())


@given(nodes(ast.Ruleset, 4))
@SLOW_TREES
def test_yaml_text_and_back(tree: ast.Ruleset) -> None:
    document = read_document(Source("x.yaml", dump_yaml(tree)))
    assert build(document) == (tree, ())


@given(nodes(ast.Ruleset, 4))
@SLOW_TREES
def test_other_readers_of_yaml_read_the_same(tree: ast.Ruleset) -> None:
    assert yaml.safe_load(dump_yaml(tree)) == to_data(tree)


@given(any_node())
@SLOW_TREES
def test_what_is_written_fits_the_schema(node: ast.Node) -> None:
    validator(data_shapes.kind_of(type(node))).validate(to_data(node))


@given(rulesets())
@SLOW_TREES
def test_text_to_data_to_text(tree: ast.Ruleset) -> None:
    """What has a text form passes through both data forms unchanged, comments and citations included."""
    text = format_ruleset(tree)
    for form, path in ((dump_json, "x.json"), (dump_yaml, "x.yaml")):
        read, problems = load_data(form(tree), path)
        assert problems == ()
        assert read is not None
        assert format_ruleset(read) == text


# ---------------------------------------------------------------------------- the schema and the reader agree


def _places(value: Any) -> list[tuple[Any, Any]]:
    """All (container, key) pairs of a plain value."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, k) for k in keys] + [p for k in keys for p in _places(value[k])]


def _presented(value: Any) -> Any:
    """Returns a document as it would be written today: the reader also takes former forms, such as names in ``without``."""
    if isinstance(value, list):
        return [_presented(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _presented(one) for key, one in plain(in_present_form(datum_of(value))).items()}


JUNK = st.sampled_from(
    [None, True, 0, -1, 7, 10**10, 1.5, "", "x", "a b", "1a", "on", "a\n", "@1", [], ["x"], {}, {"kind": "ref"}, {"kind": "x"},
     {"kind": "ref", "name": "x"}, {"kind": "draw_game"}, {"kind": 3}]
)  # fmt: skip


@given(any_node(2), st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_reader_and_schema_refuse_the_same(node: ast.Node, data: st.DataObject) -> None:
    kind = data_shapes.kind_of(type(node))
    document = copy.deepcopy(to_data(node))
    for _ in range(data.draw(st.integers(1, 2))):
        places = _places(document)
        if not places:
            return
        container, key = data.draw(st.sampled_from(places))
        match data.draw(st.integers(0, 3)):
            case 0 if isinstance(container, dict) and key in container:
                del container[key]
            case 1 if isinstance(container, dict) and key in container:
                container[f"{key}x"] = container.pop(key)
            case _ if isinstance(container, list) or key in container:
                container[key] = copy.deepcopy(data.draw(JUNK))
    if document.get("kind") != kind:
        return
    read, problems = build(datum_of(document))
    assert (read is None) == bool(problems)
    assert validator(kind).is_valid(_presented(document)) == (not problems)
    for d in problems:
        assert d.code.startswith("E06")
        assert d.message


# ------------------------------------------------------------------------------------------------- the schema


def test_the_schema_is_fresh() -> None:
    assert resource_path("grammar", "ruleset.schema.json").read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(ruleset_schema())


def test_every_object_of_the_schema_is_closed() -> None:
    def check(part: Any, guarded: bool) -> None:
        if isinstance(part, dict):
            if part.get("type") == "object" and not guarded:
                assert part.get("additionalProperties") is False or "allOf" in part, part
            for key, inner in part.items():
                check(inner, key == "if")
        elif isinstance(part, list):
            for inner in part:
                check(inner, False)

    check(ruleset_schema(), False)


def test_the_tables_name_fields_that_exist() -> None:
    for cls, name in (*data_shapes.TEXTS, *data_shapes.LEAST, *data_shapes.BOUNDS):
        assert name in getattr(ast, cls).__dataclass_fields__, (cls, name)


# ---------------------------------------------------------------------------------------------------- the form


def test_the_form_of_a_small_tree() -> None:
    notes = ast.Notes(cites=(ast.Cite("4.05c"),), before=("why",), behind="so", gap=True)
    tree = ast.ForbidDecl(
        ast.Quantified("some", (ast.Binder((ast.Name("x"),), False, ast.Ref("cell")),), ast.Bool(True)),
        "no",
        notes=notes,
    )
    assert to_data(tree) == {
        "kind": "forbid_decl",
        "condition": {
            "kind": "quantified",
            "form": "some",
            "binders": [
                {"kind": "binder", "names": ["x"], "is_tuple": False, "source": {"kind": "ref", "name": "cell"}}
            ],
            "body": {"kind": "bool", "value": True},
        },
        "message": "no",
        "notes": {"cites": ["4.05c"], "before": ["why"], "behind": "so", "gap": True},
    }  # fmt: skip


def test_defaults_are_left_out_but_may_be_written() -> None:
    assert to_data(ast.PlayDecl(())) == {"kind": "play_decl"}
    assert from_data({"kind": "play_decl", "body": [], "notes": {"gap": False, "cites": []}}) == ast.PlayDecl(())


def test_places_of_nodes_are_those_of_the_data() -> None:
    text = '{"kind": "ruleset", "decls": [{"kind": "forbid_decl", "condition": {"kind": "ref", "name": "x"}}]}'
    tree, problems = build(read_document(Source("x.json", text)))
    assert not problems
    assert isinstance(tree, ast.Ruleset)
    (decl,) = tree.decls
    assert isinstance(decl, ast.ForbidDecl)
    assert decl.condition.span.text == '{"kind": "ref", "name": "x"}'
    assert plain(read_document(decl.span.source)) == json.loads(text)


@pytest.mark.parametrize("opening", ["(x, ", "{", "not ", "-", "f("])
def test_the_deepest_text_has_a_data_form(opening: str) -> None:
    """Whatever text can be read, its data form can be read as well."""
    closing = {"(x, ": ")", "{": "}", "f(": ")"}.get(opening, "")
    for depth in range(20, 220, 20):
        text = f"players X, O\nforbid {opening * depth}x{closing * depth}\nplay\n  draw\n"
        tree, problems = parse_ruleset(Source("x", text))
        if problems:
            return
        for form, path in ((dump_json, "x.json"), (dump_yaml, "x.yaml")):
            assert load_data(form(tree), path) == (tree, ())


def test_from_data_raises() -> None:
    with pytest.raises(GameDSLError) as found:
        from_data({"kind": "ref"})
    assert found.value.diagnostics[0].code == "E0621"
