# The two commands of the README are `make run` and `make test`; both install what a fresh Debian machine lacks.

SWIFT ?= swift
STATE ?= .lull
BIN = .build/debug

.PHONY: all deps build run test bench check train lint format clean

all: build

# libyaml and SQLite with their headers; asked for only where they are missing.
deps:
	@packaging/install-dependencies

build: deps
	$(SWIFT) build

# The main job on the repository's jobs.yaml: one pass, as cron runs it.
run: build
	@packaging/make-example-repository .lull/example
	$(BIN)/lull run --once jobs.yaml --state $(STATE)

# The workers' tests adopt the orphans that plugins leave; nobody else's children may be among them, so they run in a
# process of their own, and all of it in a PID namespace where the system allows one.
test: deps
	$(SWIFT) build --build-tests
	packaging/in-namespace $(SWIFT) test --skip-build --skip LullWorkersTests
	packaging/in-namespace $(SWIFT) test --skip-build --filter LullWorkersTests

check: build
	$(BIN)/lull check jobs.yaml

bench: deps
	Benchmarks/run

# The weights of the forecast anew, from a log of uses: make train USAGE=uses.csv.gz
train: deps
	@test -n "$(USAGE)" || { echo "make train: name the log of uses: make train USAGE=uses.csv.gz" >&2; exit 64; }
	$(SWIFT) build -c release --product lull-train
	.build/release/lull-train --usage "$(USAGE)" --out Sources/LullForecast/HazardWeights.swift $(TRAIN)

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests plugins Benchmarks

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests plugins Benchmarks

clean:
	rm -rf .build Benchmarks/.build
