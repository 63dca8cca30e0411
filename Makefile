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
# Everything in one shared library, so that a change of one file costs one link (scripts/mutate).
CFLAGS_mutate := -O1 -fPIC
CFLAGS_fuzz := $(CFLAGS_sanitize) -fsanitize=fuzzer-no-link
LDFLAGS_fuzz := $(SANITIZERS) -fsanitize=fuzzer
ifeq ($(filter $(config),release debug sanitize tsan coverage mutate fuzz),)
$(error config=$(config) is not one of release debug sanitize tsan coverage mutate fuzz)
endif

CFLAGS := $(CFLAGS_COMMON) $(CFLAGS_$(config)) $(EXTRA_CFLAGS)
# Not part of CFLAGS: what is built with and without it is the same, and is not built again.
WERROR := $(if $(filter 1,$(werror)),-Werror)
LDFLAGS += $(LDFLAGS_$(config))
CORE_LIBS := -lm
PROTO_LIBS := -lcjson
SERVER_LIBS := -lmicrohttpd -lzstd -lsqlite3 -lpthread

objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)/*.c))
below = $(sort $(shell find $(1) -name '$(2)'))
CORE := $(patsubst %.c,$(BUILD)/%.o,$(call below,core,*.c))
PROTO := $(patsubst %.c,$(BUILD)/%.o,$(call below,proto,*.c))
SERVER := $(patsubst %.c,$(BUILD)/%.o,$(call below,server,*.c))
SERVER_LIB := $(filter-out $(BUILD)/server/main.o,$(SERVER))
LEVELS := $(call objects,tests/levels)
LEVELS_LIB := $(filter-out $(BUILD)/tests/levels/main.o,$(LEVELS))
FUZZ := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
UNIT := $(patsubst %.c,$(BUILD)/%,$(call below,tests/unit,test_*.c))
LIBRARY := $(BUILD)/libnavmesh.a
DAEMON := $(BUILD)/navmeshd
LEVEL_MAKER := $(BUILD)/makelevel
ORACLE := $(BUILD)/oracle
ORACLE_TILES := $(BUILD)/oracle_tiles
ORACLE_RAYS := $(BUILD)/oracle_rays
ORACLE_SANITY := $(BUILD)/oracle_sanity
ORACLE_EXPLAIN := $(BUILD)/oracle_explain
ORACLE_QUERIES := $(BUILD)/oracle_queries
ORACLE_COSTS := $(BUILD)/oracle_costs
ORACLE_EXPORTS := $(BUILD)/oracle_exports
ORACLE_IMPORTS := $(BUILD)/oracle_imports

CONSOLE := build/console
CONSOLE_SOURCES := $(sort $(shell find server/console -name '*.ts' -o -name '*.css' -o -name '*.html' -o -name '*.js'))
THREE ?= /usr/share/javascript/three
ESBUILD := esbuild --log-level=warning --minify --legal-comments=none --target=es2022
CONSOLE_BUNDLE := $(ESBUILD) --bundle --format=esm --alias:three="$(THREE)/build/three.module.js"
CONSOLE_HERE := ../../../server/console
CONSOLE_MAKE := $(if $(and $(shell command -v esbuild),$(wildcard $(THREE)/build/three.module.js)),\
	$(CONSOLE_BUNDLE) $(CONSOLE_HERE)/main.ts --outfile=console.js && \
	$(CONSOLE_BUNDLE) $(CONSOLE_HERE)/draw.ts $(CONSOLE_HERE)/read.ts --outdir=. && \
	$(ESBUILD) --bundle $(CONSOLE_HERE)/console.css --outfile=console.css && cp $(CONSOLE_HERE)/index.html .,$(if \
	$(wildcard server/console/made/*.js),cp $(CONSOLE_HERE)/made/* .,\
	cp $(CONSOLE_HERE)/without.html index.html && touch console.js draw.js read.js console.css))

.PHONY: all run unit test http_client check analyze format coverage install dist dist-clients clean help oracle levels fuzz fuzz_targets \
	bench-bake bench-read bench-import bench-cancel bench-explain bench-query bench-state bench-http bench-worlds bench-store bench-export bench-console partitions damage sweep-stop stop-long \
	sweep-http http-long
.SECONDARY:
all: $(DAEMON) $(LIBRARY) ## the daemon and the library (default)

$(LIBRARY): $(CORE)
	@rm -f $@
	$(AR) qcs $@ $^

$(DAEMON): $(SERVER) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

levels: $(LEVEL_MAKER) ## the level generator
$(LEVEL_MAKER): $(LEVELS) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)

# It asks the daemon for the HTTP tests.
HTTP_CLIENT := $(BUILD)/http_client
http_client: $(HTTP_CLIENT)
$(HTTP_CLIENT): $(BUILD)/tests/http/client.o
	$(CC) $(LDFLAGS) $^ -o $@ -lcurl

# A unit test is one cmocka program per file tests/unit/ROOM/test_NAME.c. Each hall is an archive, from
# which a program takes what it uses; a test of core is linked with core alone, one of proto with core and proto.
# ONLY=core/query builds and runs the tests below that folder, ONLY=query/test_path that one.
LEVELS_ARCHIVE := $(BUILD)/tests/levels.a
PROTO_ARCHIVE := $(BUILD)/tests/proto.a
SERVER_ARCHIVE := $(BUILD)/tests/server.a
$(LEVELS_ARCHIVE): $(LEVELS_LIB)
$(PROTO_ARCHIVE): $(PROTO)
$(SERVER_ARCHIVE): $(SERVER_LIB)
$(LEVELS_ARCHIVE) $(PROTO_ARCHIVE) $(SERVER_ARCHIVE):
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) qcsT $@ $^

# In the order in which one takes from the next.
BELOW_PROTO := $(PROTO_ARCHIVE) $(LEVELS_ARCHIVE) $(LIBRARY)
BELOW_SERVER := $(SERVER_ARCHIVE) $(BELOW_PROTO)
UNIT_PROTO := $(filter $(BUILD)/tests/unit/proto/%,$(UNIT))
UNIT_SERVER := $(filter $(BUILD)/tests/unit/server/%,$(UNIT))
UNIT_CORE := $(filter-out $(UNIT_PROTO) $(UNIT_SERVER),$(UNIT))
$(UNIT_CORE): %: %.o $(LEVELS_ARCHIVE) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(CORE_LIBS)
$(UNIT_PROTO): %: %.o $(BELOW_PROTO)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(PROTO_LIBS) $(CORE_LIBS)
$(UNIT_SERVER): %: %.o $(BELOW_SERVER)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

# The oracle: our bake and queries beside recastnavigation's (librecast-dev, tests only).
ORACLE_TILES_MAIN := $(BUILD)/tests/oracle/tiles.o
ORACLE_RAYS_MAIN := $(BUILD)/tests/oracle/rays.o
ORACLE_SANITY_MAIN := $(BUILD)/tests/oracle/sanity.o
ORACLE_EXPLAIN_MAIN := $(BUILD)/tests/oracle/explain.o
ORACLE_OBJECTS := $(patsubst %.cpp,$(BUILD)/%.o,$(filter-out tests/oracle/recast_set.cpp,$(wildcard tests/oracle/*.cpp))) \
	$(filter-out $(ORACLE_TILES_MAIN) $(ORACLE_RAYS_MAIN) $(ORACLE_SANITY_MAIN) $(ORACLE_EXPLAIN_MAIN),$(call objects,tests/oracle))
oracle: $(ORACLE) $(ORACLE_TILES) $(ORACLE_RAYS) $(ORACLE_SANITY) $(ORACLE_EXPLAIN) $(ORACLE_QUERIES) $(ORACLE_COSTS) $(ORACLE_EXPORTS) $(ORACLE_IMPORTS) ## beside librecast, tiles beside one, queries beside Detour, straight walks, levels that are odd, what explain tells, several costs, exports in Detour, imports of Recast's tiles
$(ORACLE): $(ORACLE_OBJECTS) $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_TILES): $(ORACLE_TILES_MAIN) $(BUILD)/tests/oracle/corpus.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_RAYS): $(ORACLE_RAYS_MAIN) $(BUILD)/tests/oracle/corpus.o $(BUILD)/tests/oracle/made.o \
	$(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_SANITY): $(ORACLE_SANITY_MAIN) $(BUILD)/tests/oracle/corpus.o $(BUILD)/tests/oracle/made.o \
	$(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_EXPLAIN): $(ORACLE_EXPLAIN_MAIN) $(BUILD)/tests/oracle/corpus.o $(BUILD)/tests/oracle/our_bake.o \
	$(BUILD)/tests/oracle/recast.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_QUERIES): $(call objects,tests/oracle/queries) $(BUILD)/tests/oracle/corpus.o \
	$(BUILD)/tests/oracle/detour.o $(BUILD)/tests/oracle/detour_queries.o \
	$(BUILD)/tests/bench/query_world.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lDetour $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_COSTS): $(call objects,tests/oracle/costs) $(BUILD)/tests/oracle/corpus.o \
	$(BUILD)/tests/oracle/made.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_EXPORTS): $(call objects,tests/oracle/exports) $(BUILD)/tests/oracle/corpus.o \
	$(BUILD)/tests/oracle/detour.o $(BUILD)/tests/oracle/detour_queries.o \
	$(BUILD)/tests/bench/query_world.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lDetour $(PROTO_LIBS) $(CORE_LIBS)

$(ORACLE_IMPORTS): $(call objects,tests/oracle/imports) $(BUILD)/tests/oracle/corpus.o \
	$(BUILD)/tests/oracle/recast_set.o $(BUILD)/tests/oracle/detour.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour $(PROTO_LIBS) $(CORE_LIBS)

# Benchmarks: ours and the peer in one run.
BENCH_BAKE := $(BUILD)/bench_bake
$(BENCH_BAKE): $(BUILD)/tests/bench/bench_bake.o $(BUILD)/tests/bench/bench_levels.o \
	$(BUILD)/tests/bench/peer_bake.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour $(PROTO_LIBS) $(CORE_LIBS) -lpthread

bench-bake: $(BENCH_BAKE) ## bakes beside recastnavigation: table, and build/bench/bake.csv
	@mkdir -p build/bench
	@$(BENCH_BAKE) --csv build/bench/bake.csv

BENCH_QUERY := $(BUILD)/bench_query
$(BENCH_QUERY): $(BUILD)/tests/bench/bench_query.o $(BUILD)/tests/bench/query_avoid.o \
	$(BUILD)/tests/bench/query_doors.o \
	$(BUILD)/tests/bench/query_world.o \
	$(BUILD)/tests/oracle/corpus.o $(BUILD)/tests/oracle/detour.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lDetour $(PROTO_LIBS) $(CORE_LIBS) -lpthread

bench-query: $(BENCH_QUERY) ## paths beside Detour's: table, and build/bench/query.csv
	@mkdir -p build/bench
	@$(BENCH_QUERY) --csv build/bench/query.csv

BENCH_STATE := $(BUILD)/bench_state
$(BENCH_STATE): $(BUILD)/tests/bench/bench_state.o $(BUILD)/tests/bench/state_paths.o \
	$(BUILD)/tests/bench/state_switches.o \
	$(BUILD)/tests/bench/peer_obstacles.o $(BUILD)/tests/oracle/corpus.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour -lDetourTileCache $(PROTO_LIBS) $(CORE_LIBS)

bench-state: $(BENCH_STATE) ## obstacles that come and go beside DetourTileCache's; questions in states
	@mkdir -p build/bench
	@$(BENCH_STATE) --csv build/bench/state.csv

# Requests: the daemon beside a bare libmicrohttpd program.
BENCH_HTTP := $(BUILD)/bench_http
BENCH_BARE := $(BUILD)/bench_bare
$(BENCH_HTTP): $(BUILD)/tests/bench/bench_http.o $(BUILD)/tests/bench/http_client.o \
	$(BUILD)/tests/bench/http_loads.o $(BUILD)/tests/bench/http_programs.o \
	$(BUILD)/tests/bench/http_spread.o $(SERVER_LIB) $(PROTO) \
	$(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
$(BENCH_BARE): $(BUILD)/tests/bench/bench_bare.o
	$(CC) $(LDFLAGS) $^ -o $@ -lmicrohttpd

bench-http: $(BENCH_HTTP) $(BENCH_BARE) $(DAEMON) ## requests beside bare libmicrohttpd: table, and build/bench/http.csv
	@mkdir -p build/bench
	@$(BENCH_HTTP) $(DAEMON) $(BENCH_BARE) --csv build/bench/http.csv

BENCH_WORLDS := $(BUILD)/bench_worlds
$(BENCH_WORLDS): $(BUILD)/tests/bench/bench_worlds.o $(BUILD)/tests/bench/http_client.o \
	$(BUILD)/tests/bench/http_programs.o
	$(CC) $(LDFLAGS) $^ -o $@ -lpthread
bench-worlds: $(BENCH_WORLDS) $(DAEMON) ## instances: memory of each, of many that come and go, changes beside batches; fails where a goal is missed
	@$(BENCH_WORLDS) $(DAEMON)

BENCH_STORE := $(BUILD)/bench_store
$(BENCH_STORE): $(BUILD)/tests/bench/bench_store.o $(BUILD)/tests/bench/store_start.o \
	$(BUILD)/tests/bench/store_uploads.o $(BUILD)/tests/bench/http_client.o $(SERVER_LIB) \
	$(PROTO) $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) -Wl,--wrap=store_tiles_put,--wrap=store_version_ready $^ -o $@ \
		$(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

bench-store: $(BENCH_STORE) $(DAEMON) ## commits, starts and small changes beside doing without a store
	@mkdir -p build/bench
	@$(BENCH_STORE) build/bench

BENCH_READ := $(BUILD)/bench_read
$(BENCH_READ): $(BUILD)/tests/bench/bench_read.o $(PROTO) $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

bench-read: $(BENCH_READ) ## levels of each format read, as a part of their bake: table, and build/bench/read.csv
	@mkdir -p build/bench
	@$(BENCH_READ) --csv build/bench/read.csv

BENCH_EXPORT := $(BUILD)/bench_export
$(BENCH_EXPORT): $(BUILD)/tests/bench/bench_export.o $(SERVER_LIB) $(PROTO) $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

bench-console: $(DAEMON) levels ## the console's view of a city of 100,000 polygons in Chromium, drawn by software
	scripts/setup --test && node tests/console/bench.mjs
bench-export: $(BENCH_EXPORT) $(DAEMON) ## files of a city of 100,000 polygons beside loading it; fails where one costs over half
	@mkdir -p build/bench
	@$(BENCH_EXPORT) $(DAEMON) build/bench

BENCH_CANCEL := $(BUILD)/bench_cancel
$(BENCH_CANCEL): $(BUILD)/tests/bench/bench_cancel.o $(SERVER_LIB) $(PROTO) $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

bench-cancel: $(BENCH_CANCEL) ## how long a cancel waits at most, step by step, of a city as one tile
	@$(BENCH_CANCEL)

BENCH_EXPLAIN := $(BUILD)/bench_explain
$(BENCH_EXPLAIN): $(BUILD)/tests/bench/bench_explain.o $(PROTO) $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(CORE_LIBS)

bench-explain: $(BENCH_EXPLAIN) ## a place explained beside the bake of its tile; fails where it takes over twice as long
	@$(BENCH_EXPLAIN)

BENCH_IMPORT := $(BUILD)/bench_import
$(BENCH_IMPORT): $(BUILD)/tests/bench/bench_import.o $(BUILD)/tests/oracle/recast_set.o $(LEVELS_LIB) $(PROTO) $(LIBRARY)
	$(CXX) $(LDFLAGS) $^ -o $@ -lRecast -lDetour $(PROTO_LIBS) $(CORE_LIBS)

bench-import: $(BENCH_IMPORT) ## an MSET of more than 10,000 of Recast's tiles beside our own; fails where a goal is missed
	@$(BENCH_IMPORT)

benches: $(BENCH_BAKE) $(BENCH_QUERY) $(BENCH_STATE) $(BENCH_HTTP) $(BENCH_BARE) $(BENCH_WORLDS) \
	$(BENCH_STORE) $(BENCH_CANCEL) $(BENCH_EXPLAIN) $(BENCH_READ) $(BENCH_EXPORT) $(BENCH_IMPORT) ## built, not run

# Pictures of the three partitions of one level, coloured by region.
PARTITIONS := $(BUILD)/tests/pictures/partitions
partitions: $(PARTITIONS) ## build/partitions/*.svg: one level in each partition
	@mkdir -p build/partitions
	@$(PARTITIONS) build/partitions
$(PARTITIONS): $(BUILD)/tests/pictures/partitions.o $(BUILD)/tests/oracle/our_bake.o $(LEVELS_LIB) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ $(CORE_LIBS)

# Databases that were damaged by chance; as many as are wanted: make damage CASES=20000 SEED=7.
CASES ?= 3000
SEED ?= 1
damage: ## long run of tests/unit/server/store/test_damage.c under sanitizers
	@$(MAKE) config=sanitize build/sanitize/tests/unit/server/store/test_damage
	@NAV_DAMAGE_CASES=$(CASES) NAV_DAMAGE_SEED=$(SEED) build/sanitize/tests/unit/server/store/test_damage

# The sweeps (tests/faults): what breaks on purpose.
FAULT_STOP := $(BUILD)/fault_stop
STOPS ?= 2000
$(FAULT_STOP): $(BUILD)/tests/faults/stop.o $(BUILD)/tests/faults/client.o $(BUILD)/tests/bench/http_programs.o
	$(CC) $(LDFLAGS) $^ -o $@ -lpthread
sweep-stop: $(FAULT_STOP) $(DAEMON) ## SIGTERM under connecting clients, 120 times
	@$(FAULT_STOP) $(DAEMON) --stops 120 --seed $(SEED)
stop-long: $(FAULT_STOP) $(DAEMON) ## the same, 2,000 times (STOPS=, SEED=)
	@$(FAULT_STOP) $(DAEMON) --stops $(STOPS) --seed $(SEED)

FAULT_OOM := $(BUILD)/fault_oom
OOM_SHIM := $(BUILD)/fault_oom.so
SAMPLES ?= 20
.PHONY: sweep-oom oom-long
$(FAULT_OOM): $(BUILD)/tests/faults/oom.o $(BUILD)/tests/faults/oom_kinds.o \
	$(BUILD)/tests/faults/client.o
	$(CC) $(LDFLAGS) $^ -o $@
$(OOM_SHIM): tests/faults/oom_shim.c tests/faults/oom_shim.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) $(WERROR) -O2 -fPIC -shared $< -o $@ -ldl
OOM_PART = $(if $(ONLY),--only '$(ONLY)')
sweep-oom: $(FAULT_OOM) $(OOM_SHIM) $(DAEMON) ## allocations that fail in each kind of request, in starts and stops
	@$(FAULT_OOM) $(DAEMON) $(OOM_SHIM) --samples $(SAMPLES) --seed $(SEED) $(OOM_PART)
oom-long: $(FAULT_OOM) $(OOM_SHIM) $(DAEMON) ## each allocation, once and with all after it (ONLY=starts|stops|requests)
	@$(FAULT_OOM) $(DAEMON) $(OOM_SHIM) --seed $(SEED) $(OOM_PART)

FAULT_KILL := $(BUILD)/fault_kill
KILLS ?= 1000
.PHONY: sweep-kill kill-long
$(FAULT_KILL): $(BUILD)/tests/faults/kill.o $(BUILD)/tests/faults/kill_compare.o \
	$(BUILD)/tests/faults/client.o
	$(CC) $(LDFLAGS) $^ -o $@ -lcjson -lpthread
sweep-kill: $(FAULT_KILL) $(DAEMON) ## kill -9 under a mixed load, 80 times, with comparison
	@$(FAULT_KILL) $(DAEMON) --kills 80 --seed $(SEED)
kill-long: $(FAULT_KILL) $(DAEMON) ## the same, 1,000 times (KILLS=, SEED=)
	@$(FAULT_KILL) $(DAEMON) --kills $(KILLS) --seed $(SEED) --patience $(if $(filter sanitize tsan,$(config)),10,1)

FAULT_SOAK := $(BUILD)/fault_soak
DURATION ?= 7200
.PHONY: soak
$(FAULT_SOAK): $(BUILD)/tests/faults/soak.o $(BUILD)/tests/faults/soak_worlds.o \
	$(BUILD)/tests/faults/client.o
	$(CC) $(LDFLAGS) $^ -o $@ -lpthread -lm
soak: $(FAULT_SOAK) $(DAEMON) ## questions, bakes, switches, deletes and instances for two hours (DURATION= seconds, SEED=)
	@$(FAULT_SOAK) $(DAEMON) --seconds $(DURATION) --seed $(SEED)

FAULT_HTTP := $(BUILD)/fault_http
$(FAULT_HTTP): $(call objects,tests/faults/http) $(BUILD)/tests/bench/http_programs.o
	$(CC) $(LDFLAGS) $^ -o $@ -lpthread
sweep-http: $(FAULT_HTTP) $(DAEMON) ## malformed, oversize and slow clients, bombs (PARTS="tables slow")
	@$(FAULT_HTTP) $(DAEMON) tests/faults/http $(PARTS)
http-long: $(FAULT_HTTP) $(DAEMON) ## the same with every figure told, and good requests among bad ones for longer
	@$(FAULT_HTTP) $(DAEMON) tests/faults/http --long $(PARTS)

# A fuzz target is a program of its own. With config=fuzz libFuzzer runs it, which is part of clang;
# elsewhere driver.c, which needs no more than the tests do.
fuzz: ## the fuzz targets with libFuzzer, as build/fuzz/fuzz_NAME
	@$(MAKE) config=fuzz fuzz_targets
fuzz_targets: $(FUZZ)
FUZZ_DRIVER := $(if $(filter fuzz,$(config)),,$(BUILD)/tests/fuzz/driver.o)
$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/ask.o $(BUILD)/tests/fuzz/world.o \
		$(FUZZ_DRIVER) $(BELOW_SERVER)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

# SQLite's calls fail in turn, and power goes at each sync.
SWEEP_DISK := $(BUILD)/sweep_disk
$(SWEEP_DISK): $(call objects,tests/faults/disk) $(BELOW_SERVER)
	$(CC) $(LDFLAGS) $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
.PHONY: sweep-disk sweep-full-disk disk-long
sweep-disk: $(SWEEP_DISK) ## the store on a disk that fails, fills up or loses power
	@$(SWEEP_DISK) --every 16 --images 4 --kills 10 --seed $(SEED)

disk-long: $(SWEEP_DISK) ## the same, each call and many images of each cut
	@$(SWEEP_DISK) --every 1 --images 100 --kills 200 --seed $(SEED)

# Mounts a disk of its own: as root, or as the root of a user namespace.
sweep-full-disk: $(DAEMON) $(LEVEL_MAKER) ## the daemon on disks of 1.5 to 8 MB that are full
	@$(if $(filter 0,$(shell id -u)),,unshare -rm) scripts/run_http tests/faults/full_disk.bats

.PHONY: sweep-fuzz fuzz-long
sweep-fuzz: ## each fuzz target over its seeds and a few thousand inputs made of them, under sanitizers
	@$(MAKE) config=sanitize fuzz_targets
	@scripts/sweep_fuzz
fuzz-long: fuzz ## ten million inputs by libFuzzer over all targets: a table, and build/fuzz/long.csv
	@scripts/fuzz_long

# Mutants: one place of the code changed at a time, and the tests run against it.
MUTATE_ALL := $(BUILD)/libnavall.so
MUTATE_OBJECTS := $(SERVER_LIB) $(PROTO) $(CORE) $(LEVELS_LIB)
COUNT ?= 200
$(MUTATE_ALL): $(MUTATE_OBJECTS)
	$(CC) -shared $^ -o $@ $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
	@printf '%s\n' $(MUTATE_OBJECTS) | sort -u > $(BUILD)/objects.txt
	@echo '$(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)' > $(BUILD)/libraries.txt
	@echo '$(CC) $(filter-out -g -MMD -MP,$(CFLAGS))' > $(BUILD)/compile.txt
MUTATE_PROGRAMS := $(patsubst $(BUILD)/%,$(BUILD)/linked/%,$(UNIT)) $(BUILD)/linked/navmeshd
$(BUILD)/linked/navmeshd: $(BUILD)/server/main.o $(MUTATE_ALL)
	@mkdir -p $(@D)
	$(CC) $< -o $@ -L$(BUILD) -lnavall $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
$(patsubst $(BUILD)/%,$(BUILD)/linked/%,$(UNIT)): $(BUILD)/linked/%: $(BUILD)/%.o $(MUTATE_ALL)
	@mkdir -p $(@D)
	$(CC) $< -o $@ -L$(BUILD) -lnavall -lcmocka $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
mutate_programs: $(MUTATE_PROGRAMS)
.PHONY: mutate mutate_programs
mutate: ## does a test fail when the code is wrong? by hand; SEED=1 COUNT=200
	@$(MAKE) levels
	@$(MAKE) config=mutate mutate_programs
	@scripts/mutate --seed $(SEED) --count $(COUNT)

# A changed set of flags rebuilds: the stamp holds the compiler and its flags.
STAMP = $(CC) $(CFLAGS) $(UNIT_CFLAGS_$(config))
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@echo '$(STAMP)' | cmp -s - $@ || echo '$(STAMP)' > $@
.PHONY: FORCE
FORCE:

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(if $(filter tests/unit/%,$<),$(UNIT_CFLAGS_$(config))) $(WERROR) -c $< -o $@

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -g -O2 -I. -MMD -MP -Wall -Wextra $(filter -fsanitize% -fno-sanitize% -fPIE,$(CFLAGS)) \
		-isystem /usr/include/recastnavigation -c $< -o $@

# The files that these take in are no headers, so the compiler does not tell.
$(BUILD)/server/api/routes.o: server/api/openapi.json
$(BUILD)/server/api/console.o build/analysis/server/api/console.ok: $(CONSOLE)/made

# The console, as the five files that the daemon has in it: TypeScript bundled with three.js by esbuild
# (Debian's libjs-three and esbuild). Where these are missing, those of a tarball (`make dist`) are
# taken, which has them made; else the page says which packages to install. Several builds may make them at once, so each file appears whole.
$(CONSOLE)/made: $(CONSOLE_SOURCES) $(CONSOLE)/how
	@rm -rf $(CONSOLE)/new.$$PPID && mkdir -p $(CONSOLE)/new.$$PPID && cd $(CONSOLE)/new.$$PPID && touch made && $(CONSOLE_MAKE)
	@cd $(CONSOLE)/new.$$PPID && mv -f * .. && cd .. && rmdir new.$$PPID
$(CONSOLE)/how: FORCE
	@mkdir -p $(CONSOLE)
	@echo '$(CONSOLE_MAKE)' | cmp -s - $@ || echo '$(CONSOLE_MAKE)' > $@
.PHONY: console
console: $(CONSOLE)/made ## the console's files, in build/console

run: $(DAEMON) ## start the daemon with navmeshd.db here
	$(DAEMON)

WANTED := $(if $(ONLY),$(foreach program,$(UNIT),$(if $(findstring $(ONLY),$(program)),$(program))),$(UNIT))
unit: $(WANTED) ## build and run the unit tests (ONLY=core/query, ONLY=query/test_path)
	@scripts/run_unit $(WANTED)

# Built, not run: for scripts/test, which runs them side by side.
.PHONY: unit_programs sweep_programs
unit_programs: $(UNIT)
sweep_programs: $(FAULT_STOP) $(FAULT_OOM) $(OOM_SHIM) $(FAULT_KILL) $(FAULT_HTTP) $(SWEEP_DISK)

test: ## everything: what scripts/test runs, without installing anything
	@scripts/test --no-setup

# git lists the files for these: a folder out of the tarball has no list of them.
in_a_clone = @[ -e .git ] || { echo "make $@ needs a clone of the repository, since git lists the files for it" >&2; exit 1; }

check: ## in a clone: layering, stand-alone headers, formatting, names of commands, files and tests, analysis
	$(in_a_clone)
	@scripts/check_layers
	@scripts/check_commands
	@scripts/check_names
	@scripts/check_tests
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

coverage: ## branches that unit tests and the disk sweep take, by hand (gcovr); fails below 90 % of proto, tiles, store and auth
	@NAV_PROPERTY_WORLDS=20 $(MAKE) config=coverage unit
	@$(MAKE) config=coverage sweep-disk
	@scripts/coverage

# In their folders, so that their links lead somewhere.
DOCUMENTS := README.md LICENSE .github/SECURITY.md tests/pictures/town.svg $(wildcard proto/clients/*/*avmeshd.[a-z]*) proto/clients/cpp/CMakeLists.txt $(wildcard tests/examples/path.c*) $(call below,core docker proto scripts server tests,*.md)

