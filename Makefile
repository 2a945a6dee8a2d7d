# Two commands to begin with: `make demo` plays levels on the simulated phone, `make
# test` runs every test. Both install what is missing.

# cmd/env.sh has the flags for building OpenCV's binding.
GO = . ./cmd/env.sh && go

# Many tests wait for a phone: half as many packages again as there are processors.
PACKAGES_AT_ONCE = -p $$(( ($$(nproc) * 3 + 1) / 2 ))

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install what is missing (OpenCV, adb, a C++ compiler)
	@sh cmd/setup.sh

.PHONY: build
build: setup ## build bin/tapwise
	$(GO) build -o bin/tapwise ./cmd/tapwise

.PHONY: dist
dist: setup ## build a .deb, a tar archive, their checksums and a list of what is in them, for this system, in dist/
	@. ./cmd/env.sh && cd cmd/dist && go test . && go run . -root "$(CURDIR)" -o "$(CURDIR)/dist"

.PHONY: dist-try
dist-try: dist ## install the .deb in a bare system of this release, play there and remove it (root, debootstrap)
	sh cmd/dist/bare.sh try "$$(. /etc/os-release && echo $$VERSION_CODENAME)" dist/tapwise_*_"$$(. /etc/os-release && echo $$ID$$VERSION_ID)"_*.deb


.PHONY: demo
demo: build ## play 10 levels of each game, or of GAME=…, on the simulated phone; pictures in out/ (tapwise demo shows it in a browser)
	bin/tapwise demo --levels 10 --film out $(if $(GAME),--game $(GAME))
	@echo "look at out/*.png and out/*.gif; bin/tapwise demo shows it in a browser"

.PHONY: film
film: build ## play a level on the simulated phone and keep the README's moving picture, docs/film.gif
	dir=$$(mktemp -d) && bin/tapwise generate --game flow --size 8 --seed 3 >$$dir/level.txt && \
		bin/tapwise sim --size 540x1170 --pack $$dir/level.txt -- bin/tapwise clear --game flow --capture stream --levels 1 --film $$dir/film && \
		mv $$dir/film.gif docs/film.gif && rm -r $$dir

.PHONY: image
image: ## build the container image tapwise with docker, podman or buildah, whichever works here
	@for tool in docker podman buildah; do \
		if $$tool info >/dev/null 2>&1; then set -x; exec $$tool build -f cmd/dist/Containerfile -t tapwise .; fi; \
	done; echo "make image needs docker and its daemon, podman or buildah" >&2; exit 1

.PHONY: test
test: ## run every test
	@sh cmd/setup.sh test
	$(GO) test $(PACKAGES_AT_ONCE) -timeout 3h $$($(GO) list ./... | grep -v /solvers/all$$)
	@# The test cache does not know that these tests depend on the whole tree.
	$(GO) test -count=1 ./solvers/all

.PHONY: race
race: setup ## run the tests of packages with goroutines, the long ones shortened, with the race detector
	$(GO) test $(PACKAGES_AT_ONCE) -race -short -timeout 3h $$(sh cmd/race.sh)

.PHONY: lint
lint: setup ## gofmt, go vet, staticcheck, unreached code
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
	@# Code that only tests reach belongs in the tests. Exceptions: the packages made for
	@# tests, what is there for games to come (games of things on
	@# squares as values, two of which the tests of solvers/grid are), and a few functions elsewhere
	@# that the tests of several packages call.
	@dead="$$($(GO) run golang.org/x/tools/cmd/deadcode@v0.51.0 -tags "$${GOFLAGS##*-tags=}" -filter "^$$($(GO) list -m)/" ./... | \
		grep -vE '^(solvers/(gametest|engine/reason/reasontest)|adb/adbtest|cmd/internal/fleet/(hub/hubtest|wiretest)|cmd/internal/sim/looks|cmd/internal/console/terminal/terminaltest)/|^solvers/(grid/(game|mark|things)|app/things|board/(signs|lines))\.go|: (Render|Server.PID|NewConstant|FileSystem.Usage|Thin|Pages|NewGridLayout)$$')" ; \
		test -z "$$dead" || { echo "the program does not reach:"; echo "$$dead"; exit 1; }

.PHONY: screens
screens: setup ## read every real screenshot and print the table by source and size
	$(GO) test ./cmd/internal/play/player -run TestFlowScreens -v -count=1
	$(GO) test ./cmd/internal/eyes/recognise -run TestRealScreens -v -count=1 -every-screen

