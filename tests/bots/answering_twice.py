"""A good player that says everything twice, and answers what it was never asked.

Its other answers are legal too, but not the ones that it gave first.
"""

from bots.stream import Stream
from pitch.wire.frames import Answer

if __name__ == "__main__":
    stream = Stream()
    stream.say_hello()
    before = 0
    for question in stream.questions():
        first, last = question.view.legal[0], question.view.legal[-1]
        stream.send(
            (
                Answer(before, last),  # answered already
                Answer(question.question_id ^ 1, last),  # nobody's, or another's
                Answer(question.question_id, first),
                Answer(question.question_id, last),
            )
        )
        stream.answer(question.question_id, last)
        before = question.question_id
