#!/bin/sh
# Twilio's own client against our stand-in for Twilio, with every request and answer compared with Twilio's types.
#
#   TOMBOLA_CONTRACTS=FOLDER scripts/test-twilio-stand-in.sh
#
# The types are not ours to copy: FOLDER has them. Without it there is nothing to compare with.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${TOMBOLA_CONTRACTS:-}" ]; then
  echo "test-twilio-stand-in: skipped, TOMBOLA_CONTRACTS does not name the folder with Twilio's types"
  exit 0
fi

cargo build -p app -p stripe-stand-in -p twilio-stand-in # as `make stand-ins` does, so that nothing is compiled twice
CLIENT=tools/twilio-client
if ! cmp -s "$CLIENT/package-lock.json" "$CLIENT/node_modules/.installed"; then
  npm --prefix "$CLIENT" ci --no-audit --no-fund --loglevel=error
  cp "$CLIENT/package-lock.json" "$CLIENT/node_modules/.installed"
fi
STAND_IN="${CARGO_TARGET_DIR:-target}/debug/twilio-stand-in" exec node --test "$CLIENT"/*.test.mjs
