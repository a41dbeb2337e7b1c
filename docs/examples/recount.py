"""Count agreement, corrections and projections again from a release alone: python recount.py FOLDER-OR-ZIP

It needs Python and nothing else. It prints JSON: how much of the gold is labelled, the tags of pairs, Cohen's kappa of
every two people who answered the same items, what people did to the detector's labels, and what became of projected
labels. A complete release gives the numbers of its `statistics/`.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

FATES = ("projected", "unaligned", "dropped", "kept", "shifted", "lost", "lost_not_projected", "gained", "target")
TAGS = ("relevant", "non_relevant", "no_metaphor")
COUNTED = ("source", *FATES, "labelled_tokens", "predicted", "revised")


class Release:
    """The files of a release, by their paths, out of its folder or zip."""

    def __init__(self, place: Path) -> None:
        if place.is_dir():
            found = ((path.relative_to(place).as_posix(), path) for path in place.rglob("*") if path.is_file())
            self.files = {name: path.read_bytes() for name, path in found}
        else:
            with zipfile.ZipFile(place) as packed:
                self.files = {name: packed.read(name) for name in packed.namelist()}

    def rows(self, path: str) -> list[dict]:
        # Not splitlines, which takes other characters for ends of lines, too.
        return [json.loads(line) for line in self.files.get(path, b"").split(b"\n") if line]

    def layers(self) -> list[str]:
        names = (name for name in self.files if name.startswith("annotations/"))
        return sorted(name.removeprefix("annotations/").removesuffix(".jsonl") for name in names)


def key(row: dict) -> tuple[str, str, int]:
    return row["uid"], row["language"], row["revision"]


def token_labels(spans: list[dict], length: int) -> list[str]:
    """One label a token; several are joined by "+", none is "O"."""
    found: list[set[str]] = [set() for _ in range(length)]
    for span in spans:
        for token in span["tokens"]:
            found[token].add(span["label"])
    return ["+".join(sorted(labels)) or "O" for labels in found]


def observed(row: dict) -> list[str]:
    """What agreement counts of an answer: a label a token, or the answer as a whole."""
    content = row["content"]
    if "spans" in content:
        return token_labels(content["spans"], row["token_count"])
    if "value" in content:
        return [str(content["value"])]
    return [json.dumps(content, sort_keys=True)]


def kappa(first: list[str], second: list[str]) -> float | None:
    """Cohen's kappa; None where both gave everything one label, or nothing."""
    n = len(first)
    if not n:
        return None
    agree = sum(a == b for a, b in zip(first, second, strict=True)) / n
    one, other = Counter(first), Counter(second)
    chance = sum(one[label] * other[label] for label in one) / n**2
    return None if chance == 1 else (agree - chance) / (1 - chance)


def kappa_of(pairs: list[tuple[dict, dict]]) -> float | None:
    """Of answers to the same items, their tokens pooled."""
    first = [label for one, _other in pairs for label in observed(one)]
    return kappa(first, [label for _one, other in pairs for label in observed(other)])


def summed(keys: tuple[str, ...], sums: dict[tuple, Counter], names: tuple[str, ...]) -> list[dict]:
    """Rows of these numbers by dataset and role, or label of inference, the last of `keys`; and in all of them."""
    datasets: dict[tuple, set[str]] = defaultdict(set)
    for *before, dataset, _part in sums:
        datasets[tuple(before)].add(dataset)
    totals: dict[tuple, Counter] = defaultdict(Counter)
    for (*before, dataset, part), numbers in sums.items():
        for one in {dataset, "all"} if len(datasets[tuple(before)]) > 1 else {dataset}:
            for each in {part, "all"}:
                totals[(*before, one, each)].update(numbers)
    return [
        dict(zip(keys, key, strict=True)) | {name: numbers[name] for name in names}
        for key, numbers in sorted(totals.items())
    ]


