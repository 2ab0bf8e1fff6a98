"""The code of one component in its files, and its place on a Streamlit page."""

from dataclasses import dataclass
from functools import cached_property

from streamlit.components.v2 import component
from streamlit.components.v2.types import ComponentRenderer

from viz.components.code import FOLDER, code
from viz.components.modules import join


@dataclass(frozen=True)
class Source:
    """JavaScript modules and a style sheet, read when first used."""

    name: str
    """The component's folder."""
    entry: str
    """Its first module, the one with the default export that Streamlit calls."""
    sheet: str = "component.css"
    shared_sheets: tuple[str, ...] = ()
    """The style sheets in ``shared/`` of parts that other components have too."""

    @cached_property
    def javascript(self) -> str:
        """The whole component as one ES module: one request instead of one for each of thirty files."""
        return join(FOLDER / self.name / self.entry)

    @cached_property
    def stylesheet(self) -> str:
        """The component's style sheet, after those that it shares."""
        sheets = (*(FOLDER / "shared" / name for name in self.shared_sheets), FOLDER / self.name / self.sheet)
        return "".join(sheet.read_text("utf-8") for sheet in sheets)

    def mount(self, more: str = "") -> ComponentRenderer:
        """Register the component with Streamlit; call it once, at import.

        Args:
            more: JavaScript that follows the component's own, in the same scope.
        """
        name = f"regard.{self.name}"
        return component(name, **code(name, js=self.javascript + more, css=self.stylesheet))