.PHONY: pzpr
pzpr: setup ## win levels of described games on pzpr's boards (npm pzpr 0.10.1) in Chromium
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && npm install --prefix "$$folder" --no-audit --no-fund --ignore-scripts --loglevel=error pzpr@0.10.1 && \
	PZPR="$$folder/node_modules/pzpr" $(GO) test ./cmd/tapwise -run TestPzpr -v -count=1 -timeout 60m

.PHONY: looks
looks: setup ## read LOOKS=500 random looks of boards, drawn by Chromium (from seed SEED=0), and print the table
	$(GO) test ./cmd/internal/sim/looks -run TestRead -v -count=1 -timeout 60m -looks $(or $(LOOKS),500) -looks-seed $(or $(SEED),0)

.PHONY: robustness
robustness: setup ## read screens of all games, with four seeds (SEEDS=N, from SEED=7 on), each with DISTURBANCES=N of 10, and write the tables to docs/robustness.md
	$(GO) test ./cmd/internal/play/player -run 'TestRobustness$$' -v -count=1 -timeout 180m -robustness $(or $(DISTURBANCES),10) -robustness-seeds $(or $(SEEDS),4) $(if $(SEED),-robustness-seed $(SEED)) -write-robustness $(CURDIR)/docs/robustness.md

.PHONY: margins
margins: setup ## move every limit of vision until a board is read otherwise, of the limits that begin with LIMIT=…,… or of all, and keep the table in docs/margins.md; with SCENES=all on every picture
	$(GO) test -tags "$${GOFLAGS##*-tags=},margins" ./cmd/internal/play/player -run TestMargins -v -count=1 -timeout 6h -write-margins $(CURDIR)/docs/margins.md $(if $(LIMIT),-margins-of $(LIMIT)) $(if $(SCENES),-margins-all)

.PHONY: digits
digits: ## read numbers in the fonts of Debian (below FONTS=/usr/share/fonts) and write the table to docs/digits.md
	$(GO) test ./vision/internal/glyphs -run TestTable -v -count=1 -timeout 60m $(if $(FONTS),-fonts $(FONTS)) -write-digits $(CURDIR)/docs/digits.md

.PHONY: bench
bench: setup ## measure every layer
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: bench-play
bench-play: setup ## play 7x7 Flow levels on the simulated phone; prints how long each step took
	$(GO) test ./cmd/tapwise -run '^$$' -bench Play -benchtime 30x

.PHONY: bench-page
bench-page: setup ## measure how soon the page shows something, and what live frames cost, of one phone and of nine (two minutes, in Chromium)
	$(GO) test ./cmd/tapwise -run 'TestPage(Figures|OfNinePhones)' -page-figures -v -count=1

.PHONY: bench-hands
bench-hands: setup ## touch in every way on simulated phones that cost what phones cost, and keep the tables in docs/hands.md and docs/capture.md; of HANDS_SDK=21,34 or HANDS_RUNG=uinput only, print them
	$(GO) test ./cmd/tapwise -run TestHandsTable -v -count=1 -timeout 60m -hands $(if $(HANDS_SDK)$(HANDS_RUNG),$(if $(HANDS_SDK),-hands-sdk $(HANDS_SDK)) $(if $(HANDS_RUNG),-hands-rung $(HANDS_RUNG)),-write-hands $(CURDIR)/docs/hands.md)

.PHONY: bench-keep
bench-keep: setup ## keep the watched benchmarks' output in docs/benchmarks, for benchstat (some minutes)
	@. ./cmd/env.sh && sh cmd/bench.sh

.PHONY: kills
kills: setup ## cut strokes and streams off KILLS=200 times in each way of touching and of cutting: no finger stays down, no recorder behind
	$(GO) test ./adb -run "TestPhoneFingerIsNeverLeftDown|TestStreamIsNeverLeftBehind" -v -count=1 -timeout 120m -parallel 24 -kills $(or $(KILLS),200)

.PHONY: soak
soak: setup ## play 1,000 levels (SOAK=N) while everything goes wrong, and print how they ended
	$(GO) test ./cmd/tapwise -run TestSoak -v -count=1 -timeout 6h -soak $(or $(SOAK),1000)

.PHONY: fleet-scale
fleet-scale: setup ## simulate the traffic of PHONES=10000 against one hub and against three servers, and print what it takes (docs/fleet-scale.md; FOR=1m each)
	$(foreach servers,1 3,$(GO) test ./cmd/internal/fleet/hub -run 'TestScale$$' -v -count=1 -timeout 30m -phones $(or $(PHONES),10000) -for $(or $(FOR),1m) -servers $(servers) &&) true

