"""Taking attention away: tables, files for programs, and a page that opens anywhere."""

from viz.export.page import html_page
from viz.export.tables import csv_bytes
from viz.export.views import Shown, record_of, view_of

__all__ = ["Shown", "csv_bytes", "html_page", "record_of", "view_of"]
