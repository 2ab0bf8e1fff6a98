# make app    open the application (first time: sets up .venv and installs what it needs)
# make test   the tests of every change: Python's, the browser's and, where Node is installed, the JavaScript's
# make test-all   these and the ones left to the night (tests/nightly.py)
# make test-unit, make test-browser, make javascript   a part of them: without a browser or server, with one, and Node's
# make test-fast   in 90 seconds: the unit tests nearest to what has changed (tests/fast.py)
# make check  format, lint and types, of Python and of JavaScript
# make dist   the wheel and the source archive, in build/dist
# make gallery   the static gallery of 24 sentences, in build/gallery
# make site   the static site in which the model runs, in build/site
# make docs   the documentation, in build/docs; a broken link is an error
# make pages   site, gallery and docs as they are published, in build/pages
# make package   the built wheel with its extras in an environment of its own, tried from an empty folder
# make release   wheel, source, notes, citation, bill of materials and checksums, in build/release (TAG=v1.2.3, DOI=…)
# make licences   every package that Regard needs, with its licence
# make mutants   small errors in the code that no test notices (tests/mutants.py; ARGS="--sample 100")
# make lock   requirements-lock.txt and requirements-server.txt anew; make audit   their published weaknesses
# make newest   install the newest of each dependency, beyond all bounds
# make owner OWNER=name   the project's owner on GitHub, in every link; make doi DOI=…   the DOI, in CITATION.cff
# make space   what a Hugging Face Space needs, in build/space
# make paper   the paper as PDF, in build/paper (pandoc and LaTeX)
# make after-training MODEL=en-zh DATA=folder   what depends on new weights, made anew (tests/after_training.py)
# make figures   every benchmark, then rewrites benchmarks/README.md and README's table (run it on an idle machine)

PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check
TORCH := $(shell grep '^torch==' requirements.txt)

# One more than there are cores, because one of them mostly waits for a server and a browser (tests/conftest.py).
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PYTEST = $(VENV)/bin/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder
BY_DAY = --by-day --flaky=pass

.PHONY: app test test-all test-unit test-browser test-fast check lint types scripts javascript python browser dist docs site gallery figures clean after-training \
  pages package release licences audit lock mutants newest owner doi space paper container

app: $(VENV)/.app
	$(VENV)/bin/streamlit run app.py $(ARGS)

# With --jobs=2 or more the JavaScript's tests run beside Python's.
test: javascript python

test-all: export WHOLE = 1
test-all: CHOSEN = --flaky=fail
test-all: javascript python

CHOSEN = $(BY_DAY)
python: $(VENV)/.compiled browser
	$(PYTEST) $(CHOSEN) $(ARGS)

test-unit: $(VENV)/.compiled
	$(PYTEST) $(BY_DAY) -m "not browser and not server" $(ARGS)

test-browser: $(VENV)/.compiled browser
	$(PYTEST) $(BY_DAY) -m "browser or server" $(ARGS)

test-fast: $(VENV)/.dev
	$(VENV)/bin/python -m tests.fast $(ARGS)

check: lint types scripts

lint: $(VENV)/.dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

types: $(VENV)/.dev
	$(VENV)/bin/pyrefly check

# The checks and tests of JavaScript let pip go first, for which everything else waits.
scripts:
	@nice sh tests/js/check.sh

