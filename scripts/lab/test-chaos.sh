#!/bin/sh
# The short form of `make chaos`, as part of `make test`. Where what it runs cannot be installed, it says what is missing and
# why, and is skipped, so that the other tests run.
#
#   scripts/lab/test-chaos.sh FOLDER     FOLDER contains the programs, such as target/debug
set -eu
cd "$(dirname "$0")/../.."

if ! scripts/setup.sh chaos; then
  echo 'test-chaos: skipped: the faults of make chaos (servers, databases and providers that fail), for the reason above' >&2
  exit 0
fi
# Whoever calls this may want other faults and longer ones from `make chaos`, but not from `make test`.
unset FAULT LONG KEEP
exec node scripts/lab/chaos.mjs "$1"
