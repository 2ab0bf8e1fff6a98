"""The reader's choices: their rules, the link, this browser session, clicks and turns."""
