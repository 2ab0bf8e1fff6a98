"""Runs the model in order to explain it: ablation, attribution, contrast, the logit lens, inspection."""
