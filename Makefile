# `make` lists the targets. All need Go. With npm, buf is downloaded in place of a build of two minutes.
# Tools are built once, in pinned versions, into .cache/bin. Nothing is installed outside this folder.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BUF_VERSION := $(shell sed -n 's/.*"@bufbuild\/buf": "\(.*\)".*/\1/p' .tools/package.json)
GOLANGCI_VERSION := 2.15.0
GOVULNCHECK_VERSION := 1.9.0
BUF := .cache/bin/buf-$(BUF_VERSION)
GOLANGCI := .cache/bin/golangci-lint-$(GOLANGCI_VERSION)
GOVULNCHECK := .cache/bin/govulncheck-$(GOVULNCHECK_VERSION)

# `make lint` runs go vet on everything.
TEST := go test -vet=off -timeout 8m
# The race detector needs a C compiler. Without one the tests run without it. It leaves out SQLite, which is
# translated from C: its heap is outside that of Go, so that there is nothing to find, and tests took four times as long.
UNRACED_SQLITE := -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-race=false
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race $(UNRACED_SQLITE))
# These packages take much longer with the race detector, and it has nothing to find in them: they start no
# goroutines, or call a server that other packages test with it.
UNRACED := ./services/internal/drawing ./services/internal/prose ./services/app/apitest ./services/app/docstest ./clients/cli/botcheck ./clients/cli/mcptools
# Of these, only the tests with several threads need it; TestSuite of the rules is one of them.
SEARCHES := ./services/strategy/search ./services/strategy/triosearch ./services/internal/rules/reversi
# Tests of load, of speed and of long searches are in files headed `//go:build !race` and run separately: the race
# detector would make them several times slower.
LOAD_FILES = $(shell grep -rl --include='*_test.go' '^//go:build !race' services clients cmd)
LOAD_TESTS = $(shell sed -n 's/^func \(Test\w*\).*/\1/p' $(LOAD_FILES) | paste -sd '|')
FUZZTIME ?= 20s
comma := ,

.PHONY: help generate format lint test clients clients-python clients-compile clients-docs .cache/clients/flipsided conformance web webcheck webtest bench attack fuzz run breaking vuln strength results

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' Makefile | while read -r name what; do printf '%-9s %s\n' "$$name" "$$what"; done

generate: $(BUF) ## generate gen/ from the protos
	go run ./proto/internal/protodeps gen/thirdparty
	$(call generate,.)
	go run ./proto/internal/reference gen/descriptor.binpb docs/reference.md
	$(if $(shell command -v npm),$(MAKE) clients/web/node_modules && npm --prefix clients/typescript run types)
	$(if $(shell command -v python3),python3 clients/python/scripts/generate.py)

lint: $(BUF) $(GOLANGCI) breaking ## all static checks, of code, protos, generated files and English
	$(BUF) lint
	$(BUF) format --diff --exit-code proto
	go run ./proto/internal/protodeps .cache/fresh/gen/thirdparty
	$(call generate,.cache/fresh)
	diff --recursive --brief --exclude=gen.go gen .cache/fresh/gen \
		|| { echo 'gen/ is out of date: run `make generate`'; exit 1; }
	go mod tidy -diff
	go vet ./...
	$(GOLANGCI) run
	go test ./services/internal/prose
	$(if $(shell command -v npm),$(MAKE) webcheck)
	$(if $(shell command -v python3),python3 clients/python/scripts/generate.py --check)

format: $(BUF) $(GOLANGCI) ## format the protos and the Go code
	$(BUF) format --write proto
	$(GOLANGCI) fmt

test: ## all tests, with the race detector where there is a C compiler; load tests separately
	$(TEST) $(RACE) $$(comm -23 <(go list ./... | sort) <(go list $(UNRACED) $(SEARCHES) | sort))
	$(TEST) $(UNRACED) $(SEARCHES)
	$(if $(RACE),$(TEST) $(RACE) -run 'Threads|Stops|TestSuite' $(SEARCHES))
	$(if $(RACE),$(if $(LOAD_FILES),$(TEST) -run '^($(LOAD_TESTS))$$' $(addprefix ./,$(sort $(dir $(LOAD_FILES))))))

clients: clients-python clients-compile clients-docs ## check and test the Python client, compile gen/proto in other languages (all, or those in COMPILE), and run the programs of the documentation; needs Python 3.10 with venv

clients-python: .cache/clients/installed .cache/clients/flipsided
	cd clients/python && export PATH=$(CURDIR)/.cache/clients/venv/bin:$$PATH && \
	python scripts/generate.py --check && ruff check && ruff format --check && mypy && \
	hatchling build --directory $(CURDIR)/.cache/clients/dist && \
	FLIPSIDED=$(CURDIR)/.cache/clients/flipsided pytest && \
	cd $(CURDIR) && go test -count 1 ./clients/conformance -client python

