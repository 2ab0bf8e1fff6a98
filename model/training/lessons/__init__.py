"""Small self-written sets of pairs, each with an effect that appears within a minute on two CPU cores."""

from model.training.lessons.lesson import LESSONS, Lesson, Register, find_lesson, register_of

__all__ = ["LESSONS", "Lesson", "Register", "find_lesson", "register_of"]
