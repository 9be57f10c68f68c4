#!/bin/sh
# Runs Rust tests on a temporary PostgreSQL, with cargo-nextest if it is installed.
#
#   scripts/rust-tests.sh build      only builds them
#   scripts/rust-tests.sh default    all but the slow ones
#   scripts/rust-tests.sh slow       only the slow ones, which are in modules called `slow`
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/target/bin:$PATH                     # where scripts/setup.sh puts redis-server

with_nextest() { cargo nextest --version >/dev/null 2>&1; }
without_redis() {
  ! command -v redis-server >/dev/null 2>&1 || return 1
  echo 'rust-tests: skipped: the tests that run a Redis, because redis-server is not installed' >&2
}
with_database() { exec scripts/postgres.sh with --test -- "$@"; }

set -- "${1:-}" --workspace
case $1 in
  build)
    if with_nextest; then exec cargo nextest run "$2" --no-run; fi
    exec cargo test "$2" --lib --bins --tests --no-run ;;
  default | slow)
    profile=$1; shift
    if with_nextest; then
      ! without_redis || set -- "$@" -E 'not test(/(rate_limits|redis_tls)::.*redis/)'
      with_database cargo nextest run "$@" --profile "$profile" --no-fail-fast
    fi
    set -- "$@" --lib --bins --tests --no-fail-fast --
    ! without_redis || set -- "$@" --skip rate_limits:: --skip redis_tls::
    if [ "$profile" = slow ]; then set -- "$@" slow::; else set -- "$@" --skip slow::; fi
    with_database cargo test "$@" ;;
  *) sed -n '2,/^#   .*slow ones, which/{s/^# \{0,1\}//;p;}' "$0"; exit 2 ;;
esac
