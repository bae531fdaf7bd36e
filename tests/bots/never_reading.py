"""Says hello and never reads again, whatever the server sends; little of it is taken in unread."""

import time

from bots.stream import Stream

if __name__ == "__main__":
    stream = Stream(("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
    stream.say_hello(capacity=4096, notices=True)
    time.sleep(600)
