"""What an author got wrong, in words: one message for each mistake, the same wherever it is found.

Here belong the sentences, with the line of the author's code and what to do about it. Finding
a mistake belongs to whoever meets it: the session, the connection, a local table, the server.
"""

import inspect
import re
import reprlib
import sysconfig
import traceback
from operator import index
from types import CodeType, FrameType

from pitch.bot.view import View
from pitch.rules import (
    MOON,
    SMUDGE,
    Action,
    Discards,
    Kind,
    Phase,
    action_text,
    bid_text,
    card_text,
    cards_text,
    legal_text,
    parse_action,
)
from pitch.rules.cards import SUITS, cards_of

__all__ = [
    "NO_RUN",
    "alike",
    "async_many",
    "blocking",
    "ended",
    "illegal",
    "late",
    "line_of",
    "never_runs",
    "no_action",
    "no_classmethod",
    "no_many",
    "no_pitch_server",
    "place_of",
    "raised",
    "refused",
    "stack_line",
    "traced",
    "wrong_count",
    "wrong_protocol",
]

_ENDS_WITH = 'a bot\'s file ends with: if __name__ == "__main__": run(MyBot)'
NO_RUN = f"it ended without saying hello; {_ENDS_WITH}, with the name of its class"
"""What is likely wrong with a process that ends in peace before it has connected."""


def never_runs(file: str, bot: type) -> str:
    """A file with a bot that does nothing when it is started."""
    ending = _ENDS_WITH.replace("MyBot", bot.__name__)
    return f"{file} never calls run, so that a tournament would start it in vain; {ending}"


# --- lines --------------------------------------------------------------------------------------

_OURS = __file__.replace("\\", "/").rpartition("/bot/")[0] + "/"
_SAMPLES = f"{_OURS}sample_bots/"
_LIBRARY = tuple(
    f"{path}/".replace("\\", "/")
    for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
)


def _is_authors(code: CodeType) -> bool:
    """Whether code is neither the SDK's nor a library's."""
    file = code.co_filename.replace("\\", "/")
    if file.startswith(_SAMPLES):
        return True
    return not (
        file.startswith((_OURS, "<frozen", *_LIBRARY))
        or "/site-packages/" in file
        or "/dist-packages/" in file
        or "/pitch_server/" in file
    )


def _file_line(code: CodeType, line: int) -> str:
    return f"{code.co_filename.replace(chr(92), '/').rpartition('/')[2]}:{line}"


def line_of(error: BaseException) -> str:
    """The last line of the author's code that an exception passed, as file:line; or nothing."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _is_authors(frame.f_code):
            found = _file_line(frame.f_code, line)
    return found


def place_of(bot: type, method: str = "choose") -> str:
    """Where a method of a bot begins: "MyBot.choose, my_bot.py:5"."""
    function: object = inspect.unwrap(getattr(bot, method))
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    line = f", {_file_line(code, code.co_firstlineno)}" if isinstance(code, CodeType) else ""
    return f"{bot.__name__}.{method}{line}"


def stack_line(frame: FrameType | None) -> str:
    """The innermost line of the author's code in a running stack, as file:line; or nothing."""
    while frame is not None:
        if _is_authors(frame.f_code):
            return _file_line(frame.f_code, frame.f_lineno)
        frame = frame.f_back
    return ""


_PLACE = re.compile(r"\(([^()]*:\d+)\)(?:: ([^;]*))?")
_VARYING = re.compile(r"\d[\d.]*|\b[2-9TJQKA][CDHS]\b")


def alike(message: str) -> str:
    """What messages of one mistake have in common: the line of code and what is wrong there.

    Values that an author's message shows, cards and numbers are left out.
    """
    first = message.partition("\n")[0]
    place = _PLACE.search(first)
    if place is None:
        return _VARYING.sub("#", first)[:200]
    kind = first.partition(" ")[0]
    return f"{kind} {place[1]} {_VARYING.sub('#', place[2] or '')}"[:200]


# --- exceptions ---------------------------------------------------------------------------------


def ended(end: BaseException) -> str:
    """Code of the author's has ended the bot's process, from within a decision or a hook."""
    said = f"sys.exit({end.code!r})" if isinstance(end, SystemExit) else str(end)
    line = line_of(end)
    return (
        f"{said or type(end).__name__}{f' ({line})' if line else ''} ends the bot's process, and "
        "its games are lost; return an action, or raise another exception to lose one decision"
    )


