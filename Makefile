# Two targets do everything on a fresh Debian 12 with Swift 6.3: `make demo` and `make test`.

PREFIX   ?= /usr/local
DESTDIR  ?=
SHARED   ?= ../shared
# Of make fuzz: how long each target runs, and which one alone.
SECONDS  ?= 600
TARGET   ?=
# Of make soak: how many runs, and the seed of their plans (empty: one at random, which is printed).
RUNS     ?= 1000
SEED     ?=
DEMO     ?= build/demo
# Python environments: of the service that tests send to, and of the readers that acceptance judges by.
PEER      = .build/peer
READERS   = .build/readers

# What the programs link, and the zone names and certificates they read.
LIBRARIES = pkg-config libxml2-dev libxslt1-dev libexif-dev libsqlite3-dev libssl-dev libutf8proc-dev \
            libcurl4-openssl-dev libvips-dev libturbojpeg0-dev libseccomp-dev zlib1g-dev tzdata ca-certificates
# What the demo's photos, the tests and the benchmark use.
TOOLS     = python3 openssl sqlite3 libvips-tools libjpeg-turbo-progs libimage-exiftool-perl libxml2-utils
# What the service that tests send to needs beside.
SERVICE   = python3-venv curl

SHELL     = /bin/bash
RELEASE   = -c release --static-swift-stdlib -Xlinker --gc-sections -Xlinker -s
SWIFT     = swift

.PHONY: help deps build install demo test acceptance check-corpus needs-shared bench fuzz soak format lint clean

help: ## Lists the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

