"""From which loss on a decision is a mistake: ``python -m analytics.fit_cuts RULESET…`` judges self-play and writes it.

The reference population is `steady`: what a tenth of its decisions cost or more is a mistake, what one of forty costs a
blunder.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from analytics.decisions import Cuts, cuts, graded, judged_only
from replay.players import PLAYERS
from replay.rulesets import RULESETS
from replay.simulated import Run, session

PLAYER = "steady"
ROUNDS = 100
SEED = 20261130
MISTAKE, BLUNDER = 0.900, 0.975
"""Parts of the population's decisions that cost less."""
PLACE = Path(__file__).with_name("cuts.json")


def fit(ruleset: str, jobs: int = 2) -> Cuts:
    """The cuts of a ruleset, to a hundredth of a point."""
    rules = RULESETS[ruleset]
    run = Run(rules, (PLAYER,) * 3, ROUNDS, SEED, per_session=ROUNDS)
    losses = judged_only(graded(session(run, 0), "full", jobs))["loss"].to_numpy()
    mistake, blunder = (float(np.quantile(losses, part)) for part in (MISTAKE, BLUNDER))
    return Cuts(round(mistake, 2), round(blunder, 2), f"{PLAYER}-{PLAYERS[PLAYER].version}", len(losses))


def main(names: list[str]) -> None:
    """Write the cuts of the named rulesets beside those of the others."""
    found = dict(cuts())
    for name in names:
        found[name] = fit(name)
        print(name, found[name], file=sys.stderr, flush=True)
        kept = {key: asdict(found[key]) for key in RULESETS if key in found}
        PLACE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
