# One command for everything a contributor or a newcomer does. Each target first looks, then installs what it lacks.
# Written for GNU make 4.3 and a plain Debian machine with Rust and Node.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

NODE_STAMP := web/node_modules/.package-lock.json
WEB_STAMP := web/node_modules/.tandian-built
WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -path web/screenshots -prune \
	-o -path web/journeys -prune -o -type f -print)
DEMO := target/demo/tandian

# In the order in which they depend on each other.
LIBRARIES = supervised-tasks redis-link redis-locks redis-two-level-cache redis-flash-sale

.PHONY: help run test test-engines test-kafka-tls chaos attack check audit features public-api semver package fmt bench bench-peers lab lab-play web screenshots openapi clean-data tools force

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: tools $(WEB_STAMP) ## Build and serve the site with demo data on http://127.0.0.1:8080
	@scripts/ensure-tools redis-server
	@[ -x $(DEMO) ] || echo "Building the server; the first time takes some minutes."
	@cargo build --locked --profile demo --quiet --package server --no-default-features --features demo
	@exec $(DEMO) serve --demo

test: tools ## Run every test: Rust, web, browser
	@scripts/ensure-tools redis-server mariadb-server postgresql rabbitmq-server nginx chromium fonts-wqy-zenhei valgrind
	@scripts/ensure-kafka
	@scripts/test

test-engines: tools ## Test the libraries on Redis 6.2, 7, 8 and Valkey 8, each fetched once: ENGINE=name for one
	@scripts/ensure-tools redis-server mariadb-server postgresql rabbitmq-server
	@scripts/ensure-kafka
	@scripts/test-engines $(ENGINE)

test-kafka-tls: tools ## Test the build that has everything: Kafka with TLS and logins, by OpenSSL
	@scripts/ensure-kafka
	@scripts/test-kafka-tls

chaos: tools ## Kill everything while people buy, for an hour; CHAOS_ROUNDS, CHAOS_SEED and others in scripts/chaos
	@scripts/ensure-tools redis-server mariadb-server rabbitmq-server
	@scripts/chaos

attack: tools ## Attack a site with 100,000 requests, 10,000 pictures, a million guesses: ATTACK_SEED and others in scripts/attack
	@scripts/ensure-tools redis-server
	@scripts/attack

check: tools $(NODE_STAMP) ## Check format, lints, licences and types
	@scripts/ensure-tools cargo-deny
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
	cargo clippy --locked --package server --no-default-features --quiet -- -D warnings
	cargo clippy --locked --manifest-path examples/outsider/Cargo.toml --target-dir target --quiet -- -D warnings
	cargo deny --log-level error --all-features --locked check bans licenses sources
	cd web && npm run --silent lint && npm run --silent typecheck
	@scripts/audit

audit: tools ## Look for known weaknesses in what is built on; AUDIT=required fails where that cannot be told
	@scripts/ensure-tools cargo-deny
	@scripts/audit

features: tools ## Check each library with no feature, with each alone, and with all
	@scripts/check-features $(LIBRARIES)

public-api: tools ## Compare each library's public API with its list, crates/*/public-api.txt; WRITE=1 makes the lists anew
	@scripts/ensure-tools cargo-public-api
	@scripts/public-api $(if $(WRITE),--write) $(LIBRARIES)

semver: tools ## Look for breaking changes of the libraries since their last release; SEMVER_BASELINE=revision for another
	@scripts/ensure-tools cargo-semver-checks
	@scripts/semver $(LIBRARIES)

package: tools ## Package the libraries as a registry would take them, and build each from its package alone
	cargo publish --locked --dry-run --quiet $(addprefix --package ,$(LIBRARIES))

fmt: ## Format the Rust code
	cargo fmt --all

bench: tools $(WEB_STAMP) ## Measure and compare, a quarter of an hour: SCENARIO=name for one; writes bench/report.html and report.json
	@scripts/ensure-tools redis-server mariadb-server valgrind wrk strace
	@echo "Building; the first time takes some minutes."
	@cargo build --locked --release --quiet --package server --package bench
	@target/release/bench $(if $(SCENARIO),--scenario $(SCENARIO))

bench-peers: tools $(WEB_STAMP) ## Compare with what one could use instead; URL=, TOKENS=, SALE=, SOLD_OUT= for a server of your own
	@scripts/ensure-tools redis-server mariadb-server
	@echo "Building; the first time takes some minutes."
	@cargo build --locked --release --quiet --package server --package bench
	@target/release/bench peers $(if $(URL),--url "$(URL)") $(if $(TOKENS),--tokens "$(TOKENS)") $(if $(SALE),--sale $(SALE)) \
		$(if $(SOLD_OUT),--sold-out $(SOLD_OUT)) $(if $(SHOP),--shop $(SHOP)) $(if $(CONNECTIONS),--connections $(CONNECTIONS))

lab: tools ## Attack every version of the flash sale, from no lock on: VERSION=name for one; the site shows it at /lab
	@scripts/ensure-tools redis-server mariadb-server rabbitmq-server
	@scripts/ensure-kafka
	@echo "Building; the first time takes some minutes."
	@cargo build --locked --release --quiet --package lab
	@target/release/lab --out "$${TANDIAN_DATA_DIR:-data}/lab/report.json" $(if $(VERSION),--version $(VERSION))

lab-play: tools $(WEB_STAMP) ## Serve the site with the lab beside it, so that /lab can start a crowd on this machine
	@scripts/ensure-tools redis-server mariadb-server rabbitmq-server
	@echo "Building; the first time takes some minutes."
	@cargo build --locked --profile demo --quiet --package lab
	@cargo build --locked --profile demo --quiet --package server --no-default-features --features demo
	@exec env TANDIAN_LAB__PROGRAM="$(CURDIR)/target/demo/lab" $(DEMO) serve --demo

web: tools $(WEB_STAMP) ## Build the web app into web/dist

screenshots: tools $(WEB_STAMP) ## Take every page in both sizes and themes into web/screenshots
	@scripts/ensure-tools redis-server chromium fonts-wqy-zenhei
	@cargo build --locked --quiet --package server
	@scripts/with-site npm --prefix web run --silent screenshots

openapi: $(NODE_STAMP) ## Write openapi.json and the web app's types anew, after the API changed
	@cargo build --locked --quiet --package server
	@target/debug/tandian openapi > openapi.json
	@npm --prefix web run --silent types

clean-data: ## Throw away the data folder (./data or TANDIAN_DATA_DIR)
	@scripts/clean-data

tools:
	@scripts/ensure-toolchain

$(NODE_STAMP): web/package.json web/package-lock.json
	@scripts/quietly "Installing the packages of the web app" npm --prefix web ci --no-audit --no-fund
	@touch $@

# The folder may have been removed, or hold the placeholder of crates/server/build.rs: neither has assets.
$(WEB_STAMP): $(NODE_STAMP) $(WEB_SOURCES) $(if $(wildcard web/dist/assets),,force)
	@scripts/quietly "Building the web app" npm --prefix web run build
	@touch $@

force:
