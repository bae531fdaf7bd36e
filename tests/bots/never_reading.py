"""Says hello and never reads again, whatever the server sends."""

import time

from bots.stream import Stream

if __name__ == "__main__":
    stream = Stream()
    stream.say_hello(capacity=4096, notices=True)
    time.sleep(600)
