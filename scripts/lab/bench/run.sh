#!/bin/sh
# Runs benchmarks on a durable PostgreSQL on disk, and prints Markdown for docs/benchmarks.md: see scripts/lab/README.md.
#
#   scripts/lab/bench/run.sh                     all of them
#   scripts/lab/bench/run.sh entering payments   some
#   BENCH_BASELINE=PROGRAM scripts/lab/bench/run.sh baseline
#                                                this build compared with an earlier one
#   scripts/lab/bench/run.sh soak                an hour at half of the capacity (scripts/lab/soak.mjs); only by its name
#
# Fails if a target is missed.
set -eu
cd "$(dirname "$0")/../../.."

[ $# -gt 0 ] || set -- entering page-views dashboard drawing payments raffles
for name in "$@"; do
  case $name in
    entering | page-views | dashboard | drawing | payments | raffles | baseline | soak) ;;
    *) echo "bench: no benchmark is called $name" >&2; exit 2 ;;
  esac
done

# The server as it is released, with the client inside.
make --no-print-directory client >&2
TOMBOLA_EMBED_CLIENT=$PWD/frontend/dist make --no-print-directory RELEASE=1 stand-ins >&2

# PostgreSQL as deploy/kubernetes/base/database.yaml sets it: after an hour of load, tables are larger than its default of shared buffers.
SOAK_SETTINGS='-c shared_buffers=512MB -c max_wal_size=2GB'

# Every run creates a new cluster on the disk of the checkout, never in /dev/shm.
PG_DATA_DIR=.data/bench.$$
export PG_DATA_DIR PG_QUIET=1
trap 'rm -rf "$PG_DATA_DIR"' EXIT
trap 'exit 130' INT TERM
failed=
for name in "$@"; do
  case $name in
    soak) script=scripts/lab/soak.mjs settings=$SOAK_SETTINGS ;;
    *) script=scripts/lab/bench/$name.mjs settings= ;;
  esac
  PG_SETTINGS=$settings scripts/postgres.sh with --apart -- node "$script" || failed="$failed $name"
done
until [ "$(scripts/postgres.sh status)" = stopped ]; do sleep 0.1; done
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
