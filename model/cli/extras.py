"""Optional packages by extra; the library itself needs only torch, NumPy, SentencePiece and safetensors."""

EXTRA_OF = {
    "accelerate": "train", "google": "train", "rich": "train", "sacrebleu": "train", "yaml": "train",
    "duckdb": "interpret", "faiss": "interpret", "pandas": "interpret", "pyarrow": "interpret",
    "pypdf": "app", "transformers": "interpret",
}  # fmt: skip
"""The extra of pyproject.toml that brings a package, by the name under which it is imported."""

_CALLED = {"google": "protobuf", "yaml": "PyYAML", "faiss": "faiss-cpu"}
"""Packages that are installed under another name than they are imported by."""


def remedy(error: ModuleNotFoundError) -> str | None:
    """The package to install; None for a module of no extra, whose absence is a defect of this program."""
    package = (error.name or "").partition(".")[0]
    extra = EXTRA_OF.get(package)
    if extra is None:
        return None
    return (
        f"this needs the package {_CALLED.get(package, package)}, which the library alone does without: "
        f'pip install "regard[{extra}]" (in a clone: pip install ".[{extra}]")'
    )
