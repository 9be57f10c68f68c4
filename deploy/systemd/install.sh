#!/bin/sh
# Installs or updates Tombola on a Debian machine with systemd and PostgreSQL, as root.
#
#   deploy/systemd/install.sh PROGRAM       PROGRAM is the released program, such as target/dist/tombola
#
# The first time it asks the questions of `tombola init`, and makes a database with two roles: its owner, who migrates it, and
# that of the server, which cannot change logs, the ledger and drawings. It never changes settings or data that exist.
# `systemctl restart tombola` runs a new version.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
PROGRAM=${1:?usage: deploy/systemd/install.sh PROGRAM}
SETTINGS=/etc/tombola/tombola.env

die() { echo "install: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "run it as root"
command -v systemctl >/dev/null || die "this machine has no systemd"
command -v psql >/dev/null || die "install PostgreSQL 14 or newer first (apt-get install postgresql)"
[ -x "$PROGRAM" ] || die "$PROGRAM is not a program; make release builds it"

install -m 755 "$PROGRAM" /usr/local/bin/tombola
install -D -m 755 -t /usr/local/lib/tombola "$HERE"/../backup/*.sh
install -m 644 "$HERE/tombola.sysusers.conf" /etc/sysusers.d/tombola.conf
systemd-sysusers tombola.conf
install -m 644 -t /etc/systemd/system "$HERE"/tombola.service "$HERE"/tombola-migrate.service "$HERE"/tombola-backup.service "$HERE"/tombola-backup.timer
install -d -o postgres -g postgres -m 700 /var/backups/tombola

# The roles have the names of the system's users, so PostgreSQL knows them by the socket and needs no password.
as_postgres() { runuser -u postgres -- psql -qAtX -v ON_ERROR_STOP=1 "$@"; }
for role in tombola tombola_owner; do
  [ "$(as_postgres -c "SELECT 1 FROM pg_roles WHERE rolname = '$role'")" = 1 ] || as_postgres -c "CREATE ROLE $role LOGIN"
done
[ "$(as_postgres -c "SELECT 1 FROM pg_database WHERE datname = 'tombola'")" = 1 ] ||
  as_postgres -c "CREATE DATABASE tombola OWNER tombola_owner ENCODING 'UTF8' TEMPLATE template0"
owner=$(as_postgres -c "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'tombola'")
[ "$owner" = tombola_owner ] ||
  echo "install: the database belongs to the role $owner. docs/operations.md, \"Two database roles\", says how to give it to tombola_owner; do that before the next start." >&2

if [ ! -e "$SETTINGS" ]; then
  install -d -m 700 /etc/tombola
  tombola init --for systemd --output "$SETTINGS"
fi
systemctl daemon-reload
echo "install: done. Start it: systemctl enable --now tombola tombola-backup.timer"
