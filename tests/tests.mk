# The programs that test, break and measure the rest, and what runs them. A part of the Makefile.

# ---- levels ----
LEVELS := $(call objects,tests/levels)
LEVELS_LIB := $(filter-out $(BUILD)/tests/levels/main.o,$(LEVELS))

# ---- archives ----
# Each hall is one, from which a program takes what it uses. In the order in which one takes from the next.
LEVELS_ARCHIVE := $(BUILD)/tests/levels.a
PROTO_ARCHIVE := $(BUILD)/tests/proto.a
SERVER_ARCHIVE := $(BUILD)/tests/server.a
BELOW_PROTO := $(PROTO_ARCHIVE) $(LEVELS_ARCHIVE) $(LIBRARY)
BELOW_SERVER := $(SERVER_ARCHIVE) $(BELOW_PROTO)
$(LEVELS_ARCHIVE): $(LEVELS_LIB)
$(PROTO_ARCHIVE): $(PROTO)
$(SERVER_ARCHIVE): $(SERVER_LIB)
$(LEVELS_ARCHIVE) $(PROTO_ARCHIVE) $(SERVER_ARCHIVE):
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) qcsT $@ $^

# ---- the table of programs ----
# A row is a program in $(BUILD): its name, the hall that it is linked with (those below come along;
# archives are server's), its own sources below tests (with a slash behind it, all of a folder), and other
# libraries, of which Recast's and Detour's are C++.
HALL_core := $(LEVELS_LIB) $(LIBRARY)
HALL_proto := $(LEVELS_LIB) $(PROTO) $(LIBRARY)
HALL_server := $(SERVER_LIB) $(PROTO) $(LEVELS_LIB) $(LIBRARY)
HALL_archives := $(BELOW_SERVER)
LIBS_core := $(CORE_LIBS)
LIBS_proto := $(PROTO_LIBS) $(CORE_LIBS)
LIBS_server := $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
LIBS_archives := $(LIBS_server)
source_objects = $(if $(filter %/,$(1)),$(call objects,tests/$(1:/=)),$(BUILD)/tests/$(1).o)
define program_rule
PROGRAMS += $(BUILD)/$(1)
$(BUILD)/$(1): $(foreach source,$(3),$(call source_objects,$(source))) $(HALL_$(2))
	$(if $(filter Recast Detour,$(4)),$$(CXX),$$(CC)) $$(LDFLAGS) $$^ -o $$@ $(4:%=-l%) $(LIBS_$(2))
endef
program = $(eval $(call program_rule,$(strip $(1)),$(strip $(2)),$(3),$(strip $(4))))

$(call program, makelevel,      core,     levels/)
$(call program, http_client,    none,     http/client, curl)
$(call program, tests/pictures/partitions, core, pictures/partitions oracle/our_bake)
# ours beside recastnavigation's (librecast-dev, tests only)
$(call program, oracle,         proto,    oracle/detour oracle/detour_queries oracle/recast oracle/corpus \
                                          oracle/exact oracle/ground oracle/made oracle/main oracle/our_bake \
                                          oracle/stages, Recast Detour)
$(call program, oracle_tiles,   proto,    oracle/tiles oracle/corpus)
$(call program, oracle_rays,    proto,    oracle/rays oracle/corpus oracle/made)
$(call program, oracle_sanity,  proto,    oracle/sanity oracle/corpus oracle/made)
$(call program, oracle_explain, proto,    oracle/explain oracle/corpus oracle/our_bake oracle/recast, Recast Detour)
$(call program, oracle_queries, proto,    oracle/queries/ oracle/corpus oracle/detour oracle/detour_queries \
                                          bench/query_world, Detour)
$(call program, oracle_costs,   proto,    oracle/costs/ oracle/corpus oracle/made)
$(call program, oracle_exports, proto,    oracle/exports/ oracle/corpus oracle/detour oracle/detour_queries \
                                          bench/query_world, Detour)
$(call program, oracle_imports, proto,    oracle/imports/ oracle/corpus oracle/recast_set oracle/detour, \
                                          Recast Detour)
# speed, with the peer in the same run
$(call program, bench_bake,     proto,    bench/bench_bake bench/bench_levels bench/peer_bake, Recast Detour pthread)
$(call program, bench_query,    proto,    bench/bench_query bench/query_avoid bench/query_doors bench/query_world \
                                          oracle/corpus oracle/detour, Detour pthread)