# From, to: with the places filled in.
install_filled = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@BINDIR@|$(PREFIX)/bin|' -e 's|@DOCDIR@|$(DOCDIR)|' \
	-e 's|@SYSCONFDIR@|$(SYSCONFDIR)|' -e 's|@STATEDIR@/|$(if $(STATEDIR),$(STATEDIR)/navmeshd/)|' \
	$(1) > $(BUILD)/filled && install -m 644 $(BUILD)/filled $(2) && rm -f $(BUILD)/filled

# A configuration that is there is kept. /var/lib/navmeshd is made by systemd.
install: $(DAEMON) $(LIBRARY) ## binary, library with its pkg-config file, man page, completion, units, docs to PREFIX (/usr/local); honours DESTDIR
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

# The files that git knows, as they are here: sorted, with owner and times that do not depend on the machine.
VERSION := $(shell sed -n 's/^\#define NAVMESHD_VERSION "\(.*\)"/\1/p' server/base/limits.h)
DIST := build/navmeshd-$(VERSION).tar
dist: $(CONSOLE)/made ## in a clone: build/navmeshd-VERSION.tar.gz, the files that git knows, as they are, and the console's, made; those of one commit give the same bytes
	$(in_a_clone)
	@test -s $(CONSOLE)/console.js || { echo "the console is packed as esbuild and libjs-three make it: scripts/setup" >&2; exit 1; }
	@{ git ls-files -z; printf '$(CONSOLE)/%s\0' index.html console.js draw.js read.js console.css; } | LC_ALL=C sort -z | tar --create --file=$(DIST) --null --files-from=- \
		--owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --mtime=@$$(git log -1 --format=%ct) \
		--transform='s,^$(CONSOLE),server/console/made,' --transform='s,^,navmeshd-$(VERSION)/,'
	@gzip -9nf $(DIST)
	@echo $(DIST).gz
	@$(MAKE) -s dist-clients

