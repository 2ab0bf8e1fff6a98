"""Several servers of the application behind one port: ``python -m viz.serve --workers 2``, or ``regard serve``."""