$(call program, bench_state,    proto,    bench/bench_state bench/state_paths bench/state_switches \
                                          bench/peer_obstacles oracle/corpus, Recast Detour DetourTileCache)
$(call program, bench_http,     server,   bench/bench_http bench/http_client bench/http_loads bench/http_programs \
                                          bench/http_spread)
$(call program, bench_bare,     none,     bench/bench_bare, microhttpd)
$(call program, bench_worlds,   none,     bench/bench_worlds bench/http_client bench/http_programs, pthread)
$(call program, bench_store,    server,   bench/bench_store bench/store_start bench/store_uploads bench/http_client)
$(call program, bench_read,     proto,    bench/bench_read)
$(call program, bench_export,   server,   bench/bench_export)
$(call program, bench_cancel,   server,   bench/bench_cancel)
$(call program, bench_explain,  proto,    bench/bench_explain)
$(call program, bench_import,   proto,    bench/bench_import oracle/recast_set, Recast Detour)
# what breaks on purpose
$(call program, fault_stop,     none,     faults/stop faults/client bench/http_programs, pthread)
$(call program, fault_oom,      none,     faults/oom faults/oom_kinds faults/client)
$(call program, fault_kill,     none,     faults/kill faults/kill_compare faults/client, cjson pthread)
$(call program, fault_soak,     none,     faults/soak faults/soak_worlds faults/client, pthread m)
$(call program, fault_http,     none,     faults/http/ bench/http_programs, pthread)
$(call program, sweep_disk,     archives, faults/disk/)

# The bake's calls are measured on their way to the store.
$(BUILD)/bench_store: private LDFLAGS += -Wl,--wrap=store_tiles_put,--wrap=store_version_ready

# A fuzz target is a program of its own. With config=fuzz libFuzzer runs it, which is part of clang;
# elsewhere driver.c, which needs no more than the tests do.
FUZZ := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SHARED := fuzz/ask fuzz/world $(if $(filter fuzz,$(config)),,fuzz/driver)
$(foreach target,$(FUZZ),$(call program, $(target), archives, fuzz/$(target) $(FUZZ_SHARED)))

# ---- unit tests ----
# A unit test is one cmocka program per file tests/unit/ROOM/test_NAME.c. A test of core is linked with
# core alone, one of proto with core and proto, one of server with all.
# ONLY=core/query builds and runs the tests below that folder, ONLY=query/test_path that one.
UNIT := $(patsubst %.c,$(BUILD)/%,$(call below,tests/unit,test_*.c))
UNIT_PROTO := $(filter $(BUILD)/tests/unit/proto/%,$(UNIT))
UNIT_SERVER := $(filter $(BUILD)/tests/unit/server/%,$(UNIT))
UNIT_CORE := $(filter-out $(UNIT_PROTO) $(UNIT_SERVER),$(UNIT))
$(UNIT_CORE): %: %.o $(LEVELS_ARCHIVE) $(LIBRARY)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(CORE_LIBS)
$(UNIT_PROTO): %: %.o $(BELOW_PROTO)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(PROTO_LIBS) $(CORE_LIBS)
$(UNIT_SERVER): %: %.o $(BELOW_SERVER)
	$(CC) $(LDFLAGS) $^ -o $@ -lcmocka $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

$(UNIT): private LDFLAGS += $(UNIT_LDFLAGS) $(UNIT_LDFLAGS_$(config))

.PHONY: unit unit_programs damage
WANTED := $(if $(ONLY),$(foreach program,$(UNIT),$(if $(findstring $(ONLY),$(program)),$(program))),$(UNIT))
unit: $(WANTED) ## build and run the unit tests (ONLY=core/query, ONLY=query/test_path)
	@scripts/run_unit $(WANTED)

# Built, not run: for scripts/test, which runs them side by side.
unit_programs: $(UNIT)

# Databases that were damaged by chance; as many as are wanted: make damage CASES=20000 SEED=7.
CASES ?= 3000
SEED ?= 1
damage: ## long run of tests/unit/server/store/test_damage.c under sanitizers
	@$(MAKE) config=sanitize build/sanitize/tests/unit/server/store/test_damage
	@NAV_DAMAGE_CASES=$(CASES) NAV_DAMAGE_SEED=$(SEED) build/sanitize/tests/unit/server/store/test_damage

# ---- levels, oracles, pictures ----
.PHONY: levels http_client oracle partitions
LEVEL_MAKER := $(BUILD)/makelevel
levels: $(LEVEL_MAKER) ## the level generator

http_client: $(BUILD)/http_client ## what the HTTP tests ask with

