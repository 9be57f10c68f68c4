# The commands of this repository. `make` without a target lists them.
.DEFAULT_GOAL := help
# Only the checks are independent of each other.
ifneq ($(MAKECMDGOALS),check)
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:

PROFILE := $(if $(RELEASE),release,debug)
BIN     := target/$(PROFILE)/tombola
OPTIMIZED := $(if $(RELEASE),--release)
ADDRESS := $(or $(BIND_ADDR),$(shell sed -n "s/^BIND_ADDR=//p" .env 2>/dev/null),127.0.0.1:8080)
# Python with py_ecc, if scripts/setup.sh could install it.
PYTHON_ENV := target/python
NPM     := npm --prefix frontend --no-audit --no-fund --loglevel=error

# What cargo builds. scripts/check/features.mjs checks that these share their compiled dependencies with the tests.
SERVER_PACKAGES := -p tombola
DEMO_PACKAGES   := $(SERVER_PACKAGES) -p stand-ins

# The demo gets an administrator unless one is configured. `make run` never does, because its data may be real.
ADMIN_IS_SET   := $(ADMIN_USERNAME)$(ADMIN_PASSWORD)$(ADMIN_PASSWORD_HASH)$(shell grep '^ADMIN_' .env 2>/dev/null)
DEMO_PASSWORD  := tombola-demo
DEMO_ADMIN     := $(if $(ADMIN_IS_SET),,ADMIN_USERNAME=admin ADMIN_PASSWORD=$(DEMO_PASSWORD))

RUN_E2E = CHROMIUM_PATH="$$(scripts/browser.sh chromium)" TOMBOLA_BIN="$(CURDIR)/$(BIN)" exec scripts/postgres.sh with --test -- node scripts/e2e.mjs

