"""From results in plan order to standings: pure functions of plan and journal."""
