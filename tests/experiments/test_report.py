"""The report and `compare.py`."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from harness import store
from harness.grid import read_grid
from harness.pages.accuracy import accuracy_table
from harness.pages.template import SECTIONS, fill

from arctag.errors import UnknownName
from tests.experiments import SCRIPTS
from tests.experiments.tools import block, call, changed, context_of, fake_result, fake_speed, runs_by_id, section
from tests.places import ROOT


def test_report_of_real_runs(ran: Path, tmp_path: Path) -> None:
    pages = tmp_path / "text"
    pages.mkdir()
    (pages / "findings.md").write_text("It **works**.\n\n<!-- insert: best taggers -->\n", encoding="utf-8")
    inserts = "\n\n".join(f"## {name}\n\n<!-- insert: {name} -->" for name in SECTIONS)
    (pages / "everything.md").write_text(inserts, encoding="utf-8")
    out = tmp_path / "docs" / "pages.md"
    done = call("report.py", "--pages", pages, "--out", out, "--samples", "50", folder=ran)
    assert done.returncode == 0, done.stderr
    findings = out.read_text(encoding="utf-8")
    assert "It **works**." in findings
    assert "| Sample | BiLSTM | `bits6-4` |" in findings
    page = (tmp_path / "docs" / "pages" / "everything.md").read_text(encoding="utf-8")
    table = page.split("### Samples, BiLSTM: verified")[1].split("###")[0]
    rows = {row.split(" | ")[0].strip("| "): row for row in table.splitlines() if row.startswith("|")}
    assert rows.keys() == {"parser", "---", "bits6-4 (B6_4)", "biaffine (Biaf)"}
    result = store.find_result(ran / "results", "sample", "sample--biaffine--bilstm--s0")
    assert result is not None
    figures = result["tests"]["test"]["sdp"]["including_tops"]
    assert f"{100 * (figures['LF'] or 0):.2f}" in rows["biaffine (Biaf)"]
    assert "python experiments/run.py --only '*--verified--bilstm--*'" in table
    sections = dict(re.findall(r"^## (.*?)\n\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    for name in ("exact match", "tagging", "planes", "cycles", "elas", "labels", "other files", "parameters",
                 "training time"):  # fmt: skip
        assert "| biaffine (Biaf) |" in sections[name] or name == "labels", name
    assert "| Sample |" in sections["labels"]
    assert sections["energy"].strip() == "Not run yet."
    assert "2 at a time" in sections["training time"]


@pytest.mark.parametrize(
    ("option", "message"),
    [("--grid", "nowhere"), ("--results", "there are no results in"), ("--pages", "cannot be read")],
)
def test_report_changes_nothing_if_something_is_missing(
    ran: Path, tmp_path: Path, option: str, message: str
) -> None:  # fmt: skip
    old = [tmp_path / "pages.md", tmp_path / "pages" / "old.svg"]
    for path in old:
        path.parent.mkdir(exist_ok=True)
        path.write_text("kept", encoding="utf-8")
    done = call("report.py", option, tmp_path / "nowhere", "--out", old[0], folder=ran)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert [path.read_text(encoding="utf-8") for path in old] == ["kept", "kept"]


def test_unknown_sections_are_refused(tiny: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'speed'"):
        fill("<!-- insert: sped -->", context_of(read_grid(tiny), [], tiny.parent), "page.md")


@pytest.mark.full
def test_committed_report_is_what_the_results_give(tmp_path: Path) -> None:
    done = call("report.py", "--out", tmp_path / "experiments.md")
    assert done.returncode == 0, done.stderr
    written = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    docs = ROOT / "docs"
    committed = [docs / "experiments.md", *(docs / "experiments").iterdir()]
    assert written == {path.relative_to(docs): path.read_bytes() for path in committed}


def test_pages_insert_every_section_once() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (SCRIPTS / "pages").glob("*.md"))
    assert sorted(re.findall(r"<!-- insert: (.*?) -->", text)) == sorted(SECTIONS)


def test_compare_two_cells(ran: Path) -> None:
    one, other = "sample--bits6-4--plain--bilstm", "sample--biaffine--bilstm"
    results: list[str | Path] = ["--results", ran / "results", "--samples", "50"]
    done = call("compare.py", one, other, *results)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()[:2]] == [one, other]
    assert re.search(r"difference of LF [+-]\d+\.\d\d, p [=<] \S+ \(seeds 0\)\n$", done.stdout)
    for cells, message in (([one, "sample--biafine"], f"similar: {other}"), ([one, other, "--test", "x"], "on 'x'")):
        done = call("compare.py", *cells, *results)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert message in done.stderr


def test_differences_are_marked_and_gaps_are_dashes(tiny: Path) -> None:
    changed(
        tiny, ('parsers = ["@two"]', 'parsers = ["absolute", "relative", "@two"]'), ("seeds = [0]", "seeds = [0, 1]")
    )
    grid, runs = runs_by_id(tiny)
    results = [
        fake_result(runs["sample--relative--plain--bilstm--s0"], 0.60),
        fake_result(runs["sample--bits6-4--plain--bilstm--s0"], 0.80, 1),
        fake_result(runs["sample--bits6-4--plain--bilstm--s1"], 0.80, 2),
        fake_result(runs["sample--bits6-4--verified--bilstm--s0"], 0.951, 3),
        fake_result(runs["sample--biaffine--bilstm--s0"], 0.90, 4),
        fake_result(runs["sample--biaffine--bilstm--s1"], 0.90, 5),
    ]
    context = context_of(grid, results, tiny.parent)
    plain = {row[0]: row[1:] for row in accuracy_table(context, ["sample"], "plain", "bilstm").rows}
    assert re.fullmatch(r"\*\*\d\d\.\d\d ±\d\.\d\d ↓\*\*", plain["bits6-4 (B6_4)"][1])
    assert plain["bits6-4 (B6_4)"][2] == "99.50"
    assert re.fullmatch(r"\d\d\.\d\d ↓", plain["relative (R)"][1])
    assert plain["absolute (A)"] == ["–", "–", "–"]
    assert re.fullmatch(r"\d\d\.\d\d ±\d\.\d\d", plain["biaffine (Biaf)"][1])
    verified = {row[0]: row[1:] for row in accuracy_table(context, ["sample"], "verified", "bilstm").rows}
    assert verified["bits6-4 (B6_4)"][1].endswith(" ↑")
    assert "Not run yet." in section("accuracy", context)  # the other encoder
    best = section("best taggers", context).splitlines()[-2]
    assert re.fullmatch(r"\| Sample \| BiLSTM \| `bits6-4` \| \S+ \| \S+ ±\S+ \| \+\d\.\d\d \| < 0\.01 \| – \|", best)


WEIGHTED = (
    ('verified = { title = "verified", set = {} }', 'verified = { title = "verified", set = {} }\n'
     'single = { title = "once", set = { relation_weight = 1.0 } }'),
    ('variants = ["plain", "verified"]\nencoders', 'variants = ["plain", "verified", "single"]\nencoders'),
    ("[report]", block("double", '"biaffine"', settings="{ relation_weight = 2.0 }") +
     '[report]\nweights = { once = "single", double = "verified", baseline = { relation_weight = 2.0 } }'),
)  # fmt: skip


def test_effect_of_the_relation_weight_is_shown(tiny: Path) -> None:
    changed(tiny, *WEIGHTED)
    grid, runs = runs_by_id(tiny)
    results = [
        fake_result(runs["sample--bits6-4--single--bilstm--s0"], 0.60, 1),
        fake_result(runs["sample--bits6-4--verified--bilstm--s0"], 0.90, 2),
        fake_result(runs["sample--biaffine--bilstm--s0"], 0.80, 3),
    ]
    context = context_of(grid, results, tiny.parent)
    page = section("relation weight", context)
    assert page.startswith("### Relation weight, BiLSTM")
    assert "`python experiments/run.py --only double`" in page
    columns, row = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("|")][::2]
    assert columns == ["treebank", "bits6-4 × 1", "bits6-4 × 2", "biaffine × 1", "biaffine × 2"]
    assert re.fullmatch(r"\d\d\.\d\d ↑", row[2])
    assert row[4] == "–"
    assert "relation_weight = 2.0" not in section("variants", context)  # it has no row among the variants


def test_outdated_results_are_named(tiny: Path) -> None:
    grid = read_grid(tiny)
    old = {**fake_result(grid.runs()[0], 0.8), "fingerprint": "another"}
    page = section("runs", context_of(grid, [old], tiny.parent))
    assert f"other settings than the grid has now: {old['id']}" in page


def test_fronts_are_drawn_with_the_name_of_the_machine(tiny: Path) -> None:
    grid, runs = runs_by_id(tiny)
    names = ["sample--bits6-4--plain--bilstm--s0", "sample--biaffine--bilstm--s0"]
    results = [fake_result(runs[name], 0.8 + 0.1 * k) for k, name in enumerate(names)]
    results += [fake_speed(runs[name], 900 - 100 * k) for k, name in enumerate(names)]
    context = context_of(grid, results, tiny.parent)
    page = section("accuracy against speed", context)
    assert "### Sample, A GPU" in page
    assert "### BiLSTM, A GPU" in section("speed", context)
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*\.svg)\)", page)
    assert len(pictures) == 2
    for name in pictures:
        words = "".join(ElementTree.fromstring((context.folder / name).read_text(encoding="utf-8")).itertext())
        assert "A GPU" in words
        assert "B64" in words  # the 4 is a subscript


def test_speeds_of_models_trained_to_be_timed_are_marked(tiny: Path) -> None:
    changed(tiny, ("seeds = [0]", "seeds = [0, 1]"))
    grid, runs = runs_by_id(tiny)
    plain, other, baseline = (
        runs[f"sample--{name}"]
        for name in ("bits6-4--plain--bilstm--s0", "bits6-4--plain--bilstm--s1", "biaffine--bilstm--s0")
    )
    results = [fake_result(plain, 0.8), fake_result(baseline, 0.8), fake_speed(plain, 900, 4),
               fake_speed(baseline, 700, 15)]  # fmt: skip
    page = section("speed", context_of(grid, results, tiny.parent))
    assert "| 900° |" in page
    assert "| 700 |" in page
    better = section("speed", context_of(grid, [*results, fake_speed(other, 850, 19)], tiny.parent))
    assert "| 850 |" in better  # the model that was trained longest
    assert "900" not in better


def test_speeds_of_other_networks_have_their_own_row(tiny: Path) -> None:
    grid, runs = runs_by_id(tiny)
    run = runs["sample--bits6-4--plain--bilstm--s0"]
    smaller = {**fake_speed(run, 950), "overrides": {"encoder_layers": 0}}
    heavier = {**fake_speed(run, 900, 19), "overrides": {"relation_weight": 2.0}}
    results = [fake_result(run, 0.8), fake_speed(run, 910), smaller, heavier]
    page = section("speed", context_of(grid, results, tiny.parent))
    assert "| bits6-4 (B6_4), plain | 910 |" in page
    assert "| bits6-4 (B6_4), plain, encoder_layers = 0 | 950 |" in page
    assert "| 900 |" not in page  # the same network, trained in another way
