"""`arctag diagnose` and `arctag encodings`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arctag.encodings import ENCODINGS, tree_names
from tests.conftest import Run

CROSSING = """\
# sent_id = crossing
1\ta\t_\t_\t_\t_\t_\t_\t0:root\t_
2\tb\t_\t_\t_\t_\t_\t_\t0:root\t_
3\tc\t_\t_\t_\t_\t_\t_\t1:x\t_
4\td\t_\t_\t_\t_\t_\t_\t2:y\t_

"""


def test_diagnose_prints_tables_and_advice(run: Run, sample: Path) -> None:
    result = run("diagnose", sample)
    assert (result.code, result.err) == (0, "")
    assert "encoding\tlabels\tUF\texact\tarcs lost\tsentences lost\n" in result.text
    assert "\nhierarchical\t" in result.text
    assert "\nUse " in result.text


def test_diagnose_json_has_the_same_figures(run: Run, sample: Path) -> None:
    found = json.loads(run("diagnose", sample, "--json").out)
    assert set(found) == {"layer", "statistics", "encodings", "trees", "left_out", "options", "recommendation"}
    assert set(found["encodings"]["bits6-4"]) == {"labels", "coverage", "arcs_left_out", "unencodable"}
    assert set(found["encodings"]["bits6-4"]["coverage"]) == {"UF", "LF", "UM", "LM"}


def test_diagnose_reads_several_files_as_one(run: Run, sample: Path) -> None:
    one, two = (json.loads(run("diagnose", *[sample] * n, "--json").out)["statistics"] for n in (1, 2))
    assert two["sentences"] == 2 * one["sentences"]


def test_diagnose_reads_standard_input(run: Run, sample: Path) -> None:
    from_file = run("diagnose", sample, "--encodings", "A")
    assert run("diagnose", "-", "--encodings", "A", stdin=sample.read_bytes()).out == from_file.out


def test_diagnose_reads_sdp(run: Run, sample_sdp: Path) -> None:
    assert run("diagnose", sample_sdp, "--encodings", "bits6-4").code == 0


def test_diagnose_lists_what_cannot_be_encoded(run: Run) -> None:
    result = run("diagnose", "-", "--encodings", "brackets-1 absolute", "--show-unencodable", stdin=CROSSING.encode())
    assert "brackets-1 leaves arcs out of: crossing\n" in result.text
    assert "absolute leaves" not in result.text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--encodings", "bits9-4"], "unknown encoding 'bits9-4'. Did you mean 'bits6-4'? Known: absolute,"),
        (["--encodings", "bits6"], "needs a number of planes"),
        (["--crossing", "loose"], "'loose' is not one of"),
        (["--format", "sdf"], "'sdf' is not one of"),
    ],
)
def test_diagnose_refuses_bad_options_on_one_line(run: Run, sample: Path, arguments: list[str], message: str) -> None:
    result = run("diagnose", sample, *arguments)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_diagnose_refuses_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("diagnose", tmp_path / "nowhere.conllu")
    assert result.code == 2
    assert "nowhere.conllu" in result.err


def test_diagnose_refuses_an_empty_file(run: Run) -> None:
    result = run("diagnose", "-")
    assert result.code == 2
    assert "no sentence" in result.err


def test_encodings_lists_all(run: Run) -> None:
    lines = run("encodings").text.splitlines()
    assert lines[0] == "name\tpaper\tusual K\tabout"
    cells = [line.split("\t") for line in lines[1:]]
    assert [row[0] for row in cells] == list(ENCODINGS)
    assert ["/".join(row[:2]) for row in cells if not row[3].startswith("trees only: ")] == [
        "absolute/A", "relative/R", "pos/P", "brackets/B", "bits4/B4", "bits6/B6", "hierarchical/H",
    ]  # fmt: skip
    assert ["treebrackets", "-", "1, 2"] in [row[:3] for row in cells if row[3].startswith("trees only: ")]


def test_encodings_as_json(run: Run) -> None:
    listed = json.loads(run("encodings", "--json").out)
    assert listed["bits6"]["paper"] == "B6"
    assert {name for name, one in listed.items() if one["trees_only"]} == {name.split("-")[0] for name in tree_names()}
    one = json.loads(run("encodings", "A", "--json").out)
    assert one["labels"] == ["(2)", "()", "(2,6)", "(1)", "(1,3,4)", "(5)"]
    assert one["covered"] == 8


def test_encodings_explains_one_on_the_papers_figure(run: Run) -> None:
    text = run("encodings", "relative").text
    assert text.startswith("relative: The distances to a word's heads")
    assert "w5\t1 3 4\t(-4,-2,-1)\n" in text
    assert text.endswith("8 of 8 arcs covered\n")


@pytest.mark.parametrize("name", tree_names())
def test_encodings_for_trees_are_explained_on_a_tree(run: Run, name: str) -> None:
    text = run("encodings", name).text
    assert text.startswith(f"{name}: trees only: ")
    assert "A hearing is scheduled on the issue today, arcs 2→1 4→2 4→3 0→4 7→5 7→6 2→7 4→8\n" in text
    assert re.search(r"\n[678] of 8 arcs covered\n$", text)
    explained = run("encodings", name, "--explain")
    assert explained.code == 0
    assert "8 arcs, " in explained.text.splitlines()[-1]
    one = json.loads(run("encodings", name, "--json", "--explain").out)
    assert len(one["labels"]) == len(one["arcs"]) == 8


def test_encodings_unknown_name_lists_the_known(run: Run) -> None:
    result = run("encodings", "nothing")
    assert result.code == 2
    assert result.err.startswith("arctag: unknown encoding 'nothing'. Known: absolute, ")
