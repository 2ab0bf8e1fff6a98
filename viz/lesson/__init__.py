"""The lesson: its scenes, what each shows, what each changes, and what is printed."""