# Debian's own Python, which has the modules that scripts/setup --test installs. Sources are copied, since
# the packers write beside them.
PYTHON ?= /usr/bin/python3
dist-clients: ## build/navmeshd-VERSION-py3-none-any.whl and build/navmeshd-VERSION.tgz, the clients for Python and npm (needs scripts/setup --test)
	@test -x build/node/node_modules/.bin/tsc || { echo "the clients are packed with what scripts/setup --test installs" >&2; exit 1; }
	@rm -rf build/clients && mkdir -p build/clients
	@cp -r proto/clients/python proto/clients/typescript build/clients
	@cd build/clients/python && SOURCE_DATE_EPOCH=1767225600 $(PYTHON) -m build --wheel --no-isolation --outdir ../.. >../python.log 2>&1 || \
		{ cat ../python.log >&2; exit 1; }
	@build/node/node_modules/.bin/tsc -p proto/clients/typescript --outDir build/clients/typescript
	@cd build/clients/typescript && npm pack --silent --pack-destination ../.. >/dev/null
	@echo build/navmeshd-$(VERSION)-py3-none-any.whl; echo build/navmeshd-$(VERSION).tgz

clean: ## remove build/
	rm -rf build

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 12

-include $(shell find build/$(config) build/analysis -name '*.d' 2>/dev/null)