.PHONY: fleet-cuts
fleet-cuts: setup ## cut the power of a hub, and of servers of a cluster, CUTS=1000 times at random (from seed SEED=1), RESULTS=1000 results between two cuts: none is lost that was acknowledged
	$(GO) test ./cmd/internal/fleet/hub -run 'TestCut(Cluster|Unsynced)?$$' -v -count=1 -timeout 24h -cuts $(or $(CUTS),1000) -cut-seed $(or $(SEED),1) -cut-results $(or $(RESULTS),1000)

.PHONY: bench-read
bench-read: setup ## read boards of every game, size and style from screens of 1080x2400, clean and disturbed; one core
	$(GO) test ./cmd/internal/play/player -run '^$$' -bench Read -benchtime 3x -cpu 1

.PHONY: leaks
leaks: setup ## look at frames of every game, with and without boards, with gocv's profile of open Mats
	$(GO) test -tags "$${GOFLAGS##*-tags=},matprofile" ./vision ./cmd/internal/play/player -run TestLeaks -v -count=1

.PHONY: bench-flow
bench-flow: setup ## solve every real Flow level, the large boards and broken ones, beside a depth-first search; one line for each set
	$(GO) test ./solvers/games/flow -run '^$$' -bench 'Official|Sets|Broken|Fewest|Plain' -benchtime 1x -cpu 1

.PHONY: bench-unique
bench-unique: setup ## prove every real Flow level unique, on one core
	$(GO) test ./solvers/games/flow -run '^$$' -bench Unique -benchtime 1x -cpu 1

.PHONY: bench-decide
bench-decide: setup ## look for two solutions of each of janko's Numberlink boards, ten seconds each, on all cores (a minute and a half)
	$(GO) test ./solvers/games/flow -run '^$$' -bench Decide -benchtime 1x

.PHONY: bench-alcazar
bench-alcazar: setup ## solve Alcazar boards, also with minisat where it is installed
	$(GO) test ./solvers/games/alcazar -run '^$$' -bench 'Solve|AgainstMinisat' -benchtime 3x

.PHONY: hardest
hardest: setup ## search all Asteroid boards for the hardest start (half a minute)
	$(GO) test ./solvers/games/asteroid -run TestHardest -hardest -v -count=1

.PHONY: crash
crash: setup ## kill clear 200 times and let it resume (some minutes)
	$(GO) test ./cmd/tapwise -run TestCrash -crashes 200 -v -count=1 -timeout 30m

.PHONY: fuzz
fuzz: setup ## fuzz every parser, FUZZTIME each (default 20s)
	@sh cmd/fuzz.sh $(or $(FUZZTIME),20s)

.PHONY: clients
clients: setup ## run adbkit, appium-adb and @yume-chan/adb from npm against the simulated phone, verb by verb (needs node)
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && cp adb/simphone/testdata/clients/package.json "$$folder" && \
	npm install --prefix "$$folder" --no-audit --no-fund --ignore-scripts --loglevel=error && \
	TAPWISE_CLIENTS="$$folder" go test ./adb/simphone -run TestClients -count=1 -v

.PHONY: adbd
adbd: ## play beside a real adbd, Debian's own in a chroot, whose Android is the simulated phone (needs root, debootstrap, unshare; node for other clients)
	@sh cmd/setup.sh adbd
	@sh adb/adbtest/relay/make.sh

.PHONY: fleet-chaos
fleet-chaos: setup ## kill, cut and slow the parts of a fleet while it plays, and a cluster's servers, some minutes
	folder=$$(mktemp -d) && flags=$$(sh cmd/internal/fleet/worker/testdata/wrongclock.sh "$$folder") && \
		$(GO) test $$flags -vet=off ./cmd/internal/fleet/worker -run 'TestChaos|TestCluster|TestFullTmpfs' -chaos -wrong-clocks -v -count=1 -timeout 20m; \
		status=$$?; rm -r "$$folder"; exit $$status

.PHONY: pages
pages: setup ## write the pages about the commands, docs/commands, from their help
	$(GO) test ./cmd/tapwise -run TestCommandPages -count=1 -write-pages

.PHONY: licences
licences: setup ## write the licences of what is in the program, cmd/internal/console/licences/licences.txt, from the modules'
	$(GO) test ./cmd/internal/console/licences -run TestText -count=1 -write-licences

.PHONY: changelog
changelog: ## print what is not yet released, or with VERSION=… move it into CHANGELOG.md
	@sh cmd/changelog.sh $(VERSION)
