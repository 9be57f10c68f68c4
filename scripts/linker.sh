#!/bin/sh
# The linker of optimized builds (scripts/optimized.toml). It places the functions that a start of the server calls next to each
# other. Linux maps the 64 KB around each page that is touched, so an idle server then has little of its code in memory instead
# of half (docs/benchmarks.md, Memory and start).
#
# FUNCTION_ORDER, by default crates/app/function-order.gz, has their names, one on each line; scripts/function-order.mjs
# writes it. The names have no hashes of crates, so they stay the same with other versions and features. A name that no function
# has is skipped, so an old list costs memory and nothing else.
#
# KEEP_SYMBOLS=1 keeps the functions' names in the program.
set -eu

HERE=$(dirname "$0")
LIST=${FUNCTION_ORDER:-$HERE/../crates/app/function-order.gz}

output='' with_lld=no previous=''
for argument in "$@"; do
  case $previous in -o) output=$argument ;; esac
  case $argument in -fuse-ld=lld) with_lld=yes ;; esac
  previous=$argument
done
# Build scripts and procedural macros are linked as usual, and so is everything where the compiler does not use lld.
case $with_lld:$output in
  yes:*/release/deps/tombola-*) ;;
  *) exec cc "$@" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every symbol of the objects.
for argument in "$@"; do
  case $argument in *.o | *.rlib) nm --defined-only "$argument" 2>/dev/null ;; esac
done | awk 'NF == 3 { print $3 }' | sort -u >"$work/symbols"

# The symbols of the functions in the list, in the list's order.
"$HERE/function-names.sh" <"$work/symbols" >"$work/names"
gzip -dc "$LIST" >"$work/list"
paste "$work/symbols" "$work/names" | awk -F '\t' '
  NR == FNR { position[$0] = NR; next }
  $2 in position { print position[$2] "\t" $1 }
' "$work/list" - | sort -n | cut -f 2 >"$work/order"

# Packed relocations take 30 KB instead of 2 MB. The loader must know them, as that of glibc 2.36 does.
packed=$(getconf GNU_LIBC_VERSION | awk '{ split($2, version, "."); if (version[1] > 2 || version[2] >= 36) print "-Wl,-z,pack-relative-relocs" }')

for argument in "$@"; do
  shift
  case ${KEEP_SYMBOLS:+$argument} in -Wl,--strip-all) ;; *) set -- "$@" "$argument" ;; esac
done
# $packed is one argument or none.
cc "$@" "-Wl,--symbol-ordering-file=$work/order" -Wl,--no-warn-symbol-ordering ${packed:+"$packed"}
