#!/bin/sh
# Tests the stand-in for Stripe with Stripe's own client: see scripts/test-stand-in.sh.
exec "$(dirname "$0")/test-stand-in.sh" stripe
