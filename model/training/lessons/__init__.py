"""Small self-written sets of pairs, each with a lesson that shows within a minute on two CPU cores."""

from model.training.lessons.lesson import LESSONS, Lesson, find_lesson
from model.training.lessons.register import Register, register_of

__all__ = ["LESSONS", "Lesson", "Register", "find_lesson", "register_of"]
