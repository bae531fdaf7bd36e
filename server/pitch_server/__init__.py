"""The tournament server: plans, referees, keeps and rates games of Pitch between bots."""
