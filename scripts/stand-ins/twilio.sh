#!/bin/sh
# Tests the stand-in for Twilio with Twilio's own client: see scripts/stand-ins/test.sh.
exec "$(dirname "$0")/test.sh" twilio
