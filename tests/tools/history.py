"""Fails if the gate blocks a commit of this repository that is not listed with a reason."""

import json
import sys


def main(audit, accepted):
    known = {line.split()[0] for line in open(accepted) if line.strip() and not line.startswith("#")}
    judged, bad = 0, 0
    for line in open(audit):
        report = json.loads(line)
        judged += 1
        blocked = report.get("verdict") == "block"
        if blocked and not any(report["commit"].startswith(commit) for commit in known):
            bad += 1
            print(report["commit"])
            for finding in report["findings"]:
                if finding["action"] == "block":
                    print("  {rule}: {symbol}: {message}".format(**finding))
    print(f"{judged} commits judged, {bad} blocked")
    return bad or not judged


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
