#!/bin/sh
# Runs targets of the Makefile one after the other, and prints in the end how long each of them took.
#
#   MAKE=make scripts/phases.sh TARGET...
#
# After a failure the rest runs only with `make -k`. The exit status tells whether all passed.
set -u

began=$(date +%s) times='' failed=''
for target in "$@"; do
  start=$(date +%s)
  result=''
  "${MAKE:-make}" --no-print-directory "$target" || { result=' FAILED'; failed="$failed $target"; }
  times="$times$(printf '%6d s  %s%s' $(($(date +%s) - start)) "$target" "$result")
"
  # The first word of MAKEFLAGS has the options of one letter.
  case $failed,${MAKEFLAGS%% *} in ,* | *,*k*) ;; *) break ;; esac
done
printf '\n%s%6d s  altogether\n' "$times" $(($(date +%s) - began))
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
