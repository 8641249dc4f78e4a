"""How strong a memory is: schedules, retention, the instant of forgetting, and salience."""
