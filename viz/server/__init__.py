"""The ASGI side of the application: the work at startup, and the routes beside Streamlit's own."""

from viz.server.faults import on_script_error
from viz.server.lifespan import lifespan
from viz.server.middleware import middleware
from viz.server.patches import ask_and_believe_nobody
from viz.server.routes import routes

__all__ = ["ask_and_believe_nobody", "lifespan", "middleware", "on_script_error", "routes"]
