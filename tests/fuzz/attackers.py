"""A process full of attackers; says in the end how often each attack was made and how it went.

python -m fuzz.attackers ADDRESS SECONDS SEED      (the token stands in PITCH_TOKEN)
"""

import asyncio
import json
import logging
import os
import sys
import time
from collections import Counter
from random import Random

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # before grpc is imported

from fuzz.attacks import ENTRANTS, STRANGERS, TURNED_AWAY, Attack, Target

_WORKERS = {STRANGERS: 10, ENTRANTS: 4}
_PATIENCE = 20.0  # seconds for one attack


async def attack(target: Target, seconds: float, seed: int) -> Counter[str]:
    """Attacks until the time is over; counts of "attack" and "attack turned away"."""
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds

    async def work(attacks: tuple[Attack, ...], chance: Random) -> None:
        while time.monotonic() < end:
            chosen = chance.choice(attacks)
            try:
                await asyncio.wait_for(chosen(target, chance), _PATIENCE)
                counts[chosen.__name__] += 1
            except TURNED_AWAY:
                counts[f"{chosen.__name__}, turned away"] += 1

    await asyncio.gather(
        *(
            work(attacks, Random(f"{seed} {index} {number}"))
            for index, (attacks, workers) in enumerate(_WORKERS.items())
            for number in range(workers)
        )
    )
    return counts


if __name__ == "__main__":
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # each connection that is cut is told
    address, span, chance_seed = sys.argv[1:]
    target = Target(address, os.environ["PITCH_TOKEN"])
    print(json.dumps(asyncio.run(attack(target, float(span), int(chance_seed)))))
