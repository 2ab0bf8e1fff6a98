"""Reads YAML settings: mappings, lists and short scalars. Refuses aliases, merge keys and tags, which can expand."""

from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, ScalarNode

from model.checkpoints.basis.errors import CheckpointError, LimitError

MAX_BYTES = 64 << 10
_MAX_DEPTH, _MAX_VALUES, _MAX_CHARACTERS = 24, 20_000, 4_096


def read_yaml(path: Path) -> Any:
    """The value of a YAML file."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LimitError(f"{path.name} has {size:,} bytes: the limit is {MAX_BYTES:,}")
        return parse_yaml(path.read_text("utf-8"), path.name)
    except (UnicodeDecodeError, OSError) as error:
        raise CheckpointError(f"{path.name} cannot be read ({str(error)[:120]}): give the run's own file") from error


def parse_yaml(text: str, where: str) -> Any:
    """The value of YAML text."""
    if len(text) > MAX_BYTES:
        raise LimitError(f"{where} has {len(text):,} characters: the limit is {MAX_BYTES:,}")
    try:
        return yaml.load(text, _PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{where} cannot be read ({str(error)[:120]}): give the run's own file") from error


class _PlainLoader(yaml.SafeLoader):
    """PyYAML's safe loader without the features that let a small file expand."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.depth = self.values = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) cannot be read: write the values out")
        self.depth, self.values = self.depth + 1, self.values + 1
        if self.depth > _MAX_DEPTH or self.values > _MAX_VALUES:
            raise yaml.YAMLError(f"more than {_MAX_DEPTH} levels or {_MAX_VALUES:,} values")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, ScalarNode) and len(node.value) > _MAX_CHARACTERS:
            raise yaml.YAMLError(f"a value of more than {_MAX_CHARACTERS:,} characters")
        return node

    def flatten_mapping(self, node: MappingNode) -> None:
        if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
            raise yaml.YAMLError("merges (<<) cannot be read: write the values out")