oracle: ## built: our bakes, queries, costs, exports and imports beside librecast's, odd levels, what explain tells
oracle: $(filter $(BUILD)/oracle%,$(PROGRAMS))

partitions: $(BUILD)/tests/pictures/partitions ## build/partitions/*.svg: one level in each partition
	@mkdir -p build/partitions
	@$< build/partitions

# ---- benchmarks: ours and the peer in one run ----
.PHONY: benches bench-bake bench-query bench-state bench-http bench-worlds bench-store bench-read bench-export \
	bench-console bench-cancel bench-explain bench-import
benches: $(filter $(BUILD)/bench_%,$(PROGRAMS)) ## built, not run

bench-bake: ## bakes beside recastnavigation: table, and build/bench/bake.csv
bench-query: ## paths beside Detour's: table, and build/bench/query.csv
bench-state: ## obstacles that come and go beside DetourTileCache's; questions in states
bench-read: ## levels of each format read, as a part of their bake: table, and build/bench/read.csv
bench-bake bench-query bench-state bench-read: bench-%: $(BUILD)/bench_%
	@mkdir -p build/bench
	@$< --csv build/bench/$*.csv

bench-cancel: ## how long a cancel waits at most, step by step, of a city as one tile
bench-explain: ## a place explained beside the bake of its tile; fails where it takes over twice as long
bench-import: ## an MSET of more than 10,000 of Recast's tiles beside our own; fails where a goal is missed
bench-cancel bench-explain bench-import: bench-%: $(BUILD)/bench_%
	@$<

bench-store: ## commits, starts and small changes beside doing without a store
bench-store: $(BUILD)/bench_store $(DAEMON)
	@mkdir -p build/bench
	@$< build/bench

bench-export: ## files of a city of 100,000 polygons beside loading it; fails where one costs over half
bench-export: $(BUILD)/bench_export $(DAEMON)
	@mkdir -p build/bench
	@$< $(DAEMON) build/bench

bench-http: ## requests beside bare libmicrohttpd: table, and build/bench/http.csv
bench-http: $(BUILD)/bench_http $(BUILD)/bench_bare $(DAEMON)
	@mkdir -p build/bench
	@$< $(DAEMON) $(BUILD)/bench_bare --csv build/bench/http.csv

bench-worlds: ## instances: memory of each, many that come and go, changes beside batches; fails where a goal is missed
bench-worlds: $(BUILD)/bench_worlds $(DAEMON)
	@$< $(DAEMON)

bench-console: ## the console's view of a city of 100,000 polygons in Chromium, drawn by software
bench-console: $(DAEMON) levels
	scripts/setup --test && node tests/console/bench.mjs

# ---- sweeps (tests/faults): what breaks on purpose ----
.PHONY: sweep_programs sweep-stop stop-long sweep-oom oom-long sweep-kill kill-long soak sweep-http http-long \
	sweep-disk disk-long sweep-full-disk
OOM_SHIM := $(BUILD)/fault_oom.so
sweep_programs: $(addprefix $(BUILD)/,fault_stop fault_oom fault_kill fault_http sweep_disk) $(OOM_SHIM)

STOPS ?= 2000
sweep-stop: $(BUILD)/fault_stop $(DAEMON) ## SIGTERM under connecting clients, 120 times
	@$< $(DAEMON) --stops 120 --seed $(SEED)
stop-long: $(BUILD)/fault_stop $(DAEMON) ## the same, 2,000 times (STOPS=, SEED=)
	@$< $(DAEMON) --stops $(STOPS) --seed $(SEED)

SAMPLES ?= 20
OOM_PART = $(if $(ONLY),--only '$(ONLY)')
$(OOM_SHIM): tests/faults/oom_shim.c tests/faults/oom_shim.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) $(WERROR) -O2 -fPIC -shared $< -o $@ -ldl
sweep-oom: $(BUILD)/fault_oom $(OOM_SHIM) $(DAEMON) ## allocations that fail in requests, starts and stops
	@$< $(DAEMON) $(OOM_SHIM) --samples $(SAMPLES) --seed $(SEED) $(OOM_PART)
oom-long: ## each allocation, once and with all after it (ONLY=starts|stops|requests)
oom-long: $(BUILD)/fault_oom $(OOM_SHIM) $(DAEMON)
	@$< $(DAEMON) $(OOM_SHIM) --seed $(SEED) $(OOM_PART)

