"""Deeds: what guests do in the place of a plain answer, and the faults that it earns.

Here belong the kinds of guests and what each does when. A deed of an honest guest must cost it
nothing; one of another may be charged with the kinds that stand beside it, and no others.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from chaos.guest import Deed, Guest, Leave, TakeOver, choice
from chaos.network import Way
from pitch.rules import Action, Kind
from pitch.table.faults import Fault
from pitch.wire.convert import write_bot_frame
from pitch.wire.frames import FRAME_LIMIT_BYTES, Answer, Failure, Hello, Question
from pitch.wire.v1 import game_pb2, referee_pb2

__all__ = ["GUESTS", "GuestKind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestKind:
    """What a guest does, with its probability a question, and what it may be charged with.

    `counted`: each fault must answer to a deed, so that there are never more of them. `certain`:
    and nearly each deed is one, as only the end of a game may come before it is charged.
    """

    deeds: Mapping[str, tuple[float, Deed]] = field(default_factory=dict)
    earns: frozenset[Fault] = frozenset()
    on_a_line: bool = False
    counted: bool = False
    certain: bool = True
    notices: bool = False

    @property
    def honest(self) -> bool:
        """Whether nothing that it does is a fault."""
        return not self.earns


# --- odd, but no fault -----------------------------------------------------------------------


async def think(guest: Guest, question: Question) -> None:
    """Takes a third of the time."""
    guest.did("think")
    guest.soon(guest.limits.move_timeout / 3, lambda: guest.answer(question))


async def repeat(guest: Guest, question: Question) -> None:
    """Answers twice, differently, and what nobody asked."""
    guest.did("repeat")
    await guest.answer(question)
    last = question.view.legal[-1]
    number = question.question_id
    await guest.send((Answer(number, last), Answer(number ^ (1 << 60), last), Answer(1, last)))


async def come_again(guest: Guest, question: Question) -> None:
    """Loses its connection and is back at once."""
    if guest.may_be_away(0.2):
        guest.did("come again")
        raise Leave(0.0)
    await guest.answer(question)


async def come_late(guest: Guest, question: Question) -> None:
    """Is back when most of the grace is over."""
    pause = guest.limits.grace - 1.5
    if guest.may_be_away(pause):
        guest.did("come just in time")
        raise Leave(pause)
    await guest.answer(question)


async def take_over(guest: Guest, question: Question) -> None:
    """Comes while it is still there."""
    if guest.may_be_away(0.2):
        guest.did("take over")
        raise TakeOver
    await guest.answer(question)


async def be_cut(guest: Guest, question: Question) -> None:
    """Its connection is cut: before, while or after it answers, or at its next question."""
    line, number = guest.line, question.question_id
    if line is None or number in guest.spared or not guest.may_be_away(0.5):
        await guest.answer(question)
        return
    guest.spared.add(number)
    match guest.chance.randrange(5):
        case 0:
            guest.did("cut at the next question")
            line.trap(Way.DOWN)
            await guest.answer(question)
        case 1:
            guest.did("cut in the middle of an answer")
            line.trap(Way.UP)
            await guest.answer(question)
        case 2:
            guest.did("cut after an answer")
            await guest.answer(question)
            line.cut(reset=guest.chance.random() < 0.5)
        case 3:
            guest.did("cut while thinking")
            await asyncio.sleep(0.1 * guest.chance.random())
            line.cut(reset=guest.chance.random() < 0.5)
        case _:
            guest.did("cut at some moment")
            await guest.answer(question)

            async def cut() -> None:
                if guest.may_be_away(0.5):
                    line.cut()

            guest.soon(guest.chance.random(), cut)


async def send_too_much(guest: Guest, question: Question) -> None:
    """Sends a frame that is larger than any that is read, which ends the stream; and is back."""
    if question.question_id in guest.spared or not guest.may_be_away(0.5):
        await guest.answer(question)
        return
    guest.spared.add(question.question_id)
    guest.did("too much")
    await guest.send(bytes(2 * FRAME_LIMIT_BYTES))


# --- faults ----------------------------------------------------------------------------------


async def hang(guest: Guest, _question: Question) -> None:
    """Never answers this one."""
    guest.did("hang")


async def fall_silent(guest: Guest, _question: Question) -> None:
    """Reads and answers nothing for a while."""
    guest.did("fall silent")
    await asyncio.sleep(guest.limits.move_timeout * 2.5)


async def answer_late(guest: Guest, question: Question) -> None:
    """Answers when the time is over."""
    guest.did("answer late")
    guest.soon(guest.limits.move_timeout * 1.4, lambda: guest.answer(question))


async def play_illegal(guest: Guest, question: Question) -> None:
    """Plays a card that it may not play."""
    guest.did("illegal")
    legal = question.view.legal
    actions = (Action(Kind.PLAY, card) for card in range(52))
    action = next(action for action in actions if action not in legal)
    await guest.send((Answer(question.question_id, action),))


async def send_garbage(guest: Guest, question: Question) -> None:
    """Sends what can't be read."""
    guest.did("garbage")
    number = question.question_id
    twice = game_pb2.Action(discard=game_pb2.Discard(cards=[5, 5]))
    unreadable = referee_pb2.Answers(answers=[referee_pb2.Answer(question_id=number, action=twice)])
    await guest.send(
        guest.chance.choice(
            (
                b"\xff" + guest.chance.randbytes(200),
                guest.chance.randbytes(20_000),
                b"",
                b"\x12\x00",
                referee_pb2.PlayRequest(answers=unreadable).SerializeToString(),
                write_bot_frame((Answer(number, None),)),
                write_bot_frame(Hello(name="again", token="again")),
            )
        )
    )


