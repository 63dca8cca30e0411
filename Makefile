# navmeshd. `make help` lists what there is; scripts/setup installs what it needs.
#
#   make config=debug|release|sanitize|tsan|coverage|fuzz   each has its own folder build/<config>
#   make CC=clang werror=1                             the other compiler; sanitize and fuzz have clang anyway

config ?= release
werror ?= 0
# These are built by clang, so that one build has both the sanitizers and a second compiler. A thread
# sanitizer build is gcc's.
CLANG := $(filter sanitize fuzz,$(config))
CC := $(if $(filter default,$(origin CC)),$(if $(CLANG),clang,gcc),$(CC))
CXX := $(if $(filter default,$(origin CXX)),$(if $(CLANG),clang++,g++),$(CXX))
BUILD := build/$(config)
PREFIX ?= /usr/local
override PREFIX := $(abspath $(PREFIX))
# The system's own prefixes have their configuration in /etc and the database in /var/lib; any other
# has all of it within, and the database in the folder where the daemon is started, unless STATEDIR
# names one.
SYSTEM_PREFIX := $(filter /usr /usr/local,$(PREFIX))
SYSCONFDIR ?= $(if $(SYSTEM_PREFIX),,$(PREFIX))/etc
STATEDIR ?= $(if $(SYSTEM_PREFIX),/var/lib)
DOCDIR := $(PREFIX)/share/doc/navmeshd
MANDIR := $(PREFIX)/share/man
COMPLETIONDIR := $(PREFIX)/share/bash-completion/completions

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion \
	-Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla \
	-Wundef -Wformat=2 -Wwrite-strings -Wpointer-arith -Wcast-align -Wimplicit-fallthrough

# No fast-math and no contraction: a bake gives the same bytes with every compiler.
CFLAGS_COMMON := -std=c17 -g -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -I. -MMD -MP $(WARNINGS)
HARDENING := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
	-fstack-clash-protection -fcf-protection -fPIE
LDFLAGS := -pie -Wl,-z,relro,-z,now

CFLAGS_release := -O2 $(HARDENING)
CFLAGS_debug := -O0 -fPIE -DNAV_DEBUG
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_sanitize := -O1 -g1 -fPIE -fno-omit-frame-pointer -DNAV_DEBUG $(SANITIZERS)
LDFLAGS_sanitize := $(SANITIZERS)
CFLAGS_tsan := -O1 -g1 -fPIE -fno-omit-frame-pointer -DNAV_DEBUG -fsanitize=thread
LDFLAGS_tsan := -fsanitize=thread
CFLAGS_coverage := -O0 -fPIE --coverage -fprofile-update=atomic -DNAV_DEBUG -DNAV_COVERAGE
LDFLAGS_coverage := --coverage
# Code of unit tests is optimised less than what it tests: to compile it would take most of a build.
UNIT_CFLAGS_release := -O1 -g1
UNIT_CFLAGS_sanitize := -O0 -fno-sanitize=undefined
UNIT_CFLAGS_tsan := -O0
# Linked without debug information (config=debug has it), a comment changes none; lld, where it is, takes half the time.
UNIT_LDFLAGS := $(if $(shell command -v ld.lld),-fuse-ld=lld)
UNIT_LDFLAGS_release := -Wl,-S
# Everything in one shared library, so that a change of one file costs one link (scripts/mutate).
CFLAGS_mutate := -O1 -fPIC
CFLAGS_fuzz := $(CFLAGS_sanitize) -fsanitize=fuzzer-no-link
LDFLAGS_fuzz := $(SANITIZERS) -fsanitize=fuzzer
ifeq ($(filter $(config),release debug sanitize tsan coverage mutate fuzz),)
$(error config=$(config) is not one of release debug sanitize tsan coverage mutate fuzz)
endif

CFLAGS := $(CFLAGS_COMMON) $(CFLAGS_$(config)) $(EXTRA_CFLAGS)
CXXFLAGS := -std=c++17 -g -O2 -I. -MMD -MP -Wall -Wextra \
	$(filter -fsanitize% -fno-sanitize% -fPIE,$(CFLAGS)) -isystem /usr/include/recastnavigation
