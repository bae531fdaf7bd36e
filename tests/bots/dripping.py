"""Says a little all the time and nothing that counts: `bytes` of a greeting, or `frames`.

`bytes` come one by one on a bare socket, so that not even the connection is ever made; `frames`
are answers to nothing, while the questions wait.
"""

import os
import socket
import sys
import threading
import time

from bots.stream import Stream
from pitch import PASS


def drip_bytes() -> None:
    host, _, port = os.environ["PITCH_SERVER"].rpartition(":")
    with socket.create_connection((host, int(port))) as connection:
        for byte in b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" * 100:
            connection.sendall(bytes([byte]))
            time.sleep(0.5)


def drip_frames() -> None:
    stream = Stream()
    stream.say_hello()

    def drip() -> None:
        while True:
            stream.answer(1, PASS)
            time.sleep(0.02)

    threading.Thread(target=drip, daemon=True).start()
    for _ in stream.questions():
        pass


if __name__ == "__main__":
    {"bytes": drip_bytes, "frames": drip_frames}[sys.argv[1]]()
