#!/bin/sh
# Tests the stand-ins for Stripe and Twilio with the providers' own clients, and checks every request, response and event against
# the providers' schemas.
#
#   TOMBOLA_CONTRACTS=FOLDER scripts/stand-ins/clients/test.sh
#
# FOLDER contains the schemas, which are not ours to copy. Without it there is nothing to check, and the tests are skipped.
set -eu
cd "$(dirname "$0")/../../.."
CLIENTS=scripts/stand-ins/clients

if [ -z "${TOMBOLA_CONTRACTS:-}" ]; then
  echo "test-stand-ins: skipped, TOMBOLA_CONTRACTS does not name the folder with the providers' schemas"
  exit 0
fi

cargo build -p app -p drand-stand-in -p stripe-stand-in -p twilio-stand-in # as `make stand-ins` does, so that nothing is compiled twice
if ! cmp -s $CLIENTS/package-lock.json $CLIENTS/node_modules/.installed; then
  npm --prefix $CLIENTS ci --no-audit --no-fund --loglevel=error
  cp $CLIENTS/package-lock.json $CLIENTS/node_modules/.installed
fi
PROGRAMS="${CARGO_TARGET_DIR:-target}/debug" exec node --test $CLIENTS/*.test.mjs
