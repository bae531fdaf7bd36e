"""A good player but for one thing, which MODE names; only a close look finds it.

`rare` mistakes a discard of trumps, `fragile` ends at a withdrawn question, `strict` at a field
that it does not know, `once` at a question that comes twice, `quitting` when its connection is
lost, `keyless` comes back without its session key, `crowded` thinks longer the more questions
wait, `leaking` keeps what it has seen, `moody` draws from a chance of its own, `lingering` stays
after the farewell, `deaf` ignores SIGTERM.
"""

import os
import signal
import sys
import time

from bots.stream import Stream
from pitch.rules import Action, Kind, Legal
from pitch.wire.frames import Answer, Delivery, Farewell

MODE = sys.argv[1]
KEPT: list[bytes] = []
CROWD = 20
OWN_CONNECTION = ("grpc.use_local_subchannel_pool", 1)  # else the lost one may be taken up again


def action_for(legal: Legal, waiting: int) -> Action:
    if MODE == "rare" and legal[0].kind == Kind.TAKE:
        return Action(Kind.PASS)
    if MODE == "crowded" and waiting > CROWD:
        time.sleep(0.0003 * waiting)
    if MODE == "leaking":
        KEPT.append(os.urandom(20_000))
    if MODE == "moody":
        return legal[os.urandom(1)[0] % len(legal)]
    return legal[0]


def play(stream: Stream) -> bool:
    """Plays until the stream ends; whether that was a farewell."""
    for frame in stream.frames():
        if isinstance(frame, Farewell):
            return True
        if not isinstance(frame, Delivery):
            continue
        if MODE == "fragile" and frame.withdrawn:
            raise LookupError(f"question {frame.withdrawn[0]} is not known")
        if MODE == "strict" and any(notice.event is None for notice in frame.notices):
            raise LookupError("a notice of nothing")
        if MODE == "once" and len({each.question_id for each in frame.questions}) < len(
            frame.questions
        ):
            raise LookupError("a question came twice")
        answers = [
            Answer(each.question_id, action_for(each.view.legal, len(frame.questions)))
            for each in frame.questions
        ]
        if answers:
            stream.send(tuple(answers))
    return False


def main() -> None:
    if MODE == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    stream = Stream(OWN_CONNECTION)
    key = stream.say_hello()
    while not play(stream):
        if MODE == "quitting":
            sys.exit("the connection is lost")
        stream.close()
        stream = Stream(OWN_CONNECTION)
        key = stream.say_hello(session_key="" if MODE == "keyless" else key)
    if MODE == "lingering":
        time.sleep(600)


if __name__ == "__main__":
    main()