async def fail(guest: Guest, question: Question) -> None:
    """Reports an exception of its own."""
    guest.did("fail")
    failure = Failure("LookupError: no idea", "Traceback: " + "x" * 20_000)
    await guest.send((Answer(question.question_id, failure),))


async def flood(guest: Guest, question: Question) -> None:
    """Sends thousands of answers that nobody asked for, then the right one."""
    guest.did("flood")
    strays = tuple(Answer(number, choice(question)) for number in range(1, 1001))
    for _ in range(6):
        await guest.send(strays)
    await guest.answer(question)


async def die(guest: Guest, _question: Question) -> None:
    """Ends, and is back when the grace is over, as a new process or as the same one."""
    guest.did("die")
    raise Leave(guest.limits.grace * 1.3, forget=guest.chance.random() < 0.5)


async def be_deaf(guest: Guest, _question: Question) -> None:
    """Reads nothing for longer than it is waited for, as its line holds everything back."""
    guest.did("deaf")
    if guest.line is not None:
        guest.line.stop()
    await asyncio.sleep(guest.limits.move_timeout * 3)
    if guest.line is not None:
        guest.line.cut()


async def drip(guest: Guest, question: Question) -> None:
    """Its answer comes a byte a second."""
    guest.did("drip")
    assert guest.line is not None
    guest.line.drip()
    await guest.answer(question)
    await asyncio.sleep(guest.limits.move_timeout * 3)
    guest.line.cut()


_GONE = frozenset({Fault.DISCONNECT, Fault.ABSENT})
_STUCK = _GONE | {Fault.TIMEOUT}

GUESTS: Mapping[str, GuestKind] = {
    "good": GuestKind(),
    "thinking": GuestKind(deeds={"think": (0.03, think)}),
    "repeating": GuestKind(deeds={"repeat": (0.1, repeat)}, notices=True),
    "returning": GuestKind(
        deeds={"come again": (0.01, come_again), "come just in time": (0.002, come_late)}
    ),
    "overtaking": GuestKind(deeds={"take over": (0.01, take_over)}),
    "cut": GuestKind(deeds={"be cut": (0.02, be_cut)}, on_a_line=True),
    "cut again": GuestKind(deeds={"be cut": (0.05, be_cut)}, on_a_line=True, notices=True),
    "too much": GuestKind(deeds={"too much": (0.003, send_too_much)}),
    "hanging": GuestKind(
        deeds={"hang": (0.02, hang)}, earns=frozenset({Fault.TIMEOUT}), counted=True
    ),
    "silent": GuestKind(
        deeds={"fall silent": (0.004, fall_silent)}, earns=frozenset({Fault.TIMEOUT})
    ),
    "late": GuestKind(
        deeds={"answer late": (0.02, answer_late)},
        earns=frozenset({Fault.TIMEOUT}),
        counted=True,
        certain=False,  # while others of its questions are answered none is late
    ),
    "illegal": GuestKind(
        deeds={"illegal": (0.05, play_illegal)}, earns=frozenset({Fault.ILLEGAL}), counted=True
    ),
    "garbage": GuestKind(
        deeds={"garbage": (0.05, send_garbage)}, earns=frozenset({Fault.MALFORMED}), counted=True
    ),
    "failing": GuestKind(
        deeds={"fail": (0.05, fail)}, earns=frozenset({Fault.ERROR}), counted=True
    ),
    "flooding": GuestKind(deeds={"flood": (0.003, flood)}, earns=frozenset({Fault.TIMEOUT})),
    "dying": GuestKind(deeds={"die": (0.003, die)}, earns=_GONE),
    "deaf": GuestKind(deeds={"deaf": (0.003, be_deaf)}, earns=_STUCK, on_a_line=True, notices=True),
    "dripping": GuestKind(deeds={"drip": (0.003, drip)}, earns=_STUCK, on_a_line=True),
}
"""All kinds of guests, by the name of the entrant that each is."""
