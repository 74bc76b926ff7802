PYTHON ?= python3
VENV := .venv
INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DELETE_ON_ERROR:
.PHONY: tutor test lint wheel bench clean

# ARGS passes arguments on: make tutor ARGS="show softmax", make test ARGS="-k place".
tutor: $(VENV)/.tutor
	@$(VENV)/bin/tutor $(ARGS)

test: $(VENV)/.test
	@$(VENV)/bin/python -m pytest $(ARGS)

lint: $(VENV)/.test
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy tutor

wheel: $(VENV)/.tutor
	@rm -rf dist
	@$(VENV)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .

bench: $(VENV)/.test
	@for script in tests/bench/*.py; do $(VENV)/bin/python $$script || exit; done

clean:
	@rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis snapshot_report.html
	@find tutor tests -name __pycache__ -prune -exec rm -rf {} +

# A stamp is touched last, so that an install that broke off is done again.
$(VENV)/.tutor: pyproject.toml constraints.txt | $(VENV)/bin/activate
	@echo "Setting up $(VENV), once: torch is large, so this may take some minutes." >&2
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/activate
	@echo "Setting up $(VENV) for tests, once: torch is large, this may take minutes." >&2
	@$(INSTALL) -e ".[test]"
	@touch $(VENV)/.tutor $@

# venv writes bin/activate after pip: where it is, the environment is whole.
$(VENV)/bin/activate:
	@$(PYTHON) -c "" 2>/dev/null || { echo "$(PYTHON) is not here: install Python 3.11 or newer, or name it: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo "Python 3.11 or newer is needed, this is $$($(PYTHON) -V 2>&1): name another with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || { echo "$(PYTHON) lacks venv: install it (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