# Not part of CFLAGS: what is built with and without it is the same, and is not built again.
WERROR := $(if $(filter 1,$(werror)),-Werror)
LDFLAGS += $(LDFLAGS_$(config))
CORE_LIBS := -lm
PROTO_LIBS := -lcjson
SERVER_LIBS := -lmicrohttpd -lzstd -lsqlite3 -lpthread

# A folder's sources as objects, in it or in it and all below.
objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)/*.c))
below = $(sort $(shell find $(1) -name '$(2)'))
CORE := $(patsubst %.c,$(BUILD)/%.o,$(call below,core,*.c))
PROTO := $(patsubst %.c,$(BUILD)/%.o,$(call below,proto,*.c))
SERVER := $(patsubst %.c,$(BUILD)/%.o,$(call below,server,*.c))
SERVER_LIB := $(filter-out $(BUILD)/server/main.o,$(SERVER))
LIBRARY := $(BUILD)/libnavmesh.a
DAEMON := $(BUILD)/navmeshd

# ---- what is built ----
.PHONY: all run FORCE
.SECONDARY:
all: $(DAEMON) $(LIBRARY) ## the daemon and the library (default)

$(LIBRARY): $(CORE)
	@rm -f $@
	$(AR) qcs $@ $^

$(DAEMON): $(SERVER) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

run: $(DAEMON) ## start the daemon with navmeshd.db here
	$(DAEMON)

# A changed set of flags rebuilds: the stamp holds the compiler and its flags.
STAMP = $(CC) $(CFLAGS) $(UNIT_CFLAGS_$(config))
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@echo '$(STAMP)' | cmp -s - $@ || echo '$(STAMP)' > $@
FORCE:

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(if $(filter tests/unit/%,$<),$(UNIT_CFLAGS_$(config))) $(WERROR) -c $< -o $@

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -c $< -o $@

# ---- the console ----
# Five files that the daemon has in it: TypeScript bundled with three.js by esbuild (Debian's libjs-three
# and esbuild). Where these are missing, those of a tarball (`make dist`) are taken, which has them made;
# else the page says which packages to install. Several builds may make them at once, so each file
# appears whole.
CONSOLE := build/console
CONSOLE_SOURCES := $(sort $(shell find server/console -name '*.ts' -o -name '*.css' -o -name '*.html' -o -name '*.js'))
THREE ?= /usr/share/javascript/three
ESBUILD := esbuild --log-level=warning --minify --legal-comments=none --target=es2022
CONSOLE_BUNDLE := $(ESBUILD) --bundle --format=esm --alias:three="$(THREE)/build/three.module.js"
CONSOLE_HERE := ../../../server/console
CONSOLE_MAKE := $(if $(and $(shell command -v esbuild),$(wildcard $(THREE)/build/three.module.js)),\
	$(CONSOLE_BUNDLE) $(CONSOLE_HERE)/main.ts --outfile=console.js && \
	$(CONSOLE_BUNDLE) $(CONSOLE_HERE)/draw.ts $(CONSOLE_HERE)/read.ts --outdir=. && \
	$(ESBUILD) --bundle $(CONSOLE_HERE)/console.css --outfile=console.css && \
	cp $(CONSOLE_HERE)/index.html .,$(if $(wildcard server/console/made/*.js),\
	cp $(CONSOLE_HERE)/made/* .,\
	cp $(CONSOLE_HERE)/without.html index.html && touch console.js draw.js read.js console.css))

.PHONY: console
console: $(CONSOLE)/made ## the console's files, in build/console
$(CONSOLE)/made: $(CONSOLE_SOURCES) $(CONSOLE)/how
	@rm -rf $(CONSOLE)/new.$$PPID && mkdir -p $(CONSOLE)/new.$$PPID && cd $(CONSOLE)/new.$$PPID && \
		touch made && $(CONSOLE_MAKE)
	@cd $(CONSOLE)/new.$$PPID && mv -f * .. && cd .. && rmdir new.$$PPID
$(CONSOLE)/how: FORCE
	@mkdir -p $(CONSOLE)
	@echo '$(CONSOLE_MAKE)' | cmp -s - $@ || echo '$(CONSOLE_MAKE)' > $@

# The files that these take in are no headers, so the compiler does not tell.
$(BUILD)/server/api/routes.o: server/api/openapi.json
$(BUILD)/server/api/console.o build/analysis/server/api/console.ok: $(CONSOLE)/made

# ---- tests: the programs and what runs them ----
include tests/tests.mk

# ---- what reads the sources ----
.PHONY: quick test check format analyze coverage compile_commands.json
quick: ## what was changed is right: builds, unit tests of what changed, 100 HTTP tests, in a minute
	@scripts/quick

test: ## what scripts/test runs, without installing anything
	@scripts/test --no-setup

# git lists the files for these: a folder out of the tarball has no list of them.
in_a_clone = @[ -e .git ] || { \
	echo "make $@ needs a clone of the repository, since git lists the files for it" >&2; exit 1; }

check: ## in a clone: layering, stand-alone headers, formatting, sizes of rooms, words, names of commands, files and tests, analysis
	$(in_a_clone)
	@scripts/check_layers
	@scripts/check_commands
	@scripts/check_names
	@scripts/check_tests
	@scripts/check_size
	@scripts/check_words
	@scripts/check_headers
	@scripts/check_format
	@$(MAKE) -s -k analyze

format: ## in a clone: lay out the sources with clang-format 14
	$(in_a_clone)
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format-14 -i

# Three analysers look at each source file once: what a file is clean of is stamped, until it or a
# header of its changes. .clang-tidy and scripts/cppcheck.txt say what is not asked, and why.
ANALYSED := $(patsubst %.c,build/analysis/%.ok,$(call below,core proto server,*.c))
# gcc 12 takes it that a loop over the axes may run no time, and what it fills may so be without a value.
GCC_ANALYSER := -O2 -fanalyzer -Wno-analyzer-use-of-uninitialized-value -Werror
ANALYSIS_FLAGS := $(filter-out -MMD -MP $(WARNINGS),$(CFLAGS_COMMON))
analyze: $(ANALYSED) ## gcc -fanalyzer, cppcheck and clang-tidy over core, proto and server
build/analysis/%.ok: %.c .clang-tidy scripts/cppcheck.txt
	@mkdir -p $(@D)
	@gcc $(ANALYSIS_FLAGS) $(GCC_ANALYSER) -MMD -MP -MF $(@:.ok=.d) -MT $@ -c $< -o /dev/null
	@cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr \
		--suppressions-list=scripts/cppcheck.txt --std=c11 -D_GNU_SOURCE -I. $<
	@clang-tidy-14 --quiet --warnings-as-errors='*' $< -- $(ANALYSIS_FLAGS) 2>$(@:.ok=.err) || \
		{ cat $(@:.ok=.err); exit 1; }
	@touch $@

coverage: ## by hand (gcovr): branches that unit tests and the disk sweep take; of some rooms 90 % have to be
	@NAV_PROPERTY_WORLDS=20 $(MAKE) config=coverage unit
	@$(MAKE) config=coverage sweep-disk
	@scripts/coverage

# The compiler's command line for each source, as a build of everything has it.
compile_commands.json: ## how each source is compiled, for clangd and clang-tidy -p
	@$(MAKE) -Bn all levels unit_programs oracle benches sweep_programs fuzz_targets soak partitions >$@.new
	@{ echo '['; sed -nE \
		's|^.* -c ([^ ]+) -o ([^ ]+)$$|{"directory":"$(CURDIR)","file":"\1","output":"\2","command":"&"}|p' $@.new | \
		sed '$$!s/$$/,/'; echo ']'; } >$@
	@rm $@.new

# ---- install ----
# In their folders, so that their links lead somewhere.
DOCUMENTS := README.md LICENSE .github/SECURITY.md .github/CONTRIBUTING.md .github/CHANGELOG.md tests/pictures/town.svg \
	$(wildcard proto/clients/*/*avmeshd.[a-z]*) proto/clients/cpp/CMakeLists.txt \
	$(wildcard tests/examples/path.c*) $(call below,core docker proto scripts server tests,*.md)
