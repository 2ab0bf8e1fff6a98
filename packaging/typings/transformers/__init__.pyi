# The library's own module imports all its models: reading them took pyright a third of its time and 4 GB of memory.
from typing import Any

def __getattr__(name: str) -> Any: ...