deps: ## Installs the Debian packages that are missing, and asks for root only then
	@missing=$$(for p in $(LIBRARIES) $(TOOLS); do \
	    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	    echo "Installing:" $$missing; \
	    if [ "$$(id -u)" = 0 ]; then root=; else root=sudo; fi; \
	    $$root apt-get update -qq && \
	    $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi

build: ## Builds both programs for release (installs nothing)
	$(SWIFT) build $(RELEASE) --product evergear
	$(SWIFT) build $(RELEASE) --product evergear-imaging

# What root installs, the user has built: it compiles nothing.
install: ## Installs both programs, the templates and the units for systemd under PREFIX (after make build)
	@test -x .build/release/evergear || { echo "There is nothing to install yet: make build" >&2; exit 1; }
	install -D -m 755 .build/release/evergear $(DESTDIR)$(PREFIX)/bin/evergear
	install -D -m 755 .build/release/evergear-imaging $(DESTDIR)$(PREFIX)/libexec/evergear/evergear-imaging
	set -e; for f in systemd/*; do \
	    install -d $(DESTDIR)$(PREFIX)/share/systemd/user; \
	    sed 's|@bindir@|$(PREFIX)/bin|' $$f | install -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/share/$${f%/*}/user/$${f#*/}; done
	set -e; for f in templates/layouts/*; do install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/evergear/$$f"; done

uninstall: ## Removes what make install has put under PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/evergear $(DESTDIR)$(PREFIX)/share/systemd/user/evergear.service \
	    $(DESTDIR)$(PREFIX)/share/systemd/user/evergear.timer
	rm -rf $(DESTDIR)$(PREFIX)/libexec/evergear $(DESTDIR)$(PREFIX)/share/evergear

fixtures/photos/.made: fixtures/make-photos
	fixtures/make-photos fixtures/photos
	@touch $@

demo: deps build fixtures/photos/.made ## Makes photos, imports them and sends them in all four layouts
	./fixtures/demo .build/release/evergear fixtures/photos $(DEMO)

# What failed is said once more at the end, where it is found.
swift-test = set -o pipefail; $(SWIFT) test --skip-build $(1) 2>&1 | tee .build/tests.log || { \
	    echo; echo "What failed:"; grep -a '^✘' .build/tests.log | cut -c1-1000; exit 1; }

test: TOOLS += $(SERVICE)
test: deps fixtures/photos/.made $(PEER)/.made ## Builds and runs every test that needs nothing from outside the checkout
	$(PEER)/bin/python -m unittest discover --start-directory Tests/Peer
	$(SWIFT) build --build-tests
	$(call swift-test,--parallel --skip AcceptanceTests)
	$(PEER)/bin/python Tests/Soak/soak.py --runs 50 .build/debug/evergear

# What needs SHARED. The readers that are not ours live in a Python environment of their own; what talks with a service
# (the suites named …ServiceTests) meets one that is not ours either.
acceptance: TOOLS += $(SERVICE)
acceptance: export EVERGEAR_SHARED = $(abspath $(SHARED))
acceptance: export EVERGEAR_PEER = $(abspath $(SHARED))/peer/edam_peer.py
acceptance: needs-shared deps fixtures/photos/.made $(PEER)/.made $(READERS)/.made ## Runs what needs the shared photos and the official document types
	$(SWIFT) build --build-tests
	$(call swift-test,--filter AcceptanceTests --filter ServiceTests)
	$(MAKE) --no-print-directory check-corpus
	EVERGEAR=.build/debug/evergear \
	    $(READERS)/bin/python -m unittest discover --verbose --start-directory acceptance

check-corpus: needs-shared ## Judges what explain says of the shared photos
	$(SWIFT) build --product evergear
	cd $(SHARED)/corpus && find photos synthetic -type f -print0 | \
	    xargs -0 $(CURDIR)/.build/debug/evergear explain --json | ./compare.py

needs-shared:
	@test -f $(SHARED)/corpus/truth.json && test -f $(SHARED)/dtd/enml2.dtd && test -f $(SHARED)/peer/edam_peer.py || { \
	    echo "make: there is no $(SHARED) with corpus/, dtd/ and peer/, which these tests need. Name it: make acceptance SHARED=FOLDER"; exit 1; }

# A Python environment with what a list names, made once: this alone needs the network.
define environment
	@python3 -m venv --clear $(@D) && \
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $< || { \
	    rm -rf $(@D); echo "make: $< could not be installed in $(@D): that needs the network, once"; exit 1; }
	@touch $@
endef

$(PEER)/.made: Tests/Peer/requirements.txt | deps
	$(environment)

$(READERS)/.made: acceptance/requirements.txt | deps
	$(environment)

bench: TOOLS += $(SERVICE)
bench: deps build fixtures/photos/.made $(PEER)/.made ## Prints the speed of each stage beside a peer that does the same work
	./fixtures/bench .build/release/evergear --shared $(SHARED)

# A build of its own, with sanitizers in every module. What is found lies in build/fuzz/findings. Of several -sanitize the Swift
# compiler takes the last alone, and the package manager gives one for each, in any order: so both come once more, as one.
fuzz: deps fixtures/photos/.made ## Feeds each reader with broken files for SECONDS (TARGET=NAME: only one)
	EVERGEAR_FUZZ=1 $(SWIFT) build -c release --scratch-path .build/fuzz \
	    --sanitize address --sanitize fuzzer -Xswiftc -sanitize=address,fuzzer --product evergear-fuzz
	Tests/Fuzz/fuzz .build/fuzz/release/evergear-fuzz build/fuzz "$(SECONDS)" "$(TARGET)" \
	    fixtures/photos $(wildcard $(addprefix $(SHARED)/corpus/,photos synthetic))

# The release build, which is the one that people have. make test does fifty runs with the other.
soak: TOOLS += $(SERVICE)
soak: deps build fixtures/photos/.made $(PEER)/.made ## Kills it at any place, RUNS times, and judges what it made of that
	$(PEER)/bin/python Tests/Soak/soak.py --runs $(RUNS) $(addprefix --seed ,$(SEED)) .build/release/evergear

lint: ## Fails where the code is not formatted
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Formats the code
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

clean: ## Removes what was built
	rm -rf .build build fixtures/photos
