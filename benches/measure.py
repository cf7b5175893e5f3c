#!/usr/bin/env python3
"""Measures the rules on public histories and writes docs/measured.json, from which README.md gets its tables.

    benches/measure.py DIR [--gate target/release/aiwg-gate]

DIR holds bare clones as DIR/owner/name.git; what is missing is listed with the command that gets it. The commits stand in
benches/commits.json: `labelled` ones, read by hand and labelled with what they do, for precision and recall; and the tips
of `histories`, whose last commits show how often each rule speaks up in ordinary work.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEAKS_UP = ("block", "warn")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--gate", type=pathlib.Path, default=ROOT / "target/release/aiwg-gate")
    arguments = parser.parse_args()
    gate = arguments.gate.resolve()
    if not os.access(gate, os.X_OK):
        sys.exit(f"{gate} is not there: cargo build --release --locked, or name another one with --gate")
    commits = json.loads((ROOT / "benches/commits.json").read_text())
    require(arguments.directory, commits)

    measured = {
        "fire_rate": fire_rate(gate, arguments.directory, commits),
        "precision": precision(gate, arguments.directory, commits["labelled"]),
    }
    (ROOT / "docs/measured.json").write_text(json.dumps(measured, indent=2) + "\n")
    print("docs/measured.json is written; UPDATE_README=1 cargo test --test detection readme")


def clone(directory, repo):
    return directory / f"{repo}.git"


def require(directory, commits):
    repos = {row["repo"] for part in ("histories", "labelled") for row in commits[part]}
    missing = sorted(repo for repo in repos if not clone(directory, repo).exists())
    for repo in missing:
        print(f"git clone --mirror https://github.com/{repo} {clone(directory, repo)}", file=sys.stderr)
    if missing:
        sys.exit(f"{len(missing)} of {len(repos)} repositories are missing; the lines above get them")


def ask(gate, repo, *arguments):
    done = subprocess.run([gate, "-C", repo, *arguments], capture_output=True, text=True)
    # A block is an answer, not a failure.
    if done.returncode not in (0, 1):
        sys.exit(f"{repo}: {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def spoken(report, field):
    return {finding[field] for finding in report["findings"] if finding["action"] in SPEAKS_UP}


def fire_rate(gate, directory, commits):
    """The share of commits on which each rule blocks or warns."""
    last = commits["last"]
    judged, blocked, fired, blocks = 0, 0, {}, {}
    for history in commits["histories"]:
        options = ["--no-merges", "--no-cache", "--format", "jsonl", "-n", str(last)]
        lines = ask(gate, clone(directory, history["repo"]), "audit", *options, history["tip"])
        told = [json.loads(line) for line in lines.splitlines()]
        judged += len(told)
        blocked += sum(report["verdict"] == "block" for report in told)
        for report in told:
            for rule in spoken(report, "rule"):
                fired[rule] = fired.get(rule, 0) + 1
            for rule in {finding["rule"] for finding in report["findings"] if finding["action"] == "block"}:
                blocks[rule] = blocks.get(rule, 0) + 1
        print(f"{history['repo']}: {len(told)} commits", file=sys.stderr)
    share = lambda of: {rule: round(of.get(rule, 0) / judged, 5) for rule in rules(gate)}
    return {
        "command": "benches/measure.py DIR",
        "commits": judged,
        "repositories": len(commits["histories"]),
        "blocked": round(blocked / judged, 5),
        "rules": share(fired),
        "blocks": share(blocks),
    }


def rules(gate):
    listed = ask(gate, ROOT, "explain").splitlines()[1:]
    return [line.split()[1] for line in listed if "-" in line.split()[0][1:]]


def precision(gate, directory, labelled):
    """Of each type, commit by commit: how many alerts are right, and how many regressions are seen."""

    def types(row):
        told = ask(
            gate, clone(directory, row["repo"]), "check", "--commit", row["commit"], "--no-proof", "--format", "json"
        )
        return spoken(json.loads(told), "type")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        told = list(zip(labelled, pool.map(types, labelled)))
    return {
        "command": "benches/measure.py DIR",
        "commits": len(labelled),
        "types": {kind: of_type(kind, told) for kind in sorted({kind for row in labelled for kind in wanted(row)})},
    }


def wanted(row):
    """The types that a commit must raise an alert of."""
    return {label["type"] for label in row["labels"] if not label.get("soft")}


def of_type(kind, told):
    seen = missed = false = 0
    for row, types in told:
        if kind in wanted(row):
            right = {other for label in row["labels"] if label["type"] == kind for other in accepted(label)}
            seen, missed = (seen + 1, missed) if types & right else (seen, missed + 1)
        elif kind in types:
            excused = {other for label in row["labels"] for other in accepted(label)} | set(row["tolerated"])
            false += kind not in excused
    ratio = lambda part, rest: round(part / (part + rest), 3) if part + rest else None
    return {"precision": ratio(seen, false), "recall": ratio(seen, missed)}


def accepted(label):
    return [label["type"], *label.get("or", [])]


if __name__ == "__main__":
    main()
