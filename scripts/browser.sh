#!/bin/sh
# Prints the path of a browser: CHROMIUM_PATH or FIREFOX_PATH, else the first one that is installed. Exit status 1 without one.
#
#   scripts/browser.sh chromium|firefox
set -eu

case ${1:-} in
  chromium) given=${CHROMIUM_PATH:-} names='chromium chromium-browser google-chrome google-chrome-stable' app='Google Chrome.app/Contents/MacOS/Google Chrome' ;;
  firefox) given=${FIREFOX_PATH:-} names='firefox-esr firefox' app='Firefox.app/Contents/MacOS/firefox' ;;
  *) echo 'usage: scripts/browser.sh chromium|firefox' >&2; exit 2 ;;
esac
[ -z "$given" ] || { echo "$given"; exit; }
for name in $names; do ! command -v "$name" || exit 0; done
[ -x "/Applications/$app" ] && echo "/Applications/$app"
