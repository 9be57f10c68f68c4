#!/bin/sh
# Tests the stand-in for Stripe with Stripe's own client: see scripts/stand-ins/test.sh.
exec "$(dirname "$0")/test.sh" stripe
