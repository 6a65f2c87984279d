# Two targets do everything on a fresh Debian 12 with Swift 6.3: `make demo` and `make test`.

PREFIX   ?= /usr/local
DESTDIR  ?=
SHARED   ?= ../shared
# Of make fuzz: how long each target runs, and which one alone.
SECONDS  ?= 600
TARGET   ?=
DEMO     ?= build/demo
READERS   = .build/readers

# What the programs link, and the zone names they read.
LIBRARIES = pkg-config libxml2-dev libxslt1-dev libexif-dev libsqlite3-dev libssl-dev libutf8proc-dev \
            libvips-dev libturbojpeg0-dev libseccomp-dev zlib1g-dev tzdata
# What the demo's photos, the tests and the benchmark use.
TOOLS     = python3 sqlite3 libvips-tools libjpeg-turbo-progs libimage-exiftool-perl libxml2-utils

RELEASE   = -c release --static-swift-stdlib -Xlinker --gc-sections -Xlinker -s
SWIFT     = swift

.PHONY: help deps build install demo test acceptance check-corpus needs-shared bench fuzz format lint clean

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

install: build ## Installs both programs and the templates under PREFIX
	install -D -m 755 .build/release/evergear $(DESTDIR)$(PREFIX)/bin/evergear
	install -D -m 755 .build/release/evergear-imaging $(DESTDIR)$(PREFIX)/libexec/evergear/evergear-imaging
	for f in templates/layouts/*; do install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/evergear/$$f"; done

fixtures/photos/.made: fixtures/make-photos
	fixtures/make-photos fixtures/photos
	@touch $@

demo: deps build fixtures/photos/.made ## Makes photos, imports them and sends them in all four layouts
	./fixtures/demo .build/release/evergear fixtures/photos $(DEMO)

test: deps fixtures/photos/.made ## Builds and runs every test that needs nothing from outside the checkout
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --parallel --skip AcceptanceTests

# What needs SHARED. The readers of ENEX that are not ours live in a Python environment of their own.
acceptance: TOOLS += python3-venv
acceptance: needs-shared deps fixtures/photos/.made $(READERS)/.made ## Runs what needs the shared photos and the official document types
	$(SWIFT) build --build-tests
	EVERGEAR_SHARED=$(abspath $(SHARED)) $(SWIFT) test --skip-build --filter AcceptanceTests
	$(MAKE) --no-print-directory check-corpus
	EVERGEAR_SHARED=$(abspath $(SHARED)) EVERGEAR=.build/debug/evergear \
	    $(READERS)/bin/python -m unittest discover --verbose --start-directory acceptance

check-corpus: needs-shared ## Judges what explain says of the shared photos
	$(SWIFT) build --product evergear
	cd $(SHARED)/corpus && find photos synthetic -type f -print0 | \
	    xargs -0 $(CURDIR)/.build/debug/evergear explain --json | ./compare.py

needs-shared:
	@test -f $(SHARED)/corpus/truth.json && test -f $(SHARED)/dtd/enml2.dtd || { \
	    echo "make: there is no $(SHARED) with corpus/ and dtd/, which these tests need. Name it: make acceptance SHARED=FOLDER"; exit 1; }

$(READERS)/.made: acceptance/requirements.txt | deps
	python3 -m venv $(READERS)
	$(READERS)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@

bench: deps build fixtures/photos/.made ## Prints the speed of each stage beside a peer that does the same work
	./fixtures/bench .build/release/evergear

# A build of its own, with sanitizers in every module. What is found lies in build/fuzz/findings.
fuzz: deps fixtures/photos/.made ## Feeds each reader with broken files for SECONDS (TARGET=NAME: only one)
	EVERGEAR_FUZZ=1 $(SWIFT) build -c release --scratch-path .build/fuzz \
	    --sanitize address --sanitize fuzzer --product evergear-fuzz
	Tests/Fuzz/fuzz .build/fuzz/release/evergear-fuzz build/fuzz "$(SECONDS)" "$(TARGET)" \
	    fixtures/photos $(wildcard $(addprefix $(SHARED)/corpus/,photos synthetic))

lint: ## Fails where the code is not formatted
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Formats the code
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

clean: ## Removes what was built
	rm -rf .build build fixtures/photos
