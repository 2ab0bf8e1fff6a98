"""What holds for every test."""

from __future__ import annotations

import torch

from viz.server.pages_folder import ignore_pages_folder

torch.set_num_threads(1)
ignore_pages_folder()
