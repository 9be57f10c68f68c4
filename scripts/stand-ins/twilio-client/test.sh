#!/bin/sh
# Tests the stand-in for Twilio with Twilio's own client, and checks every request, response and callback against Twilio's schemas.
# For Stripe the tests of crates/adapters/payments-stripe do that, whose client is not ours either.
#
#   TOMBOLA_CONTRACTS=FOLDER scripts/stand-ins/twilio-client/test.sh
#
# FOLDER contains the schemas, which are not ours to copy. Without it there is nothing to check, and the tests are skipped.
set -eu
cd "$(dirname "$0")/../../.."
CLIENT=scripts/stand-ins/twilio-client

if [ -z "${TOMBOLA_CONTRACTS:-}" ]; then
  echo "test-stand-ins: skipped, TOMBOLA_CONTRACTS does not name the folder with Twilio's schemas"
  exit 0
fi

cargo build -p tombola -p stand-ins # as `make stand-ins` does, so that nothing is compiled twice
if ! cmp -s $CLIENT/package-lock.json $CLIENT/node_modules/.installed; then
  npm --prefix $CLIENT ci --no-audit --no-fund --loglevel=error
  cp $CLIENT/package-lock.json $CLIENT/node_modules/.installed
fi
PROGRAMS="${CARGO_TARGET_DIR:-target}/debug" exec node --test $CLIENT/*.test.mjs