VERSION := $(shell sed -n 's/^\#define NAVMESHD_VERSION "\(.*\)"/\1/p' server/base/limits.h)

# From, to: with the places filled in.
install_filled = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	-e 's|@BINDIR@|$(PREFIX)/bin|' -e 's|@DOCDIR@|$(DOCDIR)|' -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|' \
	-e 's|@STATEDIR@/|$(if $(STATEDIR),$(STATEDIR)/navmeshd/)|' \
	$(1) > $(BUILD)/filled && install -m 644 $(BUILD)/filled $(2) && rm -f $(BUILD)/filled

# A configuration that is there is kept. /var/lib/navmeshd is made by systemd.
.PHONY: install dist tarball dist-clients clean help
install: $(DAEMON) $(LIBRARY) ## daemon, library, man page, completion, units, documents to PREFIX; honours DESTDIR
	install -D -m 755 $(DAEMON) $(DESTDIR)$(PREFIX)/bin/navmeshd
	install -D -m 644 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/libnavmesh.a
	install -D -m 644 core/nav.h $(DESTDIR)$(PREFIX)/include/nav.h
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	$(call install_filled,core/navmesh.pc.in,$(DESTDIR)$(PREFIX)/lib/pkgconfig/navmesh.pc)
	for file in $(DOCUMENTS); do install -D -m 644 $$file $(DESTDIR)$(DOCDIR)/$$file || exit 1; done
	install -D -m 644 server/app/navmeshd.1 $(DESTDIR)$(MANDIR)/man1/navmeshd.1
	install -D -m 644 server/app/navmeshd.bash $(DESTDIR)$(COMPLETIONDIR)/navmeshd
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in navmeshd.service navmeshd.socket; do \
		$(call install_filled,docker/$$unit,$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit) || exit 1; \
	done
	install -d $(DESTDIR)$(SYSCONFDIR)/navmeshd
	test -e $(DESTDIR)$(SYSCONFDIR)/navmeshd/navmeshd.json || \
		{ $(call install_filled,docker/navmeshd.json,$(DESTDIR)$(SYSCONFDIR)/navmeshd/navmeshd.json); }
	$(if $(filter-out /var/lib,$(STATEDIR)),install -d $(DESTDIR)$(STATEDIR)/navmeshd)

