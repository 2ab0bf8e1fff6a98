"""The front door: ``streamlit run app.py [-- --checkpoint PATH]``."""

import streamlit as st

from viz.server import lifespan, middleware, on_script_error, routes

app = st.App(
    "viz/main.py", lifespan=lifespan, routes=routes(), middleware=middleware(), on_script_error=on_script_error
)