def detection(release: Release) -> list[dict]:
    """Labelled tokens and sentences of the gold."""
    sums: dict[tuple[str, str, str], Counter] = defaultdict(Counter)
    for gold in release.rows("sentences.jsonl"):
        labelled = {token for span in gold["spans"] for token in span["tokens"]}
        sums[gold["language"], gold["dataset"], gold["role"]].update(
            labelled_tokens=len(labelled),
            tokens=len(gold["tokens"]),
            labelled_sentences=bool(gold["spans"]),
            sentences=1,
        )
    names = ("labelled_tokens", "tokens", "labelled_sentences", "sentences")
    return summed(("language", "dataset", "role"), sums, names)


def interpretation(release: Release, language: str) -> list[dict]:
    """The tags of pairs in the source language, without those that were discarded."""
    sums: dict[tuple[str, str], Counter] = defaultdict(Counter)
    for pair in release.rows("pairs.jsonl"):
        tag = pair["gold"].get(language, {}).get("tag")
        if tag in TAGS:
            sums[pair["dataset"], pair["inference"]].update({tag: 1, "total": 1})
    return summed(("dataset", "inference"), sums, (*TAGS, "total"))


def agreements(release: Release) -> list[dict]:
    """For every two people, in each layer and language: all items that both answered, and those that both answered
    blind."""
    rows = []
    for layer in release.layers():
        answers: dict[tuple[str, str], dict] = defaultdict(dict)
        for row in release.rows(f"annotations/{layer}.jsonl"):
            answers[row["language"], row["annotator"]][key(row)] = row
        for (language, a), (other, b) in combinations(sorted(answers), 2):
            common = sorted(answers[language, a].keys() & answers[other, b].keys())
            if language != other or not common:
                continue
            both = [(answers[language, a][one], answers[language, b][one]) for one in common]
            blind = [pair for pair in both if all(row["mode"] == "blind" for row in pair)]
            numbers = {name: kappa_of(chosen) for name, chosen in (("kappa", both), ("kappa_blind", blind))}
            rows.append(
                {"layer": layer, "language": language, "annotators": [a, b], "units": len(both), "blind": len(blind)}
                | numbers
            )
    return rows


def corrections(release: Release, layer: str) -> list[dict]:
    """Of the answers that began from a detector's labels or from nothing: tokens predicted, removed, added, revised."""
    suggestions = {row["id"]: row for row in release.rows(f"suggestions/{layer}.jsonl")}
    sums: dict[tuple[str, str, str], Counter] = defaultdict(Counter)
    for row in release.rows(f"annotations/{layer}.jsonl"):
        began = suggestions.get(row["suggestion"], {}).get("suggestion", "prediction")
        if row["mode"] != "review" or began != "prediction":
            continue
        before = token_labels((row["suggested"] or {"spans": []})["spans"], row["token_count"])
        after = token_labels(row["content"]["spans"], row["token_count"])
        for x, y in zip(before, after, strict=True):
            sums[row["language"], row["dataset"], row["role"]].update(
                predicted=x != "O", revised=y != "O", removed=x not in ("O", y), added=y not in ("O", x)
            )
    return summed(("language", "dataset", "role"), sums, ("predicted", "removed", "added", "revised"))


def matched(outcomes: list[dict], spans: list[dict], lost: set[int]) -> dict[int, tuple[int, str]]:
    """By number of the source span: which span of the target it has, and whether that was kept or shifted. The same
    words come first, then spans that share words, then others of the same label."""
    ranked = []
    for number, one in enumerate(outcomes):
        target = one["target"]
        reach = {*(target["tokens"] if target else ()), *(word["token"] for word in one.get("left_out", ()))}
        for place, span in enumerate(spans):
            other_label = int(span["label"] != one["source"]["label"])
            shared = len(reach & set(span["tokens"]))
            if target and span["tokens"] == target["tokens"]:
                rank: tuple = (0, other_label)
            elif shared:
                rank = (1, -shared, other_label)
            elif not other_label and span["tokens"] and one["source"]["tokens"]:
                near = min((abs(a - b) for a in reach for b in span["tokens"]), default=0)
                rank = (2, int(one["outcome"] != "projected"), near)
            else:
                continue
            ranked.append((rank, number, place))
    found: dict[int, tuple[int, str]] = {}
    taken: set[int] = set()
    for rank, number, place in sorted(ranked):
        if number not in lost and number not in found and place not in taken:
            found[number] = (place, "shifted" if rank[0] else "kept")
            taken.add(place)
    return found


