"""The check-up of a bot: a process of its own, over the real wire, judged point by point.

sitting      one process of the bot at a server of ours, which can be made to misbehave
tables       questions and whole games that keep a ledger of what came back
findings     what a check may come to
basics, wire, endurance, ending     the checks
checkup      their order, and which are skipped when another has failed
certificate  what was found, as a document that a tournament can ask for
"""
