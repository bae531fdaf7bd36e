"""What `print(view)` and `repr(view)` show."""

from hypothesis import given, settings

from bot.example_hand import ACTIONS, example_view
from bot.views import views_of
from pitch.rules import card_text, cards_of
from strategies import Playout, playouts

IN_PLAY = """\
ten-point, a game to 21, hand 1, score ours 0, theirs 0
seat 2 (you) is asked for a card
bid 5 by seat 0, trump is diamonds ♦

seat 0  partner   bid 5         4 cards, deals, pitcher, played 4D, takes the trick so far
seat 1  opponent  bid 2         4 cards, no ♦, played 7C
seat 2  you       bid 3         5 cards
seat 3  opponent  bid 4         5 cards

trick 1   0 AD  1 6D  2 LJ  3 2D  to seat 0
trick 2   0 4D  1 7C
hand      ♦ HJ TD 8D   ♠ QS   ♣ KC
discards  9C 8H JS
points    ours high low_joker; theirs low; open jack off_jack high_joker trey game
for Game  ours 4, theirs 0
legal     play 8D, play TD, play HJ"""

IN_THE_AUCTION = """\
ten-point, a game to 21, hand 1, score ours 0, theirs 0
seat 2 (you) is asked for a call
bid 2 by seat 1

seat 0  partner   -             9 cards, deals
seat 1  opponent  bid 2         9 cards, pitcher
seat 2  you       -             9 cards
seat 3  opponent  -             9 cards

hand      ♠ QS JS   ♥ 8H   ♦ TD 8D   ♣ KC 9C   * HJ LJ
legal     pass, bid 3, bid 4, bid 5, bid 6, bid 7, bid 8, bid 9, bid 10"""

FEW = settings(max_examples=25)  # each is a whole hand, seen by every seat at every step


def test_the_picture_of_a_decision_in_the_play() -> None:
    assert str(example_view(len(ACTIONS))) == IN_PLAY


def test_the_picture_of_a_call() -> None:
    assert str(example_view(1)) == IN_THE_AUCTION


def test_a_view_in_one_line() -> None:
    assert repr(example_view(len(ACTIONS))) == (
        "<View seat 2; ten-point; play; hand KC 8D TD QS HJ; trump ♦; trick 0 4D, 1 7C; "
        "legal play 8D, play TD, play HJ>"
    )


@FEW
@given(playouts())
def test_every_view_has_a_picture_that_shows_the_own_cards(played: Playout) -> None:
    for hand, view in views_of(played):
        words = str(view).split()
        assert all(card_text(card) in words for card in cards_of(hand.hands[view.seat]))
        assert "\n" not in repr(view)
