# The two commands of the README are `make run` and `make test`; both install what a fresh Debian machine lacks.

SWIFT ?= swift
STATE ?= .lull
BIN = .build/debug
# Whole modules, no index and no debug information: a first build takes half the processor time. To edit, use `make build`. With
# one thread the compiler would write the objects where SwiftPM does not look for them. One compilation also emits the module's
# interface: a separate one would let dependent modules start earlier, but takes a tenth more time. Backtraces name functions,
# not lines. The compiler does not check its own output.
BUILD_FLAGS ?= --disable-index-store -Xswiftc -whole-module-optimization \
    -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo -Xswiftc -gnone \
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
PREFIX ?= /usr/local
DESTDIR ?=
# `make release` builds into its own folder. Its programs and plugins find the copy of Swift's runtime that is installed with
# them (from `bin`, `libexec/lull` and `lib/lull/plugins`), so the target machine needs no Swift. It is optimised for size: it is
# 4 % smaller than for speed, and commands take 2 to 10 % longer.
SCRATCH ?= .build-release
RELEASE_PARTS = lull lull-worker lull-transfer lull-page lull-lab lull-import lull-plugin SQLiteMaintenance ColorFeed
RUNTIME = $(foreach folder,../lib/lull/swift ../../lib/lull/swift ../swift,-Xlinker -rpath=\$$ORIGIN/$(folder))

.PHONY: all deps build run test simulate crash-test fuzz bench check train lint format clean release install uninstall
.PHONY: screens build-tests build-all-tests test-deps test-wing bench-build test-built test-rooms test-processes
.PHONY: test-all test-rest test-executables test-crash
.PHONY: test-long test-weeks test-proof test-install deb test-deb test-recipes dist web-test test-answers screenshots night
.PHONY: fleet-night server-hour

all: build

# Checks for Swift, and installs the libraries and headers that are missing.
deps:
	@packaging/require-swift $(SWIFT)
	@packaging/install-dependencies

# For editing: compiles only the files that an edit affects.
build: deps
	$(SWIFT) build

# One of the programs that `lull` starts for some commands: make lull-lab
lull-%: deps
	@LULL_PARTS="$@" $(SWIFT) build $(BUILD_FLAGS)

# The main job on the repository's jobs.yaml: one pass, as cron runs it. It builds what it runs and nothing else.
RUN_PARTS = lull lull-worker ColorFeed Command SQLiteMaintenance RepoRefresh
run: deps
	@LULL_PARTS="$(RUN_PARTS)" $(SWIFT) build $(BUILD_FLAGS)
	@packaging/make-example-repository .lull/example
	@mkdir -p .lull/apps/com.example.ColorFeed .lull/backups
	$(BIN)/lull run --once jobs.yaml --state $(STATE)

