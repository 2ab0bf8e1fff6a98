"""Decimals in widgets of Streamlit, which writes the numbers of a slider and of a table the English way by itself."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from viz.i18n import number
from viz.state import session
from viz.state.selection import Selection

DIGITS, STEP = 3, 0.001


def decimal_slider(
    label: str, field: str, low: float, high: float, step: float, *, kind: type = Selection, area: str = "",
    **arguments: Any,
) -> None:  # fmt: skip
    """A slider tied to a choice, from ``low`` to ``high``; a value between two steps shows as the nearer one."""
    options = [round(low + place * step, 6) for place in range(round((high - low) / step) + 1)]
    value = getattr(session.choices_of(kind, area), field)
    nearest = min(options, key=lambda option: abs(option - value))
    st.select_slider(
        label, options, format_func=lambda option: number(option, ".2f"), **arguments,
        **session.bind(field, kind, area, value=nearest),
    )  # fmt: skip


def decimal_table(table: pd.DataFrame, **arguments: Any) -> None:
    """A table in which the browser writes decimals as its reader does, all with three digits."""
    exact = table.select_dtypes(np.floating).astype(float)
    columns = {
        str(name): st.column_config.NumberColumn(format="localized", step=None if is_whole else STEP)
        for name, is_whole in ((exact % 1 == 0) | exact.isna()).all().items()
    }
    rounded = table.copy()
    rounded[exact.columns] = exact.round(DIGITS)  # the browser would cut further digits off
    st.dataframe(rounded, hide_index=True, column_config=columns, **arguments)
