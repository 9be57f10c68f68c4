#!/bin/sh
# Runs benchmarks on a durable PostgreSQL on disk, and prints Markdown for docs/benchmarks.md.
#
#   scripts/lab/bench/run.sh                        all of them
#   scripts/lab/bench/run.sh entering login-flood   some
#   scripts/lab/bench/run.sh soak                   an hour at half of the capacity (scripts/lab/soak.mjs); only by its name
#   BENCH_BASELINE=PROGRAM scripts/lab/bench/run.sh baseline
#                                               this build compared with an earlier one
#
# BENCH_SECONDS shortens the rounds. BENCH_VIEWS (dashboard and retention, 10,000,000), BENCH_ENTRANTS (drawing, 10,000,000; lists, 300,000) and
# BENCH_RECIPIENTS (estimate and texts, 1,000,000) and BENCH_SUSPECTS (fraud, erasure, export and people, 1,000,000) set how many rows the database has. BENCH_HUGE=1 measures the
# dashboard with ten times BENCH_VIEWS instead, which takes an hour and 60 GB. Fails if a target is missed.
set -eu
cd "$(dirname "$0")/../../.."

[ $# -gt 0 ] || set -- entering replicas scaling login-flood saturation openapi page-views dashboard drawing lists payments estimate texts fraud verification retention erasure export people
for name in "$@"; do
  case $name in entering | replicas | scaling | login-flood | saturation | openapi | page-views | dashboard | drawing | lists | payments | estimate | texts | fraud | verification | retention | erasure | export | people | baseline | soak) ;; *) echo "bench: no benchmark is called $name" >&2; exit 2 ;; esac
done

# The server as it is released, with the client inside.
make --no-print-directory client >&2
TOMBOLA_EMBED_CLIENT=$PWD/frontend/dist make --no-print-directory RELEASE=1 stand-ins >&2

# Benchmarks of the rig of `make chaos` need what that installs.
case " $* " in *' scaling '*) make --no-print-directory setup-chaos >&2 ;; esac

# PostgreSQL as deploy/kubernetes/base/database.yaml sets it.
SOAK_SETTINGS='-c shared_buffers=512MB -c max_wal_size=2GB'

# Every run creates a new cluster on the disk of the checkout, never in /dev/shm.
PG_DATA_DIR=.data/bench.$$
export PG_DATA_DIR PG_QUIET=1
trap 'rm -rf "$PG_DATA_DIR"' EXIT
trap 'exit 130' INT TERM
failed=
for name in "$@"; do
  case $name in
    # After an hour of load, tables are larger than PostgreSQL's default of shared buffers.
    soak) script=scripts/lab/soak.mjs settings=$SOAK_SETTINGS ;;
    *) script=scripts/lab/bench/$name.mjs settings= ;;
  esac
  PG_SETTINGS=$settings scripts/postgres.sh with --apart -- node "$script" || failed="$failed $name"
done
until [ "$(scripts/postgres.sh status)" = stopped ]; do sleep 0.1; done
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