_UNCHANGED = "what a view gives can't be changed; make a list of it, as in list(view.hand)"
_REMEDIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"'tuple' object (has no attribute|does not support)"), _UNCHANGED),
    (
        re.compile(r"\b(choose|__init__)\(\) (takes|missing)"),
        "the SDK calls MyBot() and choose(view): give other parameters defaults",
    ),
    (
        re.compile(r"asyncio\.run\(\) cannot be called from a running event loop"),
        "choose is called by an event loop already: make it an async def, and await there",
    ),
)


def raised(error: BaseException) -> str:
    """An exception of the author's code: what it says, where, and a remedy that is known."""
    text = _text_of(error)
    first, newline, rest = text.partition("\n")
    line = line_of(error)
    remedy = next((remedy for pattern, remedy in _REMEDIES if pattern.search(text)), "")
    return (
        first + (f" ({line})" if line else "") + (f"; {remedy}" if remedy else "") + newline + rest
    )


def traced(error: BaseException) -> str:
    """The traceback of an exception, ending with what `raised` says of it."""
    parts = traceback.format_exception(error)
    own = _text_of(error)
    at = next((at for at in reversed(range(len(parts))) if parts[at].strip() == own), len(parts))
    return "".join([*parts[:at], f"{raised(error)}\n", *parts[at + 1 :]])


def _text_of(error: BaseException) -> str:
    """Kind and words of an exception, without notes that were added."""
    lines = traceback.format_exception_only(error)
    return lines[-1 if isinstance(error, SyntaxError) else 0].strip()


def late(interrupted: BaseException | None, text: str, line: str = "") -> str:
    """A decision that took too long; where it was interrupted, or was at the limit, if known."""
    line = ("" if interrupted is None else line_of(interrupted)) or line
    return text.partition("\n")[0] + (f" at {line}" if line else "")


def async_many(bot: type) -> str:
    """`choose_many` is an async def, which nothing waits for."""
    return (
        f"{place_of(bot, 'choose_many')} is an async def; make it a plain def, or decide one by "
        "one in an async def choose"
    )


def no_classmethod(bot: type) -> str:
    """`choose_many` is asked of the class, as its decisions are of many objects."""
    return f"{place_of(bot, 'choose_many')} is no classmethod; write @classmethod above it"


def no_many(bot: type, outcome: object) -> str:
    """`choose_many` gave nothing that holds actions."""
    return (
        f"choose_many returned {reprlib.repr(outcome)} ({place_of(bot, 'choose_many')}); return "
        "one action for each view, in their order"
    )


def wrong_count(bot: type, count: int, expected: int) -> str:
    """`choose_many` gave too few actions, or too many."""
    return (
        f"choose_many returned {count} actions for {expected} views "
        f"({place_of(bot, 'choose_many')}); return one for each view, in their order"
    )


# --- what is no action --------------------------------------------------------------------------

_RETURN = {
    Phase.AUCTION: "return view.call(bid), or view.call(0) to pass",
    Phase.TRUMP: "return view.name_trump(suit)",
    Phase.EXCHANGE: "return discard(cards), or one of view.legal",
    Phase.PLAY: "return view.play(card)",
}


def no_action(bot: type, method: str, outcome: object, view: View) -> str:
    """What a bot returned is no action that could be sent."""
    shown = reprlib.repr(outcome)
    return (
        f"{bot.__name__}.{method} returned {shown}, expected one of view.legal "
        f"({place_of(bot, method)}): {_instead(outcome, view)}"
    )


def _instead(outcome: object, view: View) -> str:
    right = _RETURN.get(view.phase, "return one of view.legal")
    if outcome is None:
        return f"some way through it ends without a return; {right}"
    if isinstance(outcome, Action):
        return f"there is no such action; {right}"
    if (number := _number(outcome)) is not None:
        if number in view.legal_cards:
            right = f"return view.play({number}), which plays {card_text(number)}"
        return f"a number is no action; {right}"
    if isinstance(outcome, str):
        return f"a text is no action; {_of_text(outcome) or right}"
    if inspect.isgenerator(outcome) or inspect.isasyncgen(outcome):
        return f"it has a yield in it, so nothing of it has run; {right}"
    if isinstance(outcome, tuple | list | Discards) and outcome == view.legal:
        return "those are all of the legal actions; return one of them, such as view.legal[0]"
    return f"{type(outcome).__name__} is no action; {right}"


def _number(outcome: object) -> int | None:
    """A whole number, perhaps numpy's; None for anything else."""
    try:
        return index(outcome)  # type: ignore[arg-type]
    except TypeError:
        return None


def _of_text(text: str) -> str:
    try:
        parse_action(text)
    except ValueError:
        return ""
    return f"return parse_action({text!r})"