# ---- dist ----
# The files that git knows, as they are here, and the console's, made: sorted, with owner and times that
# do not depend on the machine.
DIST := build/navmeshd-$(VERSION).tar
dist: tarball dist-clients ## in a clone: the tarball, and the clients for Python and npm
tarball: $(CONSOLE)/made ## in a clone: build/navmeshd-VERSION.tar.gz, the same bytes for the same commit
	$(in_a_clone)
	@test -s $(CONSOLE)/console.js || { \
		echo "the console is packed as esbuild and libjs-three make it: scripts/setup" >&2; exit 1; }
	@{ git ls-files -z; printf '$(CONSOLE)/%s\0' index.html console.js draw.js read.js console.css; } | \
		LC_ALL=C sort -z | tar --create --file=$(DIST) --null --files-from=- \
		--owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --mtime=@$$(git log -1 --format=%ct) \
		--transform='s,^$(CONSOLE),server/console/made,' --transform='s,^,navmeshd-$(VERSION)/,'
	@gzip -9nf $(DIST)
	@echo $(DIST).gz

# Debian's own Python, which has the modules that scripts/setup --test installs. Sources are copied, since
# the packers write beside them.
PYTHON ?= /usr/bin/python3
dist-clients: ## build/navmeshd-VERSION-py3-none-any.whl and .tgz, the clients for Python and npm
	@test -x build/node/node_modules/.bin/tsc || { \
		echo "the clients are packed with what scripts/setup --test installs" >&2; exit 1; }
	@rm -rf build/clients && mkdir -p build/clients
	@cp -r proto/clients/python proto/clients/typescript build/clients
	@cd build/clients/python && SOURCE_DATE_EPOCH=1767225600 $(PYTHON) -m build --wheel --no-isolation \
		--outdir ../.. >../python.log 2>&1 || { cat ../python.log >&2; exit 1; }
	@build/node/node_modules/.bin/tsc -p proto/clients/typescript --outDir build/clients/typescript
	@cd build/clients/typescript && npm pkg set version=$(VERSION) && \
		npm pack --silent --pack-destination ../.. >/dev/null
	@echo build/navmeshd-$(VERSION)-py3-none-any.whl; echo build/navmeshd-$(VERSION).tgz

clean: ## remove build/
	rm -rf build compile_commands.json

help: ## this list
	@grep -hE '^[a-z_.-]+:.*##' Makefile tests/tests.mk | sed -E 's/:.*## /\t/' | expand -t 22

-include $(shell find build/$(config) build/analysis -name '*.d' 2>/dev/null)