KILLS ?= 1000
sweep-kill: $(BUILD)/fault_kill $(DAEMON) ## kill -9 under a mixed load, 80 times, with comparison
	@$< $(DAEMON) --kills 80 --seed $(SEED)
kill-long: $(BUILD)/fault_kill $(DAEMON) ## the same, 1,000 times (KILLS=, SEED=)
	@$< $(DAEMON) --kills $(KILLS) --seed $(SEED) --patience $(if $(filter sanitize tsan,$(config)),10,1)

DURATION ?= 7200
soak: ## questions, bakes, switches, deletes and instances for two hours (DURATION= seconds, SEED=)
soak: $(BUILD)/fault_soak $(DAEMON)
	@$< $(DAEMON) --seconds $(DURATION) --seed $(SEED)

sweep-http: $(BUILD)/fault_http $(DAEMON) ## malformed, oversize and slow clients, bombs (PARTS="tables slow")
	@$< $(DAEMON) tests/faults/http $(PARTS)
http-long: ## the same with every figure told, and good requests among bad ones for longer
http-long: $(BUILD)/fault_http $(DAEMON)
	@$< $(DAEMON) tests/faults/http --long $(PARTS)

# SQLite's calls fail in turn, and power goes at each sync.
sweep-disk: $(BUILD)/sweep_disk ## the store on a disk that fails, fills up or loses power
	@$< --every 16 --images 4 --seed $(SEED)
disk-long: $(BUILD)/sweep_disk ## the same, each call and many images of each cut
	@$< --every 1 --images 100 --seed $(SEED)

# Mounts a disk of its own: as root, or as the root of a user namespace.
sweep-full-disk: $(DAEMON) $(LEVEL_MAKER) $(BUILD)/http_client ## the daemon on disks of 1.5 to 8 MB that are full
	@$(if $(filter 0,$(shell id -u)),,unshare -rm) scripts/run_http tests/faults/full_disk.bats

# ---- fuzz targets ----
.PHONY: fuzz fuzz_targets sweep-fuzz fuzz-long
fuzz_targets: $(FUZZ:%=$(BUILD)/%)
fuzz: ## the fuzz targets with libFuzzer, as build/fuzz/fuzz_NAME
	@$(MAKE) config=fuzz fuzz_targets
sweep-fuzz: ## each fuzz target over its seeds and a few thousand inputs made of them, under sanitizers
	@$(MAKE) config=sanitize fuzz_targets
	@scripts/sweep_fuzz
fuzz-long: fuzz ## ten million inputs by libFuzzer over all targets: a table, and build/fuzz/long.csv
	@scripts/fuzz_long

# ---- mutants: one place of the code changed at a time, and the tests run against it ----
.PHONY: mutate mutate_programs
COUNT ?= 200
MUTATE_LIBS := $(PROTO_LIBS) $(SERVER_LIBS) $(CORE_LIBS)
MUTATE_OBJECTS := $(SERVER_LIB) $(PROTO) $(CORE) $(LEVELS_LIB)
MUTATE_ALL := $(BUILD)/libnavall.so
$(MUTATE_ALL): $(MUTATE_OBJECTS)
	$(CC) -shared $^ -o $@ $(MUTATE_LIBS)
	@printf '%s\n' $(MUTATE_OBJECTS) | sort -u > $(BUILD)/objects.txt
	@echo '$(MUTATE_LIBS)' > $(BUILD)/libraries.txt
	@echo '$(CC) $(filter-out -g -MMD -MP,$(CFLAGS))' > $(BUILD)/compile.txt
MUTATE_UNIT := $(patsubst $(BUILD)/%,$(BUILD)/linked/%,$(UNIT))
$(BUILD)/linked/navmeshd: $(BUILD)/server/main.o $(MUTATE_ALL)
	@mkdir -p $(@D)
	$(CC) $< -o $@ -L$(BUILD) -lnavall $(MUTATE_LIBS)
$(MUTATE_UNIT): $(BUILD)/linked/%: $(BUILD)/%.o $(MUTATE_ALL)
	@mkdir -p $(@D)
	$(CC) $< -o $@ -L$(BUILD) -lnavall -lcmocka $(MUTATE_LIBS)
mutate_programs: $(MUTATE_UNIT) $(BUILD)/linked/navmeshd
mutate: ## does a test fail when the code is wrong? by hand; SEED=1 COUNT=200
	@$(MAKE) levels http_client
	@$(MAKE) config=mutate mutate_programs
	@scripts/mutate --seed $(SEED) --count $(COUNT)
