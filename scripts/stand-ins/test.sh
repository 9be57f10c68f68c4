#!/bin/sh
# Tests a stand-in with the provider's own client, and checks every request, response and event against the provider's
# schemas.
#
#   TOMBOLA_CONTRACTS=FOLDER scripts/stand-ins/test.sh stripe|twilio
#
# FOLDER contains the schemas, which are not ours to copy. Without it there is nothing to check, and the test is skipped.
set -eu
cd "$(dirname "$0")/../.."
PROVIDER=$1

if [ -z "${TOMBOLA_CONTRACTS:-}" ]; then
  echo "test-$PROVIDER-stand-in: skipped, TOMBOLA_CONTRACTS does not name the folder with the provider's schemas"
  exit 0
fi

cargo build -p app -p stripe-stand-in -p twilio-stand-in # as `make stand-ins` does, so that nothing is compiled twice
CLIENT=scripts/stand-ins/$PROVIDER-client
if ! cmp -s "$CLIENT/package-lock.json" "$CLIENT/node_modules/.installed"; then
  npm --prefix "$CLIENT" ci --no-audit --no-fund --loglevel=error
  cp "$CLIENT/package-lock.json" "$CLIENT/node_modules/.installed"
fi
STAND_IN="${CARGO_TARGET_DIR:-target}/debug/$PROVIDER-stand-in" exec node --test "$CLIENT"/*.test.mjs