# `make test` is enough for a change: the rooms, a few simulated weeks, the contracts with real processes, and one path through
# the executables. `make test-all` runs everything. CONTRIBUTING has a table of all tests.
#
# A process that starts workers adopts the children that plugins leave behind. Exit tests hang when an adopted child ends and
# nothing waits for it, so the tests of workers run in a process of their own. So do the checks of `make fuzz` and the hosts
# that are killed. All tests run in a PID namespace if the system allows one.
#
# The tests with processes mostly wait, so they run beside the others. The output of each group is printed in one piece.
PROCESSES = LullWorkersTests|LullHostTests|lull_pluginTests|LullTransfersTests
# Simulated weeks and long computations run in a release build of the lab. SOME_WEEKS also run in `make test`.
LAB = SimulationTests LullSimulatorTests LullSchedulerTests LullForecastTests LullTrainTests lull-simulate
SOME_WEEKS = SimulationTests\.(WeekRuleTests|DeferralTests|LimitTests|LivenessTests)/
COMPUTING = \.(LedgerTests|ForecastReportTests|WeekAheadTests|Backtest[A-Za-z]*Tests)/|LullSimulatorTests\.FreshShareTests/
# Tests that wait for long or make many calls to a database.
LONG = \.(DifferentialTests|OutageTests|ConcurrencyTests|FleetMirrorTests|DamageTests|PowerCutTests|DocumentationTests)/
LATER = $(COMPUTING)|$(LONG)
SPACE := $(subst ,, )
# The tests that `make test` builds, and the programs and plugins that they use.
REST = EndToEndTests CrashTests FuzzTests LullTrainTests
TEST_PARTS = $(filter-out $(REST),$(notdir $(wildcard Tests/*Tests))) $(RUN_PARTS) lull-transfer lull-page lull-lab lull-import \
	lull-plugin Mirror FixtureTransferApp FixtureTransferUIApp
APART = $(subst $(SPACE),|,$(REST))|WayTests|SimulationTests|$(PROCESSES)
SUITE = packaging/run-tests $(BIN)/lullPackageTests.xctest --testing-library swift-testing
# DEBUG compiles in the mutations that the tests must find.
LAB_BUILD = LULL_PARTS="$(LAB)" $(SWIFT) build -c release --disable-index-store -Xswiftc -enable-testing -Xswiftc -DDEBUG \
	-Xswiftc -gnone --scratch-path .build-lab
IN_TWO = $(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target

test: build-tests
	@$(MAKE) --no-print-directory test-built

# With the settings of `make run`, so that its build is reused; builds nothing that `make test` does not run.
build-tests: test-deps
	@LULL_PARTS="$(TEST_PARTS)" $(SWIFT) build $(BUILD_FLAGS) --build-tests

build-all-tests: test-deps
	$(SWIFT) build $(BUILD_FLAGS) --build-tests

test-deps: deps
	@packaging/install-dependencies tests || echo "Without them the tests of pushes by MQTT, devices, transfers, fleets and completions are skipped." >&2

# Runs the tests without building.
test-built:
	@$(IN_TWO) test-rooms test-processes
	@echo "Left out: most ways through the executables, killed hosts, bad input, most simulated weeks, long tests of rooms."
	@echo "\`make test-all\` runs them too, \`make test-rest\` them alone."

test-rooms:
	$(SUITE) --skip '$(APART)|$(LATER)'
test-processes:
	$(SUITE) --filter '$(PROCESSES)' --skip '$(LATER)'
	$(SUITE) --filter WayTests
	$(SUITE) --filter '$(SOME_WEEKS)'

test-all: test test-rest

# The tests of one wing of Sources and what they need, nothing else: make test-wing WING=Core
test-wing: deps
	LULL_PARTS="$(notdir $(wildcard $(patsubst %,Tests/%Tests,$(notdir $(wildcard Sources/$(WING)/*))))) \
		lull-worker lull-transfer" $(SWIFT) build $(BUILD_FLAGS) --build-tests
	$(SUITE)

# All that `make test` leaves out. SiegeTests take all inotify instances of their user, which other tests need, so they run
# alone.
test-rest: build-all-tests
	@$(IN_TWO) test-executables test-crash
	@$(IN_TWO) test-weeks test-long
	$(SUITE) --filter SiegeTests
	@echo "Left out: \`make web-test\`, \`make fuzz\`, \`make simulate\`, \`make crash-test\` and \`make test-install\`."

test-executables:
	$(SUITE) --filter EndToEndTests --skip SiegeTests
test-crash:
	$(SUITE) --filter CrashTests
test-long:
	$(SUITE) --filter '$(LONG)'
	$(SUITE) --filter FuzzTests
# Optimised, in a build of its own that compiles nothing else.
test-weeks: deps
	$(LAB_BUILD) --build-tests
	packaging/run-tests .build-lab/release/lullPackageTests.xctest --testing-library swift-testing

# `make test` three times as this user, as a plain user that it makes, and beside two busy loops.
test-proof: build-tests
	packaging/test-proof

# Writes what the command line prints to Tests/lullTests/Screens; `git diff` shows the changes.
screens: deps
	@LULL_PARTS="$(TEST_PARTS)" $(SWIFT) build $(BUILD_FLAGS) --build-tests
	LULL_RECORD=1 $(SUITE) --filter ScreenTests
	git diff --stat -- Tests/lullTests/Screens

# Searches for inputs that break their reader, with libFuzzer: make fuzz SECONDS=600 CHECKS="manifest wire". SANITIZE=address
# also checks each memory access.
fuzz: deps
	SANITIZE=$(SANITIZE) Tests/Fuzz/run $(or $(SECONDS),60) $(CHECKS)

# Runs the host through simulated weeks of faults, one for each seed, and shows the first that breaks an invariant.
WEEKS ?= 1500
FROM ?= 0
# What else occurs in these weeks: usual, events, pushes, notifications or transfers.
THEME ?= usual
simulate: deps
	$(LAB_BUILD) --product lull-simulate
	.build-lab/release/lull-simulate --seeds $(WEEKS) --from $(FROM) --theme $(THEME)

# Kills the real host under load many times; power cuts and damaged files too: make crash-test KILLS=500 SEED=1
KILLS ?= 500
SEED ?= 1
crash-test: build-all-tests
	LULL_KILLS=$(KILLS) LULL_FLEET_KILLS=$(KILLS) LULL_SEED=$(SEED) $(SUITE) --filter KillTests
	LULL_CUTS=2000 LULL_DAMAGES=2000 $(SUITE) --filter 'PowerCutTests|DamageTests'

# The page in headless Chromium, if there is one: its look, keyboard use, the token, live changes.
web-test: build
	@packaging/install-dependencies browser || echo "Without Chromium the page is not tried in a browser." >&2
	python3 Tests/Web/check.py $(BIN)/lull

# Checks the answers of page and commands to programs against docs/openapi.yaml.
test-answers: build
	python3 Tests/Web/answers.py $(BIN)/lull

# The screenshots in docs/operating.md, of a real host after a night.
screenshots: build
	python3 Tests/Web/screenshots.py $(BIN)/lull docs/images

# A server with 40 tasks of Debian packages through a night with twelve faults, as root, in 25 minutes; NIGHT=week: the simulated part.
NIGHT ?= night
night: build
	python3 Tests/Night/night.py $(BIN)/lull $(NIGHT)

# The server of docs/server.md with its real programs and eleven faults, as root, in an hour.
server-hour: build
	python3 Tests/Night/server.py $(BIN)/lull

# Five hosts of a fleet under random faults, as root, with PostgreSQL: make fleet-night MINUTES=25 SEED=2
MINUTES ?= 60
fleet-night: test-deps build
	python3 Tests/Night/fleet.py $(BIN)/lull --minutes $(MINUTES) --seed $(SEED)

check: build
	$(BIN)/lull check jobs.yaml

bench: deps
	Benchmarks/run

# The build cost of run, test and release, as multiples of building GRDB alone, and by module.
bench-build:
	Benchmarks/build

# Trains the weights of the forecast from logs of uses: those in USAGE up to each app's scored part, those in WHOLE entirely.
# make train USAGE=usage-public.csv.gz WHOLE=usage-train.csv.gz
train: deps
	@test -n "$(USAGE)$(WHOLE)" || { echo "make train: name logs of uses: make train USAGE=uses.csv.gz WHOLE=more.csv.gz" >&2; exit 64; }
	$(SWIFT) build -c release --product lull-train
	.build/release/lull-train $(foreach log,$(USAGE),--usage "$(log)") $(foreach log,$(WHOLE),--whole "$(log)") \
		--out Sources/Core/LullForecast/HazardWeights.swift $(TRAIN)

# Host, worker and the shipped plugins, as they are installed. Only the C compiler builds the plugins in C.
release: deps
	LULL_PARTS="$(RELEASE_PARTS)" $(SWIFT) build -c release --disable-index-store -Xswiftc -Osize -Xswiftc -gnone -Xswiftc -no-toolchain-stdlib-rpath \
		$(RUNTIME) --scratch-path $(SCRATCH)
	$(CC) -std=c17 -O2 -fPIC -fvisibility=hidden -shared -pthread -I Sources/C/CLullPlugin/include \
		-o $(SCRATCH)/release/libRepoRefresh.so plugins/RepoRefresh/RepoRefresh.c
	$(CC) -std=c17 -O2 -fPIC -fvisibility=hidden -shared -pthread -I Sources/C/CLullPlugin/include \
		-o $(SCRATCH)/release/libMirror.so plugins/Mirror/*.c
	$(CC) -std=c17 -O2 -fPIC -fvisibility=hidden -shared -pthread -I Sources/C/CLullPlugin/include \
		-I plugins/Command/Kit/include -o $(SCRATCH)/release/libCommand.so \
		plugins/Command/App/CommandApp.c plugins/Command/Kit/*.c -lm

# make install PREFIX=/usr DESTDIR=stage; uninstall takes the same.
install: release
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" SWIFT="$(SWIFT)" packaging/install $(SCRATCH)/release

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" packaging/uninstall

# Makes a Debian package in this folder. test-deb installs, upgrades and purges it in a Debian of its own.
deb: release
	SWIFT="$(SWIFT)" packaging/make-deb $(SCRATCH)/release .

test-deb: deb
	packaging/test-deb "$$(ls -t lull_*.deb | head -1)" $(CHROOT)

# Fills dist/ with the package, the SDK, the source and SHA256SUMS, all made from a clean clone of the last commit.
dist:
	SWIFT="$(SWIFT)" packaging/make-dist dist

# Takes the steps of the container's image, and plays the Ansible role, in a Debian of its own.
test-recipes: deb
	packaging/test-recipes "$$(ls -t lull_*.deb | head -1)" $(CHROOT)

# Installs into an empty folder, and does what a new author does, with that alone.
test-install: release
	SWIFT="$(SWIFT)" packaging/test-install $(SCRATCH)/release

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests plugins Benchmarks

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests plugins Benchmarks

clean:
	rm -rf .build .build-lab .build-fuzz .build-fuzz-address .build-dist dist $(SCRATCH) Benchmarks/.build
