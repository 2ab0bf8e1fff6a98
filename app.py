"""The front door: ``streamlit run app.py [-- --checkpoint PATH]``."""

import streamlit as st

from viz.server import ask_and_believe_nobody, lifespan, middleware, on_script_error, routes

ask_and_believe_nobody()
app = st.App(
    "viz/main.py", lifespan=lifespan, routes=routes(), middleware=middleware(), on_script_error=on_script_error
)
