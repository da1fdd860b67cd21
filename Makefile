# `make demo` and `make test` work on a fresh clone with nothing but git, make and a Rust toolchain.
# rustup puts cargo here, and into PATH only at the next login.
export PATH := $(PATH):$(HOME)/.cargo/bin

engine := target/release/couloir
project := sample_projects/valley/project.yaml
run := demo/valley

# Seconds `make fuzz` spends on each of its targets, how often it then calls the program, and where its random numbers begin.
FUZZ_SECONDS ?= 600
FUZZ_CASES ?= 10000
FUZZ_SEED ?= $(shell date +%s)

.PHONY: help demo test build dist dist-smoke bench fuzz soak cluster samples kernel plugin clean

help:
	@echo 'make demo      build the engine, simulate the sample valley, say where the maps are'
	@echo 'make test      format check, lints, all tests'
	@echo 'make build     build the engine only ($(engine))'
	@echo 'make dist      everything that is released, in dist/: an engine that needs nothing, as archive, .deb and wheel; the plugin'
	@echo 'make dist-smoke  (as root) try these packages in bare Debian 11, 12 and 13 systems, against the engine of make build'
	@echo 'make bench     measure the speed beside the recorded numbers (RECORD=1 records new ones; about 15 minutes)'
	@echo 'make fuzz      read mutated inputs for hours (FUZZ_SECONDS=$(FUZZ_SECONDS) for each target, FUZZ_SEED=…)'
	@echo 'make soak      kill, stop, fill the disk and flip bits at random for an hour (MINUTES=5 for less)'
	@echo 'make cluster   parts on Snakemake, Dask and Slurm for real, some of them killed, against one run; results to an object store (CELLS=… PARTS=… HILLS=… ROCKS=…)'
	@echo 'make samples   regenerate the sample projects from their generator'
	@echo 'make kernel    build the simulation alone, without GDAL (feature gis off)'
	@echo 'make plugin    build the QGIS plugin (build/couloir.zip) and check it against the rules of the plugin repository'
	@echo 'make clean     remove everything that was built (results of the demo stay)'

demo: build
	@scripts/demo.sh $(engine) $(project) $(run)

build:
	@scripts/setup.sh build
	@cargo build --release --locked

test:
	@scripts/setup.sh test
	@scripts/setup.sh plugin
	@scripts/setup.sh page
	cargo fmt --all -- --check
	cargo clippy --locked --all-targets -- -D warnings
	@$(MAKE) --no-print-directory kernel
	cargo test --locked --no-fail-fast
	scripts/plugin.sh test
	scripts/plugin.sh build

# GDAL and PROJ are compiled in: some 15 minutes on two cores the first time.
dist:
	@scripts/setup.sh dist
	python3 scripts/dist.py

# Roots are made by debootstrap in build/roots and kept.
dist-smoke: build
	@scripts/setup.sh smoke
	python3 scripts/smoke_dist.py --reference $(engine)

bench:
	@scripts/bench.sh $(if $(RECORD),record)

fuzz:
	@scripts/setup.sh build
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=$(FUZZ_SEED) cargo test --release --locked --test fuzz -- --nocapture
	cargo build --release --locked
	scripts/fuzz_program.py $(engine) --cases $(FUZZ_CASES) --seed $(FUZZ_SEED)

soak: build
	@scripts/soak.py $(engine) --minutes $(or $(MINUTES),60)

# Installs Slurm (as root, on Debian) and Python packages from PyPI; what cannot be had is skipped with a printed reason.
cluster: build
	-@scripts/setup.sh cluster
	/usr/bin/python3 tests/cluster/run.py $(engine) $(if $(CELLS),--cells $(CELLS)) $(if $(PARTS),--parts $(PARTS)) $(if $(HILLS),--hills $(HILLS)) \
	  $(if $(ROCKS),--rocks $(ROCKS))
	/usr/bin/python3 tests/cluster/store.py $(engine)

# The simulation alone, as on a machine where pkg-config finds neither GDAL nor PROJ.
kernel:
	PKG_CONFIG=false cargo clippy --locked --no-default-features --lib --examples -- -D warnings
	PKG_CONFIG=false cargo run --locked --no-default-features --example one_rock

plugin:
	@scripts/setup.sh plugin
	scripts/plugin.sh build

samples:
	@scripts/setup.sh build
	cargo run --release --locked --example make_samples

clean:
	rm -rf target build
