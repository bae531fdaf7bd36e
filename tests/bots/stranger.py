"""Is never let in: says `nothing`, has the `wrong_token`, or speaks another `protocol`."""

import os
import sys
import time

from bots.stream import Stream
from pitch.wire.frames import Hello

if __name__ == "__main__":
    stream = Stream()
    name, token = os.environ["PITCH_NAME"], os.environ["PITCH_TOKEN"]
    if sys.argv[1] == "wrong_token":
        stream.send(Hello(name=name, token=token[::-1]))
    elif sys.argv[1] == "protocol":
        stream.send(Hello(name=name, token=token, protocol=99))
    else:
        time.sleep(600)
    for _ in stream.frames():
        pass
    sys.exit(1)