# The sources of the client. Folders are included, because deleting a file changes only the time of its folder.
CLIENT_SOURCES := $(shell find frontend/src frontend/public frontend/scripts ! -name '*.test.*' 2>/dev/null) \
	$(filter-out %.md,$(wildcard frontend/*.*))

help: ## List the targets
	@awk -F ':.*## ' '/^##@ / { print substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  RELEASE=1 builds with optimizations, DATABASE_URL=... uses your own server, BENCH=entering runs one benchmark.'

##@ Running

run: setup-run client binary ## Build and serve, with a PostgreSQL of its own in .data/postgres
	@echo "Open http://$(ADDRESS)/ once it listens. Ctrl-C stops it; the data stays in .data/postgres."
	@exec scripts/postgres.sh with -- $(BIN) serve

demo: setup-run client stand-ins ## Serve example data from .data/demo, with stand-ins for Stripe, Twilio and drand
	@echo "Staff sign in at http://$(ADDRESS)/admin$(if $(DEMO_ADMIN), as admin with the password $(DEMO_PASSWORD))."
	@$(DEMO_ADMIN) BIND_ADDR=$(ADDRESS) PG_DATA_DIR=.data/demo exec scripts/postgres.sh with --apart -- node scripts/demo.mjs target/$(PROFILE)

reset: ## Delete the development database in .data/postgres, after asking
	@scripts/postgres.sh reset

##@ Testing

test: ## The tests of every day: Rust and the examples in its documentation, client, and the main flows in a browser; prints the time of each phase
	@MAKE='$(MAKE)' scripts/phases.sh setup-test build-tests test-rust test-doc stand-ins client test-client test-e2e

test-all: ## The rest: slow tests, all other browser tests, Firefox, scripts, the feature otlp
	@MAKE='$(MAKE)' scripts/phases.sh setup-test-all stand-ins client test-e2e-rest test-firefox test-client-slow test-rust-slow test-otlp test-scripts

check: check-fmt check-lint check-layers check-migrations check-rustdoc check-deny check-advisories check-openapi check-client check-docs check-shell check-deploy-files ## Style, lints, layers, types, documents
	@echo 'check: all good'

restore-drill: binary ## Lose a database under load and restore it to a point in time
	@node scripts/lab/restore-drill.mjs $(BIN)

chaos: setup-chaos stand-ins ## Servers, databases and providers fail under load; FAULT=kill-primary only that, LONG=1 longer
	@exec node scripts/lab/chaos.mjs target/$(PROFILE)

bench: setup-bench ## Run the benchmarks; prints the tables of docs/benchmarks.md
	@scripts/lab/bench/run.sh $(BENCH)

soak: setup-bench ## Half of a server's capacity for SOAK_MINUTES (60); says whether memory, times and queues stay flat
	@scripts/lab/bench/run.sh soak

screenshots: setup-run setup-browser client stand-ins ## Take the screenshots of docs/raffles.md from demo data
	@CHROMIUM_PATH="$$(scripts/browser.sh chromium)" exec scripts/postgres.sh with --test --apart -- node frontend/scripts/screenshots.mjs target/$(PROFILE)

weight: ## Count lines, migrations, words and binaries as a Markdown table; BEFORE=COMMIT also those of an earlier commit
	@node scripts/weight.mjs $(BEFORE)

fmt: frontend/node_modules/.installed ## Format the Rust and the client sources
	cargo fmt --all
	$(NPM) run --silent format

##@ Single steps

setup: setup-test setup-browser ## Install what building and testing need; says what it cannot install
setup-run setup-test setup-browser setup-test-all setup-bench setup-chaos setup-deploy:
	@scripts/setup.sh $(@:setup-%=%)

binary: ## Build the server
	cargo build $(SERVER_PACKAGES) $(OPTIMIZED)

stand-ins: ## Build the server, and the stand-ins beside it
	cargo build $(DEMO_PACKAGES) $(OPTIMIZED)

client: frontend/dist/pages.json ## Build the client if its sources changed

frontend/node_modules/.installed: frontend/package-lock.json
	$(NPM) ci
	@touch $@

frontend/dist/pages.json: frontend/node_modules/.installed $(CLIENT_SOURCES)
	$(NPM) run --silent build
	@touch $@

release: setup-run client ## Build the released program, with the client inside, checksums and bills of materials, into target/dist
	@scripts/release.sh $(ARCHITECTURE)

openapi: binary frontend/node_modules/.installed ## Generate docs/openapi.json from the handlers, and the client's types from it
	$(BIN) openapi > docs/openapi.json
	$(NPM) run --silent codegen

build-tests: ## Build the Rust tests
	@scripts/rust-tests.sh build

test-rust: setup-test ## Rust tests but the slow ones, on a temporary PostgreSQL
	@scripts/rust-tests.sh default

test-rust-slow: setup-test ## The slow Rust tests
	@scripts/rust-tests.sh slow

test-doc: ## The examples in the documentation; a crate without any says `doctest = false`
	cargo test --doc --workspace

test-otlp: ## The tests of the feature otlp
	cargo test -p tombola --features otlp --lib traces

test-client: frontend/node_modules/.installed ## Component and unit tests of the client, but the slow ones
	$(NPM) test

test-client-slow: frontend/node_modules/.installed ## The slow tests of the client
	$(NPM) run test:slow

test-e2e: setup-browser client stand-ins ## The main flows in Chromium, on a temporary PostgreSQL
	@$(RUN_E2E) --grep @main

test-e2e-rest: setup-browser client stand-ins ## All other browser tests
	@$(RUN_E2E) --grep-invert @main

test-firefox: client stand-ins ## A short test in Firefox, if there is one
	@if FIREFOX_PATH="$$(scripts/browser.sh firefox)"; then \
	  export FIREFOX_PATH; TOMBOLA_BIN="$(CURDIR)/$(BIN)" exec scripts/postgres.sh with --test -- $(NPM) run e2e:firefox; \
	else echo 'test-firefox: skipped, Firefox is not installed'; fi

test-scripts: setup-test-all ## Tests of the drawing's verifier and vectors, the stand-ins and scripts/postgres.sh
	python3 scripts/drawing/verify_drawing_test.py
	python3 scripts/drawing/drawing_vectors.py --check
	@python=$(PYTHON_ENV)/bin/python3; [ -x "$$python" ] || python=python3; set -x; "$$python" scripts/drawing/drand_test.py
	@scripts/stand-ins/twilio-client/test.sh
	@scripts/check/postgres.sh

check-fmt:
	cargo fmt --all --check

check-lint:
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p tombola --features otlp --all-targets -- -D warnings

check-layers: frontend/node_modules/.installed ## Dependencies: allowed, used, and with the same features in every build
	node --test scripts/*.test.mjs scripts/*/*.test.mjs
	node scripts/check/layers.mjs
	node scripts/check/features.mjs '$(SERVER_PACKAGES)' '$(DEMO_PACKAGES)' --workspace

check-migrations: ## Released migrations are unchanged
	node scripts/check/migrations.mjs

check-rustdoc:
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --document-private-items

check-deny:
	@if cargo deny --version >/dev/null 2>&1; then cargo deny --offline check licenses bans sources; \
	else echo 'check-deny: skipped, cargo-deny is not installed (cargo install --locked cargo-deny)'; fi

check-advisories:
	node scripts/check/advisories.mjs

check-deploy-files:
	@scripts/check/deploy.sh

check-deploy: setup-deploy release ## Lint the files of deploy/, build and run the image, and restore a lost database
	@scripts/check/deploy.sh all

sbom: ## Write a software bill of materials of each lock file to target/sbom
	node scripts/sbom.mjs

check-openapi: binary ## docs/openapi.json matches the handlers
	$(BIN) openapi | diff -u docs/openapi.json - || { echo 'docs/openapi.json is out of date: make openapi' >&2; exit 1; }

check-client: client ## Lint, types and size limits of the client; its generated types match docs/openapi.json
	$(NPM) run --silent lint
	$(NPM) run --silent typecheck
	$(NPM) run --silent gates
	$(NPM) run --silent codegen:check

check-docs: ## Every path and make target that the documents name exists
	node scripts/check/docs.mjs

check-shell:
	@if command -v shellcheck >/dev/null 2>&1; then shellcheck .ci/run $$(find scripts deploy -name '*.sh'); \
	else echo 'check-shell: skipped, shellcheck is not installed'; fi

.PHONY: help run demo reset test test-all check bench chaos restore-drill soak screenshots weight fmt setup setup-run setup-test setup- \
	browser setup-test-all setup-bench setup-chaos setup-deploy binary stand-ins client release openapi build-tests test- \
	rust test-rust-slow test-doc test-otlp test-client test-client-slow test-e2e test-e2e-rest test-firefox \
	test-scripts check-fmt check-lint check-layers check-migrations check-rustdoc check-deny check-advisories check- \
	openapi check-client check-docs check-shell check-deploy check-deploy-files sbom
