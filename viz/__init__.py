"""The interface, and its views for use from Python: ``viz.show(trace)``, ``viz.export_html(trace, path)``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viz.notebook import export_html, show

__all__ = ["export_html", "show"]


def __getattr__(name: str) -> Any:
    # Looked up on first use: the app imports parts of this package that ``viz.show`` itself needs.
    if name in __all__:
        from viz import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'viz' has no attribute {name!r}")
