# Two commands matter: `make book` and `make test`.  Both make the environment first.

PYTHON ?= python3
PORT   ?= 8000
NB     ?=
SET         ?=
SUBMISSIONS ?=
ROSTER      ?=
LATE        ?=
AGAIN       ?=
ZEROS       ?=
OUT         ?=
DUE         ?=
DB          ?=
JOBS        ?=
EXERCISES   ?=
WHAT        ?=

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/.ready
FAST  := $(VENV)/.fast
GRADING := $(VENV)/.grading
BENCH := $(VENV)/.bench
SITE  := _build/html
FRESH := _build/.fresh
NODE  := tests/site/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help book serve pdf check test test-grading lighthouse execute lab lint \
  mutants fast bench release grade gradescope vendor lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# uv takes a fraction of pip's time, but has settings of its own: where it does not reach
# the index, pip may.  Both take nothing whose hash is not in the lock.
define install
@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1) || \
  $(BIN)/python -m pip install --quiet --disable-pip-version-check \
  --require-hashes -r $(1)
endef

# The environment is as old as the lock and the metadata it was made from.
$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || \
	  { echo "This book needs Python 3.11, 3.12, 3.13 or 3.14; $(PYTHON) is" \
	    "$$($(PYTHON) --version 2>&1). Name another: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making the environment in $(VENV): this takes a minute or less."
	@$(PYTHON) -m venv $(VENV)
	@awk '/^uv==/, !/\\$$/' requirements.txt > $(VENV)/uv.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes -r $(VENV)/uv.txt
	$(call install,requirements.txt)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --offline \
	  --no-deps --no-build-isolation -e .
	@touch $@

# An incremental build does not notice these, so the site starts over.
$(FRESH): $(READY) _config.yml _toc.yml book/_tools/vendor.sha256 \
  $(wildcard book/_assets/* book/_ext/*.py book/_templates/* book/_templates/*/*)
	@rm -rf $(SITE) _build/.doctrees && mkdir -p _build && touch $@

book: $(READY) $(FRESH)  ## build the site into _build/html
	@# A failed build must complain again next time: forget what it has read.
	@$(BIN)/jupyter-book build book --config _config.yml --toc "$(CURDIR)/_toc.yml" \
	  --path-output . -W -n --keep-going --quiet || { rm -f $(FRESH); exit 1; }
	@echo "The book is in $(SITE)/index.html"
	@echo "To read it in a browser: make serve"

$(SITE)/index.html:
	@$(MAKE) --no-print-directory book

serve: $(SITE)/index.html  ## show the built site at localhost, PORT=8000
	@echo "http://localhost:$(PORT)/  (stop with Ctrl-C)"
	@$(PYTHON) -m http.server --directory $(SITE) $(PORT)

pdf: $(READY) book  ## print the lectures and the book to _build/pdf, or WHAT=kakade
	@$(BIN)/python book/_tools/pdf.py $(SITE) _build/pdf $(WHAT)

check: $(READY)  ## the quick part of the tests: lint, units, theorems, ledger
	@$(BIN)/python tests/run_all.py lint units theorems ledger

test: $(FAST) $(NODE)  ## verify the book: lint, units, theorems, notebooks, site, browser
	@$(BIN)/python tests/run_all.py

test-grading: $(GRADING)  ## verify what grades: fair to right answers, safe from hostile ones
	@$(BIN)/python tests/run_all.py grading

# The browser tests say so where these are missing.
$(NODE): tests/site/package-lock.json
	@npm ci --prefix tests/site --silent --no-audit --no-fund || \
	  echo "npm did not install what the browser tests need."

lighthouse: $(READY) $(SITE)/index.html  ## score three pages of the site with Lighthouse
	@npm ci --prefix tests/site/lighthouse --silent --no-audit --no-fund
	@$(BIN)/python tests/site/lighthouse/run.py

execute: $(READY)  ## run and normalize all notebooks, or NB=book/lectures/kakade.ipynb
	@$(BIN)/python book/_tools/notebooks.py $(NB)

lab: $(READY)  ## open the notebooks in JupyterLab
	@$(BIN)/jupyter trust book/*.ipynb book/*/*.ipynb > /dev/null
	MATPLOTLIBRC="$(CURDIR)/book/_tools/matplotlibrc" \
	  $(BIN)/jupyter lab --config=book/_tools/lab/config.py

lint: $(READY)  ## check style, in notebooks too
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@# A notebook's cell is 76 columns wide in the site.
	@$(BIN)/ruff check book --select E501 --line-length 76 -q --extend-exclude '*.py'

mutants: $(FAST)  ## plant bugs, and see the book's checks find them
	@$(BIN)/python tests/mutants.py

fast: $(FAST)  ## add numba to the environment, which compiles the loops of olutil.fast

$(FAST): $(READY) requirements-fast.txt
	$(call install,requirements-fast.txt)
	@touch $@

# What grades is an addition to the environment, too, which readers need not make.
$(GRADING): $(READY) requirements-grading.txt
	$(call install,requirements-grading.txt)
	@touch $@

# So are the packages to compare with.
$(BENCH): $(FAST) $(GRADING) requirements-bench.txt
	$(call install,requirements-bench.txt)
	@touch $@

bench: $(BENCH)  ## measure learners, sweeps, grading and the book, or one: WHAT=learners
	@for what in $(or $(WHAT),learners sweep grading book); do \
	  $(BIN)/python tests/bench/bench_$$what.py || failed=1; done; exit $${failed:-0}

release: $(GRADING)  ## make the students' notebooks from the sources, EXERCISES=folder
	@$(BIN)/python -m grading.release \
	  $(if $(EXERCISES),--sources "$(EXERCISES)/source")

grade: $(GRADING)  ## grade SUBMISSIONS=folder; options: SET=... DUE=... ROSTER=... as in grading.md
	@$(BIN)/python -m grading $(SET) --submissions "$(SUBMISSIONS)" \
	  $(if $(KEEP),--keep "$(KEEP)") $(if $(OUT),--out "$(OUT)") \
	  $(if $(DUE),--due "$(DUE)") $(if $(DB),--db "$(DB)") \
	  $(if $(ROSTER),--roster "$(ROSTER)") $(if $(LATE),--late "$(LATE)") \
	  $(if $(AGAIN),--again "$(AGAIN)") $(if $(ZEROS),--zeros) \
	  $(if $(JOBS),--jobs "$(JOBS)") $(if $(EXERCISES),--exercises "$(EXERCISES)")

gradescope: $(GRADING)  ## make graded/SET/autograder.zip for Gradescope; also OUT EXERCISES
	@$(BIN)/python -m grading.gradescope $(SET) $(if $(OUT),--out "$(OUT)") \
	  $(if $(EXERCISES),--exercises "$(EXERCISES)")

vendor: $(READY)  ## fetch the site's fonts and the figures' d3 with npm
	@$(BIN)/python book/_tools/vendor.py

COMPILE := $(BIN)/uv pip compile pyproject.toml --extra book --extra dev \
  --universal --fork-strategy fewest --python-version 3.11 --no-config \
  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet

lock: $(READY)  ## make the four locks from pyproject.toml, with hashes
	$(COMPILE) --upgrade --output-file requirements.txt
	$(COMPILE) --extra fast --constraint requirements.txt \
	  --output-file requirements-fast.txt
	$(COMPILE) --extra grading --constraint requirements.txt \
	  --output-file requirements-grading.txt
	$(COMPILE) --extra fast --extra grading --extra bench \
	  --constraint requirements-grading.txt --output-file requirements-bench.txt

clean:  ## remove what was built, and the environment
	rm -rf _build $(VENV) tests/site/node_modules tests/site/lighthouse/node_modules
