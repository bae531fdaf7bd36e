"""The warden: a small process between the server and one bot, so that no bot outlives the server.

Here belong starting the bot's command in a session of its own as a guest of this machine,
draining its output into a bounded log, telling the server how it ended, and ending it with
everything that it started. Nothing else: which bots run, with what token and how often is for
`launch`. Run as a script, by the standard library alone, so that thirty of them start quickly:

    python -I -S script.py LOG LOG_LIMIT HEADING GRACE GUEST COMMAND...

GUEST is what `Guest` reads, such as `memory=1073741824,nice=5,user=1000:1000:27`. Standard input
is the control pipe: first the bot's environment (`take_environment`), which holds its token and
therefore stands on no command line; then `stop SECONDS` ends the bot, and so does its closing,
which is what even a kill -9 of the server does. Standard output is the report pipe, a line an
event: `started PID`, `failed ERRNO STEP`, `exited STATUS CPU`, `killed SIGNAL CPU` (seconds).
The working directory is handed on to the bot as it is.

On Linux the warden adopts orphans, so daemons that the bot left behind are found however they
detached, and the bot dies with its warden. Elsewhere only the bot's process group is ended.
"""
