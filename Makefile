# make app    open the application (first time: sets up .venv and installs what it needs)
# make test   every test: Python's, the browser's and, where Node is installed, the JavaScript's
# make check  format, lint and types, of Python and of JavaScript
# make dist   the wheel and the source archive, in build/dist
# make gallery   the static gallery of 24 sentences, in build/gallery
# make figures   every benchmark that README quotes, then rewrites README's table (run it on an idle machine)

PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check
TORCH := $(shell grep '^torch==' requirements.txt)

# One more than the number of cores, because tests also wait for servers, browsers and processes.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

.PHONY: app test check lint types scripts javascript browser dist gallery figures clean

app: $(VENV)/.app
	$(VENV)/bin/streamlit run app.py $(ARGS)

test: $(VENV)/.dev javascript browser
	$(VENV)/bin/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

check: lint types scripts

lint: $(VENV)/.dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

types: $(VENV)/.dev
	$(VENV)/bin/pyright

scripts:
	@sh tests/js/check.sh

# Node is only needed for development, not by the application.
javascript:
	@if command -v node >/dev/null; then node --test tests/js/*.test.js; \
	  else echo "SKIPPED: the tests of the JavaScript, because node is not installed (Debian: apt install nodejs)" >&2; fi

browser: $(VENV)/.dev
	@PYTHON=$(VENV)/bin/python sh tests/browser/install_chromium.sh

dist: $(VENV)/.dev
	$(VENV)/bin/python -m build --no-isolation --outdir build/dist .

gallery: $(VENV)/.app
	$(VENV)/bin/python -m viz gallery --out build/gallery

figures: $(VENV)/.dev browser
	$(VENV)/bin/python -m benchmarks.figures $(ARGS)

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "No virtual environment could be made; on Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }

# Without an NVIDIA driver, PyTorch's CPU build saves two gigabytes; its usual build is the fallback if that index is
# down.
$(VENV)/.app: requirements.txt | $(VENV)/bin/python
	@command -v nvidia-smi >/dev/null 2>&1 || $(VENV)/bin/python -c 'import torch' 2>/dev/null \
	  || $(PIP) install --retries 0 --index-url https://download.pytorch.org/whl/cpu "$(TORCH)" \
	  || echo "PyTorch's index of CPU builds cannot be reached; going on with its usual build."
	$(PIP) install -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.app
	$(PIP) install -r requirements-dev.txt
	@touch $@
