"""What a seat sees, in the words of players, a subject a file.

Each file's class builds on the one before it: the seats, the calls, the cards, the tricks, the
points; `pitch.View` is the last of them. All of it follows from `known`, which the rules made
(pitch.rules.view), and is worked out when it is asked for: nothing here knows more than a seat
may know.

The examples are of one hand of ten-point: 54 cards, where trumps run ace, king, queen, jack,
off-jack, high joker, low joker, ten and so on; seats 0 and 2 are partners. `view` is what seat
2 sees when it is to play to the second trick, diamonds being trump; `calling` the same seat's
view in the auction, `naming` seat 0's when it names trump.
"""
