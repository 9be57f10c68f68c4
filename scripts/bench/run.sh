#!/bin/sh
# Runs benchmarks on a durable PostgreSQL of their own, on disk, and prints Markdown for docs/benchmarks.md.
#
#   scripts/bench/run.sh                        all of them
#   scripts/bench/run.sh entering login-flood   some
#
# For a first look BENCH_SECONDS shortens the rounds, and BENCH_VIEWS (dashboard) and BENCH_ENTRANTS (drawing), 10,000,000
# each, and BENCH_RECIPIENTS (texts, 1,000,000) lessen what is in the database. BENCH_HUGE=1 adds 100 million views to dashboard: it takes an hour or more, and
# 80 GB. Fails when a figure that has to be met is not.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- entering login-flood page-views dashboard drawing payments texts
for name in "$@"; do
  case $name in entering | login-flood | page-views | dashboard | drawing | payments | texts) ;; *) echo "bench: there is no $name" >&2; exit 2 ;; esac
done

make --no-print-directory RELEASE=1 stand-ins client >&2

# Every run makes a new cluster where the run cluster would be: the same disk, never /dev/shm.
PG_DATA_DIR=.data/bench.$$
export PG_DATA_DIR PG_QUIET=1
trap 'rm -rf "$PG_DATA_DIR"' EXIT
trap 'exit 130' INT TERM
failed=
for name in "$@"; do
  scripts/postgres.sh with --apart -- node "scripts/bench/$name.mjs" || failed="$failed $name"
done
until [ "$(scripts/postgres.sh status)" = stopped ]; do sleep 0.1; done
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
