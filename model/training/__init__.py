"""Training: data, loss, schedule, the trainer and its run folder."""