# --- what is not legal --------------------------------------------------------------------------

_ASKED = {
    Phase.AUCTION: "a call is asked for",
    Phase.TRUMP: "the trump suit is asked for",
    Phase.EXCHANGE: "an exchange of cards is asked for",
    Phase.PLAY: "a card is asked for",
}


def illegal(bot: type, method: str, action: Action, view: View) -> str:
    """An action that the rules don't allow there: which, why, and what is legal."""
    return (
        f"{action_text(action)} is not legal here ({place_of(bot, method)}): "
        f"{_why_illegal(action, view)}; legal: {legal_text(view.legal)}"
    )


def _why_illegal(action: Action, view: View) -> str:
    kind, value = action
    legal = view.legal
    if isinstance(legal, Discards):
        return _why_no_discard(action, legal, view)
    if kind not in {each.kind for each in legal}:
        if kind in (Kind.PLAY, Kind.PITCH) and not view.known.hand >> value & 1:
            return f"{_ASKED[view.phase]}, and {_not_held(value, view)}"
        return _ASKED[view.phase]
    if kind in (Kind.PLAY, Kind.PITCH):
        return _why_no_play(value, view)
    if kind == Kind.BID:
        return _why_no_bid(value, view)
    return "the hand has no trump of that suit" if kind == Kind.TRUMP else "not now"


def _not_held(card: int, view: View) -> str:
    if (view.seat, card) in view.played:
        return f"{card_text(card)} was played already"
    if card in view.discarded:
        return f"{card_text(card)} was discarded"
    return f"{card_text(card)} is not in the hand"


def _why_no_play(card: int, view: View) -> str:
    if not view.known.hand >> card & 1:
        return _not_held(card, view)
    led = view.led_suit
    if led is None:
        return "it may not be led"
    suit = SUITS[led]
    if view.by_suit[led]:
        return f"{suit} was led, and the hand has {cards_text(view.by_suit[led])} to follow"
    return f"{suit} was led, and this card may not be played to it"


def _why_no_bid(bid: int, view: View) -> str:
    if bid > view.variant.max_bid and bid not in (SMUDGE, MOON):
        return f"bids end at {view.variant.max_bid}"
    if view.bid and bid <= view.bid:
        return f"the bid stands at {bid_text(view.bid)}"
    return "there is no such bid"


def _why_no_discard(action: Action, legal: Discards, view: View) -> str:
    if action.kind is not Kind.DISCARD:
        return "cards to discard are asked for"
    gone = action.value
    if strange := gone & ~view.known.hand:
        return f"{_not_held(cards_of(strange)[0], view)}"
    if missing := legal.required & ~gone:
        return f"{cards_text(cards_of(missing))} must go too"
    if kept := gone & ~(legal.required | legal.optional):
        return f"{cards_text(cards_of(kept))} may not go"
    size = str(legal.minimum)
    if legal.maximum > legal.minimum:
        size = f"{legal.minimum} to {legal.maximum}"
    return f"{size} cards are to go, not {gone.bit_count()}"


# --- the event loop -----------------------------------------------------------------------------


def blocking(seconds: float, line: str) -> str:
    """An async bot that does not let others of its decisions go on."""
    return (
        f"{line}: async def choose has held up the event loop for {seconds:.1f} s, so that none of "
        "its other decisions went on; await there (await asyncio.sleep, an async client), or have "
        "work done by: await asyncio.to_thread(function)"
    )


# --- the way to the server ----------------------------------------------------------------------


def refused(name: str, *, token: bool) -> str:
    """What the few words that a server has for strangers may mean."""
    missing = "" if token else "; no token was given: --token-file FILE or PITCH_TOKEN"
    return (
        f"The server does not let {name!r} in by this token: check --name and the token, or ask "
        f"whoever runs the tournament for a new one{missing}"
    )


_STRANGERS = ("Failed parsing HTTP/2", "UNIMPLEMENTED", "Received http2 header with status")


def no_pitch_server(server: str, reason: str) -> str:
    """Something else than a Pitch server answers; nothing if that is not what grpc says."""
    if not any(words in reason for words in _STRANGERS):
        return ""
    return (
        f"what answers at {server} is no Pitch server; expected the address that pitch serve "
        "prints, as in --server HOST:7777"
    )


def wrong_protocol(sdk: str) -> str:
    """A server that speaks another version of the protocol."""
    return (
        f"This bot uses {sdk}: get the version that goes with the server, as in "
        "python -m pip install --upgrade pitch-arena"
    )