clients-compile: .cache/clients/flipsided
	FLIPSIDED=$(CURDIR)/.cache/clients/flipsided clients/compile/run $(COMPILE)

clients-docs:
	go test -count 1 ./services/app/docstest -client python$(if $(shell command -v npm),$(comma)typescript)

.cache/clients/flipsided:
	go build -o $@ ./cmd/flipsided

conformance: .cache/clients/installed clients/web/node_modules ## run clients/conformance/script.json with every client, on one process and on several; needs Python, npm and PostgreSQL
	export PATH=$(CURDIR)/.cache/clients/venv/bin:$$PATH FLIPSIDE_REQUIRE_POSTGRES=1 && \
	go test -count 1 ./clients/conformance -client go,python,typescript && \
	go test -count 1 ./clients/conformance -client go,python,typescript -scaled

.cache/clients/installed: clients/python/pyproject.toml
	python3 -m venv .cache/clients/venv
	.cache/clients/venv/bin/pip install --quiet --editable 'clients/python[dev]'
	touch $@

web: clients/web/node_modules ## build the web board and /docs; needs npm
	npm --prefix clients/typescript run types
	npm --prefix clients/web run build

webcheck: clients/web/node_modules ## check that the built website and the types of the API are current; needs npm
	npm --prefix clients/typescript run check
	npm --prefix clients/web run check

webtest: clients/web/node_modules ## test the TypeScript client, and the website in Chromium (all, or the files in WEBTESTS); needs npm
	go build -o .cache/webtest/ ./cmd/flipsided ./cmd/flipside
	npm --prefix clients/typescript test
	go test -count 1 ./clients/conformance -client typescript
	FLIPSIDED=$(CURDIR)/.cache/webtest/flipsided FLIPSIDE=$(CURDIR)/.cache/webtest/flipside npm --prefix clients/web test

clients/web/node_modules: clients/web/package-lock.json clients/typescript/package-lock.json
	npm --prefix clients/typescript ci --ignore-scripts --no-audit --no-fund
	npm --prefix clients/web ci --ignore-scripts --no-audit --no-fund
	touch $@

bench: ## measure the tables of docs/performance.md in 15 minutes; BENCH=regexp runs Go benchmarks instead
	$(if $(BENCH),go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 1h ./...,go run ./services/bench -write docs/performance.md)

attack: ## attack a server at full size for 25 minutes and write the costs into docs/security.md
	FLIPSIDE_ATTACK=full go test -count 1 -timeout 1h -run '^TestAttacks$$' -v ./services/app/faulttest

strength: ## play all strategies against each other, measure the regret of the engine and write docs/strength.md
	go run ./services/strategy/strength > .cache/strength.md && mv .cache/strength.md docs/strength.md

results: ## solve games for an hour on two processors, continue an interrupted run, and write docs/results.md
	mkdir -p .cache
	go run ./services/strategy/results > .cache/results.md && mv .cache/results.md docs/results.md

fuzz: ## run each fuzz test for FUZZTIME (20s)
	grep -roE --include='*_test.go' '^func Fuzz\w+' services clients | while IFS=: read -r file name; do \
		go test -run '^$$' -fuzz "^$${name#func }\$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")"; done

run: ## start the server, all roles in one process
	go run ./cmd/flipsided

breaking: $(BUF) ## compare the protos with the last release, or with main before the first one
	.tools/breaking $(BUF)

vuln: $(GOVULNCHECK) ## check our modules for known vulnerabilities (findings in Go itself are only listed)
	.tools/vuln $(GOVULNCHECK)

# generate writes gen/ below the folder $(1).
define generate
$(BUF) generate --template proto/buf.gen.yaml --output $(1)
mkdir -p $(1)/gen/openapi
$(BUF) build proto --as-file-descriptor-set --output $(1)/gen/descriptor.binpb
go run ./proto/internal/openapi $(1)/gen/descriptor.binpb $(1)/gen/openapi/openapi.json
go run ./proto/internal/standalone $(1)/gen/descriptor.binpb $(1)/gen/proto
$(BUF) format --write $(1)/gen/proto
endef

$(BUF):
	@mkdir -p $(@D)
	if command -v npm > /dev/null && npm ci --prefix .tools --ignore-scripts --no-audit --no-fund; \
	then cp .tools/node_modules/@bufbuild/buf-*/bin/buf $@; \
	else $(call install,github.com/bufbuild/buf/cmd/buf@v$(BUF_VERSION)); fi

$(GOLANGCI):
	$(call install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI_VERSION))

$(GOVULNCHECK):
	$(call install,golang.org/x/vuln/cmd/govulncheck@v$(GOVULNCHECK_VERSION))

# install builds the program $(1) as the target, with its own dependencies, independent of our go.mod.
install = GOBIN=$(CURDIR)/.cache/bin go install $(1) && mv .cache/bin/$(firstword $(subst @, ,$(notdir $(1)))) $@
