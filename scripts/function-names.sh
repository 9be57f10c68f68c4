#!/bin/sh
# Translates the symbols on stdin, one on each line, to names of functions, without the hashes of their crates.
set -eu
c++filt | sed -E 's/\[[0-9a-f]{8,16}\]//g'