# Node is only needed for development, not by the application. Without it the last line of `make test` says so.
javascript:
	@! command -v node >/dev/null || nice node --test --test-concurrency=$(WORKERS) tests/js/*.test.js

browser: $(VENV)/.dev
	@PYTHON=$(VENV)/bin/python sh tests/browser/install_chromium.sh

dist: $(VENV)/.dev
	$(VENV)/bin/python -m build --no-isolation --outdir build/dist .

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --quiet

# Where the site will be, and where its code is, when it is published.
SITE_LINKS = $(if $(REGARD_SITE_URL),--address $(REGARD_SITE_URL)) $(if $(REGARD_REPOSITORY_URL),--source $(REGARD_REPOSITORY_URL))

site: $(VENV)/.app
	$(VENV)/bin/python -m viz site --out build/site $(SITE_LINKS)

gallery: $(VENV)/.app
	$(VENV)/bin/python -m viz gallery --out build/gallery

# The documentation lies beside the site when both are published.
pages: SITE_LINKS += --documentation docs/
pages: site gallery docs
	rm -rf build/pages && cp -r build/site build/pages && cp -r build/gallery build/pages/gallery \
	  && cp -r build/docs build/pages/docs && touch build/pages/.nojekyll

package: dist
	rm -rf build/package && $(PYTHON) -m venv build/package
	build/package/bin/python -m pip install --quiet "$$(echo build/dist/*.whl)[app]"
	build/package/bin/python tests/smoke.py package

TAG ?= v$(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' model/__init__.py)
release: $(VENV)/.dev
	rm -rf build/dist build/release
	$(VENV)/bin/python packaging/release.py version $(TAG)
	$(if $(DOI),$(VENV)/bin/python packaging/release.py doi $(DOI))
	$(MAKE) dist
	mkdir -p build/release && cp build/dist/* CITATION.cff build/release/
	$(VENV)/bin/python packaging/release.py notes $(TAG:v%=%) > build/release/notes.md
	$(VENV)/bin/python packaging/release.py sbom build/release/regard.cdx.json
	$(VENV)/bin/python packaging/release.py checksums build/release

licences: $(VENV)/.app
	@$(VENV)/bin/python packaging/release.py licences

# Each of the two ends with an error when a package has a published weakness.
audit:
	$(PYTHON) -m pip install --quiet pip-audit==2.10.1
	$(PYTHON) -m pip_audit --require-hashes --disable-pip -r requirements-lock.txt
	npm audit --package-lock-only

lock: $(VENV)/bin/python
	$(PIP) install --quiet uv==0.13.9
	$(VENV)/bin/uv pip compile requirements-dev.txt --generate-hashes --universal --python-version 3.11 --quiet --no-header \
	  --no-emit-index-url -o requirements-lock.txt
	$(VENV)/bin/python packaging/release.py server

mutants: $(VENV)/.dev
	$(PIP) install --quiet cosmic-ray==8.7.0
	$(VENV)/bin/python -m tests.mutants $(ARGS)

newest: $(VENV)/.dev
	$(PIP) install --upgrade $$($(VENV)/bin/python packaging/release.py newest)

owner:
	$(PYTHON) packaging/release.py owner $(OWNER)

doi:
	$(PYTHON) packaging/release.py doi $(DOI)

space:
	rm -rf build/space && mkdir -p build/space
	cp -r app.py pyproject.toml LICENSE requirements.txt requirements-server.txt .streamlit model viz pretrained deploy/space/* build/space/
	find build/space -name __pycache__ -prune -exec rm -r {} +

IMAGE ?= regard
container:
	docker buildx build -f deploy/Dockerfile -t $(IMAGE) $(PUSH) .

paper:
	@command -v pandoc >/dev/null && command -v pdflatex >/dev/null \
	  || { echo "The paper needs pandoc and LaTeX: apt install pandoc texlive-latex-recommended" >&2; exit 1; }
	mkdir -p build/paper && cd paper && pandoc paper.md --citeproc --pdf-engine=pdflatex \
	  -V author="The Regard maintainers" -o ../build/paper/paper.pdf

figures: $(VENV)/.dev browser
	$(VENV)/bin/python -m benchmarks.figures $(ARGS)

after-training: $(VENV)/.dev browser
	$(VENV)/bin/python -m tests.after_training $(MODEL) --data $(DATA) --calibrate $(CALIBRATE) $(ARGS)

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

# Otherwise each of the test processes would compile every test and every library, all at the same time.
$(VENV)/.compiled: $(VENV)/.dev
	-@$(VENV)/bin/python -m pytest --collect-only -q >/dev/null
	@touch $@
