"""Takes every question and answers none."""

from bots.stream import Stream

if __name__ == "__main__":
    stream = Stream()
    stream.say_hello()
    for _ in stream.questions():
        pass
