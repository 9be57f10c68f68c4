#!/bin/sh
# Builds what a release consists of into target/dist: the program with the client inside, bills of materials and checksums.
#
#   scripts/release.sh [ARCHITECTURE]     amd64 or arm64; without it, that of this machine
set -eu
cd "$(dirname "$0")/.."
DIST=target/dist ARCHITECTURE=${1:-}
VERSION=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)

rm -rf "$DIST"
mkdir -p "$DIST"
scripts/cross.sh build "$ARCHITECTURE" "$DIST/tombola"
node scripts/sbom.mjs >/dev/null
cp target/sbom/*.cdx.json "$DIST/"
(cd "$DIST" && if command -v sha256sum >/dev/null; then sha256sum -- *; else shasum -a 256 -- *; fi >SHA256SUMS)
echo "release: Tombola $VERSION in $DIST"
ls -l "$DIST"