def projected(gold: dict, began: dict) -> Counter:
    """A target sentence that a projection reached."""
    spans, outcomes = gold["spans"], began["detail"].get("outcomes", [])
    called_lost = [
        (one["tokens"], one["label"])
        for one in gold.get("translations", [])
        if one["lost"] and one["language"] == began["from_language"]
    ]
    lost = {n for n, one in enumerate(outcomes) if (one["source"]["tokens"], one["source"]["label"]) in called_lost}
    found = matched(outcomes, spans, lost)
    numbers = Counter(one["outcome"] for one in outcomes)
    numbers.update(fate for _, fate in found.values())
    numbers["source"] = len(outcomes)
    numbers["lost"] = len(outcomes) - len(found)
    numbers["lost_not_projected"] = sum(
        one["outcome"] != "projected" for n, one in enumerate(outcomes) if n not in found
    )
    numbers["gained"] = len(spans) - len(found)
    return numbers


def projections(release: Release, layer: str, targets: set[str]) -> list[dict]:
    """What became of labels on their way to each target language, in spans."""
    suggestions = release.rows(f"suggestions/{layer}.jsonl")
    by_id = {row["id"]: row for row in suggestions}
    current = {key(row): row for row in suggestions if row["current"] and row["suggestion"] == "prediction"}
    current |= {key(row): row for row in suggestions if row["current"] and row["suggestion"] == "projection"}
    reviews: dict[tuple, dict] = {}
    for row in sorted(release.rows(f"annotations/{layer}.jsonl"), key=lambda row: row["created_at"]):
        if row["mode"] == "review":
            reviews.setdefault(key(row), row)
    sums: dict[tuple[str, str, str], Counter] = defaultdict(Counter)
    for gold in release.rows("sentences.jsonl"):
        if gold["language"] not in targets:
            continue
        review = reviews.get(key(gold))
        began = by_id.get(review["suggestion"]) if review else current.get(key(gold))
        suggested = (review["suggested"] if review else began and began["content"]) or {"spans": []}
        if began and began["suggestion"] == "earlier-gold":
            began, suggested = current.get(key(gold)), {"spans": []}
        if began and began["suggestion"] == "projection":
            numbers = projected(gold, began)
        else:
            spans = len(gold["spans"])
            numbers = Counter(gained=spans, predicted=len(suggested["spans"]), revised=spans)
        numbers["target"] = len(gold["spans"])
        labels = token_labels(gold["spans"], len(gold["tokens"]))
        numbers["labelled_tokens"] = sum(label != "O" for label in labels)
        sums[gold["language"], gold["dataset"], gold["role"]].update(numbers)
    return summed(("language", "dataset", "role"), sums, COUNTED)


def recount(place: Path) -> dict[str, list[dict]]:
    """The tables by name."""
    release = Release(place)
    about = json.loads(release.files["manifest.json"])["project"]
    layer = about["label_layer"]
    return {
        "detection": detection(release),
        "interpretation": interpretation(release, about["languages"][0]),
        "agreement": agreements(release),
        "correction": corrections(release, layer),
        "projection": projections(release, layer, set(about["targets"])),
    }


if __name__ == "__main__":
    print(json.dumps(recount(Path(sys.argv[1])), ensure_ascii=False, indent=1))
