"""`arctag search`: words, arcs and small graphs in treebanks; hits, counts, or the sentences as a file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import click

from arctag.cli.common import format_option, json_option, print_json, print_table
from arctag.cli.outputs import force_option, graph_format, output_option, protect_inputs
from arctag.cli.selection import layer_option
from arctag.formats import read, write
from arctag.search import Match, Pattern
from arctag.search import count_by as counted
from arctag.sentence import Sentence


@dataclass
class Tally:
    """What was found in one file."""

    file: str
    read: int = 0
    sentences: int = 0
    matches: int = 0


@dataclass
class Job:
    """The files to search, and what was found in each of those that have been read."""

    pattern: Pattern
    files: tuple[str, ...]
    format: str | None
    tallies: list[Tally] = field(default_factory=list)

    def hits(self) -> Iterator[tuple[str, list[Match]]]:
        """Each sentence with matches: its file, and the matches."""
        for file in self.files:
            tally = Tally(file)
            self.tallies.append(tally)
            for sentence in read(file, self.format):
                tally.read += 1
                if matches := self.pattern.find(sentence):
                    tally.sentences += 1
                    tally.matches += len(matches)
                    yield file, matches

    def summary(self) -> str:
        """'12 matches in 9 of 2,002 sentences'."""
        matches, found, read_ = (
            sum(getattr(one, name) for one in self.tallies) for name in ("matches", "sentences", "read")
        )
        return f"{matches:,} {'match' if matches == 1 else 'matches'} in {found:,} of {read_:,} sentences"


@click.command(
    epilog="""\b
Examples:
  arctag search cat dev.conllu
  arctag search '[lemma=want] >xcomp [upos=VERB]' dev.conllu
  arctag search 'rel=nsubj:xsubj' train.conllu dev.conllu --count
  arctag search 'v:[upos=VERB] >obj n:[]; v !>nsubj' dev.conllu --count-by n.lemma
  arctag search 'a:[] > b:[]; a !>@tree b' dev.conllu -o beyond-the-tree.conllu"""
)
@click.argument("pattern")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@output_option("Write the sentences found as a graph file ('-' with --to: standard output).")
@force_option
@format_option("--to", "Format of the sentences written (default: by the name of OUT, else that of FILE).")
@click.option("--count", is_flag=True, help="Only count, for each file.")
@click.option(
    "--count-by", metavar="KEY", help="How often each value is found: lemma, or NAME.lemma of a word with a name."
)
@click.option("--limit", type=click.IntRange(min=1), help="Stop after N sentences.")
@layer_option
@format_option()
@json_option
def command(
    pattern: str, files: tuple[str, ...], output: str, force: bool, to: str | None, count: bool, count_by: str | None,
    limit: int | None, layer: str | None, format: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Find what PATTERN describes in FILE…, one line for each sentence, with the words found in brackets.

    A pattern is a word, conditions on a word in brackets, or several words with relations between them; see
    docs/search.md. How much was found is reported on standard error.
    """
    if sum([count, count_by is not None, output != "-" or to is not None]) > 1:
        raise click.UsageError("choose one of --count, --count-by and writing a file (-o, --to)")
    protect_inputs([output], files, force)
    job = Job(Pattern(pattern, layer), files, format)
    hits = islice(job.hits(), limit)
    if output != "-" or to is not None:
        write((matches[0].sentence for _, matches in hits), output, graph_format(output, to))
        click.echo(job.summary(), err=True)
    elif count:
        _print_counts(job, hits, as_json)
    elif count_by is not None:
        _print_values(job, hits, count_by, as_json)
    elif as_json:
        found = [_as_json(file, matches) for file, matches in hits]
        print_json({**_totals(job), "hits": found})
    else:
        _print_lines(hits, len(files) > 1)
        click.echo(job.summary(), err=True)


def _print_counts(job: Job, hits: Iterable[object], as_json: bool) -> None:
    for _ in hits:
        pass
    if as_json:
        print_json({**_totals(job), "files": [vars(tally) for tally in job.tallies]})
        return
    rows = [(tally.file, tally.read, tally.sentences, tally.matches) for tally in job.tallies]
    print_table(job.pattern.text, ["file", "sentences", "with matches", "matches"], rows)


def _print_values(job: Job, hits: Iterable[tuple[str, list[Match]]], key: str, as_json: bool) -> None:
    counts: Counter[str] = counted((match for _, matches in hits for match in matches), key, job.pattern)
    if as_json:
        print_json({**_totals(job), "counts": dict(counts.most_common())})
        return
    print_table(job.pattern.text, [key, "matches"], counts.most_common())


def _totals(job: Job) -> dict[str, object]:
    names = ("read", "sentences", "matches")
    return {"pattern": job.pattern.text, **{name: sum(getattr(one, name) for one in job.tallies) for name in names}}


def _print_lines(hits: Iterable[tuple[str, list[Match]]], with_file: bool) -> None:
    bold = sys.stdout.isatty()
    for file, matches in hits:
        sentence = matches[0].sentence
        places = {word for match in matches for word in match.words}
        cells = [*([file] if with_file else []), sentence.id, marked(sentence, places, bold)]
        click.echo("\t".join(cells))


def marked(sentence: Sentence, places: set[int], bold: bool = False) -> str:
    """The words of a sentence, those at these places in brackets, or bold on a terminal; empty nodes only if found."""
    shown = []
    for place, (word, empty) in enumerate(zip(sentence.words, sentence.empty, strict=True), 1):
        if place in places:
            shown.append(click.style(word, bold=True, underline=True) if bold else f"[{word}]")
        elif not empty:
            shown.append(word)
    return " ".join(shown)


def _as_json(file: str, matches: list[Match]) -> dict[str, object]:
    sentence = matches[0].sentence
    return {
        "file": file, "id": sentence.id, "source": sentence.source, "words": sentence.words,
        "matches": [
            {"words": list(match.words), "names": match.names, "arcs": [list(arc) for arc in match.arcs]}
            for match in matches
        ],
    }  # fmt: skip
