# The two commands of the README are `make run` and `make test`; both install what a fresh Debian machine lacks.

SWIFT ?= swift
STATE ?= .lull
BIN = .build/debug
# Whole modules, no index and nothing for a debugger: a first build takes half the processor time. `make build` is for those who
# edit. With one thread the compiler leaves the objects where nobody looks for them. A module's interface comes out of the one
# compilation: a second for that alone lets others begin earlier, and takes a tenth more. A backtrace names functions and no
# lines; the compiler does not check its own output.
BUILD_FLAGS ?= --disable-index-store -Xswiftc -whole-module-optimization \
    -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo -Xswiftc -gnone \
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
PREFIX ?= /usr/local
DESTDIR ?=
# What is installed is built apart. It finds the copy of Swift's runtime that is installed with it, so that the target machine
# needs none: from `bin`, from `libexec/lull`, and from `lib/lull/plugins`.
SCRATCH ?= .build-release
RELEASE_PARTS = lull lull-worker lull-transfer lull-page lull-lab lull-import lull-plugin SQLiteMaintenance ColorFeed
RUNTIME = $(foreach folder,../lib/lull/swift ../../lib/lull/swift ../swift,-Xlinker -rpath=\$$ORIGIN/$(folder))

.PHONY: all deps build run test simulate crash-test fuzz bench check train lint format clean release install uninstall
.PHONY: screens build-tests build-all-tests test-deps test-wing bench-build test-built test-rooms test-processes test-all test-rest test-executables test-crash
.PHONY: test-long test-weeks test-proof test-install deb test-deb web-test test-answers screenshots night

all: build

# libyaml and SQLite with their headers; asked for only where they are missing.
deps:
	@packaging/require-swift $(SWIFT)
	@packaging/install-dependencies

# For who edits: compiles only the files that an edit touches.
build: deps
	$(SWIFT) build

# One program of those that `lull` calls for some commands: make lull-lab
lull-%: deps
	@LULL_PARTS="$@" $(SWIFT) build $(BUILD_FLAGS)

# The main job on the repository's jobs.yaml: one pass, as cron runs it. It builds what it runs and nothing else.
RUN_PARTS = lull lull-worker ColorFeed Command SQLiteMaintenance RepoRefresh
run: deps
	@LULL_PARTS="$(RUN_PARTS)" $(SWIFT) build $(BUILD_FLAGS)
	@packaging/make-example-repository .lull/example
	@mkdir -p .lull/apps/com.example.ColorFeed .lull/backups
	$(BIN)/lull run --once jobs.yaml --state $(STATE)

