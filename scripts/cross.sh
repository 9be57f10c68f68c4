#!/bin/sh
# Builds the released program for one platform, also on a machine of another one. The Dockerfile and `make release` use it.
#
#   scripts/cross.sh install ARCHITECTURE          install the compilers (Debian, as root)
#   scripts/cross.sh build ARCHITECTURE OUTPUT     build the program, with the client in frontend/dist, into OUTPUT
#
# ARCHITECTURE is amd64 or arm64; if it is empty, that of this machine.
set -eu

die() { echo "cross: $*" >&2; exit 1; }

machine() {
  case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) die "cannot build on $(uname -m)" ;;
  esac
}

COMMAND=${1:-}
ARCHITECTURE=${2:-$(machine)}
case $ARCHITECTURE in
  amd64) PREFIX=x86_64-linux-gnu PACKAGE=gcc-x86-64-linux-gnu TARGET=x86_64-unknown-linux-gnu NAME=X86_64_UNKNOWN_LINUX_GNU ;;
  arm64) PREFIX=aarch64-linux-gnu PACKAGE=gcc-aarch64-linux-gnu TARGET=aarch64-unknown-linux-gnu NAME=AARCH64_UNKNOWN_LINUX_GNU ;;
  *) die "no compilers are known for $ARCHITECTURE: use amd64 or arm64" ;;
esac
is_cross() { [ "$ARCHITECTURE" != "$(machine)" ]; }

install() {
  is_cross || return 0
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "$PACKAGE" "libc6-dev-$ARCHITECTURE-cross"
  rustup target add "$TARGET"
}

build() {                                      # OUTPUT
  TOMBOLA_EMBED_CLIENT=$PWD/frontend/dist
  export TOMBOLA_EMBED_CLIENT
  built=target/release/tombola
  if is_cross; then
    export "CARGO_TARGET_${NAME}_LINKER=$PREFIX-gcc"
    built=target/$TARGET/release/tombola
    cargo build --locked --release -p tombola --target "$TARGET"
  else
    cargo build --locked --release -p tombola
  fi
  mkdir -p "$(dirname "$1")"
  cp "$built" "$1"
}

case $COMMAND in
  install) install ;;
  build) build "${3:?OUTPUT is missing}" ;;
  *) sed -n '2,/^# ARCHITECTURE/{s/^# \{0,1\}//;p;}' "$0"; exit 2 ;;
esac