# `make test` is what a change needs: the rooms, a few simulated weeks, the contracts with real processes, and one way through
# the executables. `make test-all` is everything. CONTRIBUTING has the table of what is where.
#
# A process that starts workers adopts the children that plugins leave behind. Exit tests hang when an adopted child ends and
# nobody waits for it, so the tests of workers run in a process of their own. So do the checks of `make fuzz` and the hosts
# that are killed. All of it runs in a PID namespace where the system allows one.
#
# The tests with processes mostly wait for them: they run beside the others, and what each says comes in one piece.
PROCESSES = LullWorkersTests|LullHostTests|LullPluginCheckTests|LullTransfersTests
# Simulated weeks, and what computes for long: all of it runs in a release build of the lab, and these weeks here as well.
LAB = SimulationTests LullSimulatorTests LullSchedulerTests LullForecastTests LullTrainTests lull-simulate
SOME_WEEKS = SimulationTests\.(WeekRuleTests|DeferralTests|LimitTests|LivenessTests)/
COMPUTING = \.(LedgerTests|ForecastReportTests|WeekAheadTests|Backtest[A-Za-z]*Tests)/|LullSimulatorTests\.FreshShareTests/
# What waits, or asks a database, for long.
LONG = \.(DifferentialTests|OutageTests|ConcurrencyTests|FleetMirrorTests|DamageTests|PowerCutTests|DocumentationTests)/
LATER = $(COMPUTING)|$(LONG)
SPACE := $(subst ,, )
# What `make test` builds of the tests, and the programs and plugins that these use.
REST = EndToEndTests CrashTests FuzzTests LullTrainTests
TEST_PARTS = $(filter-out $(REST),$(notdir $(wildcard Tests/*Tests))) $(RUN_PARTS) lull-transfer lull-page lull-lab lull-import \
	lull-plugin Mirror FixtureTransferApp FixtureTransferUIApp
APART = $(subst $(SPACE),|,$(REST))|WayTests|SimulationTests|$(PROCESSES)
SUITE = packaging/run-tests $(BIN)/lullPackageTests.xctest --testing-library swift-testing
# With the bugs that are planted for the tests to find, which only a debug build has otherwise.
LAB_BUILD = LULL_PARTS="$(LAB)" $(SWIFT) build -c release --disable-index-store -Xswiftc -enable-testing -Xswiftc -DDEBUG \
	-Xswiftc -gnone --scratch-path .build-lab
IN_TWO = $(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target

test: build-tests
	@$(MAKE) --no-print-directory test-built

# With the settings of `make run`, so that this compiles only what that did not; and nothing that `make test` does not run.
build-tests: test-deps
	@LULL_PARTS="$(TEST_PARTS)" $(SWIFT) build $(BUILD_FLAGS) --build-tests

build-all-tests: test-deps
	$(SWIFT) build $(BUILD_FLAGS) --build-tests

test-deps: deps
	@packaging/install-dependencies tests || echo "Without them the tests of pushes by MQTT, devices, transfers, fleets and completions are skipped." >&2

# With what is built already.
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

# All that `make test` leaves out. A besieger takes all of its user's inotify instances, which other tests need: the siege
# runs by itself.
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

# What the command line prints, as Tests/lullTests/Screens keeps it; `git diff` shows what is different.
screens: deps
	@LULL_PARTS="$(TEST_PARTS)" $(SWIFT) build $(BUILD_FLAGS) --build-tests
	LULL_RECORD=1 $(SUITE) --filter ScreenTests
	git diff --stat -- Tests/lullTests/Screens

# Looks for inputs that break what reads them, with libFuzzer: make fuzz SECONDS=600 CHECKS="manifest wire"; with
# SANITIZE=address each access to memory is watched.
fuzz: deps
	SANITIZE=$(SANITIZE) Tests/Fuzz/run $(or $(SECONDS),60) $(CHECKS)

# The host through simulated weeks of faults: one a seed, the first that breaks an invariant is shown.
WEEKS ?= 1500
FROM ?= 0
# What happens beside the usual: usual, events, pushes or notifications.
THEME ?= usual
simulate: deps
	$(LAB_BUILD) --product lull-simulate
	.build-lab/release/lull-simulate --seeds $(WEEKS) --from $(FROM) --theme $(THEME)

# The real host killed under load again and again, and power cuts, damages: make crash-test KILLS=500 SEED=1
KILLS ?= 500
SEED ?= 1
crash-test: build-all-tests
	LULL_KILLS=$(KILLS) LULL_FLEET_KILLS=$(KILLS) LULL_SEED=$(SEED) $(SUITE) --filter KillTests
	LULL_CUTS=2000 LULL_DAMAGES=2000 $(SUITE) --filter 'PowerCutTests|DamageTests'

# The page in headless Chromium, where there is one: its looks, a keyboard's ways, the token, changes as they come.
web-test: build
	@packaging/install-dependencies browser || echo "Without Chromium the page is not tried in a browser." >&2
	python3 Tests/Web/check.py $(BIN)/lull

# What page and commands answer to programs, held to docs/openapi.yaml.
test-answers: build
	python3 Tests/Web/answers.py $(BIN)/lull

# The pictures of docs/operating.md, of a real host with a night behind it.
screenshots: build
	python3 Tests/Web/screenshots.py $(BIN)/lull docs/images

# A server of 40 tasks of Debian packages, and a night of it with twelve faults, as root, in 25 minutes; NIGHT=week: what is simulated of it.
NIGHT ?= night
night: build
	python3 Tests/Night/night.py $(BIN)/lull $(NIGHT)

check: build
	$(BIN)/lull check jobs.yaml

bench: deps
	Benchmarks/run

# What run, test and release cost to build, as multiples of building GRDB alone, and by module.
bench-build:
	Benchmarks/build

# The weights of the forecast anew, from logs of uses: of USAGE up to the scored part of each app, of WHOLE all.
# make train USAGE=usage-public.csv.gz WHOLE=usage-train.csv.gz
train: deps
	@test -n "$(USAGE)$(WHOLE)" || { echo "make train: name logs of uses: make train USAGE=uses.csv.gz WHOLE=more.csv.gz" >&2; exit 64; }
	$(SWIFT) build -c release --product lull-train
	.build/release/lull-train $(foreach log,$(USAGE),--usage "$(log)") $(foreach log,$(WHOLE),--whole "$(log)") \
		--out Sources/Core/LullForecast/HazardWeights.swift $(TRAIN)

# Host, worker and the shipped plugins as they are installed; the plugins in C by the C compiler alone.
release: deps
	LULL_PARTS="$(RELEASE_PARTS)" $(SWIFT) build -c release --disable-index-store -Xswiftc -gnone -Xswiftc -no-toolchain-stdlib-rpath \
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

# A Debian package of it, beside the checkout's files; test-deb takes it through a machine's life in a Debian of its own.
deb: release
	SWIFT="$(SWIFT)" packaging/make-deb $(SCRATCH)/release .

test-deb: deb
	packaging/test-deb lull_*.deb $(CHROOT)

# Installs into an empty folder, and goes the way of a new author with that alone.
test-install: release
	SWIFT="$(SWIFT)" packaging/test-install $(SCRATCH)/release

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests plugins Benchmarks

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests plugins Benchmarks

clean:
	rm -rf .build .build-lab .build-fuzz .build-fuzz-address $(SCRATCH) Benchmarks/.build
