#!/bin/sh
# Tests scripts/postgres.sh with real servers, which some tests kill. Each test has its own checkout in a temporary folder.
#
#   scripts/check/postgres.sh
#
# As root it first runs all tests as an ordinary user, and then the tests that differ for root. The last line counts them.
# shellcheck disable=SC2016,SC2317  # single quotes keep $ for the inner shell; tests are called by name
set -eu
cd "$(dirname "$0")/../.."
unset DATABASE_URL MIGRATION_DATABASE_URL TEST_DATABASE_URL TEST_MIGRATION_DATABASE_URL PG_DATA_DIR PG_BIN PG_NO_SYSTEM PG_RUN_AS PG_SETTINGS
export PG_QUIET=1

passed=0 failed=0
free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')       # in memory if it has room, because the tests create many clusters
[ "${free:-0}" -gt 2097152 ] && [ -w /dev/shm ] && TEMP=/dev/shm || TEMP=/tmp
WORK=$(mktemp -d "$TEMP"/tombola-test.XXXXXX)
chmod 755 "$WORK"
trap 'rm -rf "$WORK"' EXIT
QUERY=${QUERY:-$WORK/query.cjs}

# ---- helpers ----
checkout() {                                   # FOLDER: create the part of a checkout that postgres.sh needs
  mkdir -p "$1"
  cp -R scripts "$1/"
  rm -rf "$1/scripts/postgres/node_modules"
  CHECKOUT=$1 STATE=$1/.data/postgres PG=$1/scripts/postgres.sh
}
until_true() {                                 # COMMAND...: wait until it succeeds, at least half a minute
  tries=0
  until "$@"; do tries=$((tries + 1)); [ $tries -lt 600 ] || { echo "    never succeeded: $*"; return 1; }; sleep 0.05; done
}
same() { [ "$2" = "$3" ] || { echo "    $1: expected '$2', got '$3'"; return 1; }; }      # WHAT EXPECTED ACTUAL
exists() { [ -e "$1" ]; }
gone() { ! exists "$1"; }
up() { "$PG" status "$@" >/dev/null; }
stopped() { ! up "$@"; }
dead() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }
postmaster() { sed -n 1p "$STATE/data/postmaster.pid"; }
under_way() { exists "$STATE/data" || for folder in "$STATE"/new.*; do exists "$folder/global" && return; done; }

ask() { "$PG" with -- node "$QUERY" "$1"; }       # SQL: with the npm client, because the packaged PostgreSQL has no psql
not() { ! "$@"; }                              # unlike a bare !, this fails the test

# ---- tests ----
# Each test runs in a subshell with set -e and its own checkout. Afterwards $user is killed, and the server must stop.
durable() {
  same 'fsync, synchronous_commit, full_page_writes' 'on on on' \
    "$(ask "select current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')")"
}
keeps_data() {
  ask 'create table kept as select 42 as n'
  until_true stopped
  same 'the row' 42 "$(ask 'select n from kept')"
}
further_settings() {
  for kind in '' --test; do
    same "shared_buffers and work_mem $kind" '48MB 5MB' "$(PG_SETTINGS='-c shared_buffers=48MB -c work_mem=5MB' \
      "$PG" with $kind -- node "$QUERY" "select current_setting('shared_buffers'), current_setting('work_mem')")"
    until_true stopped $kind
  done
}
passes_on() {
  status=0
  output=$(echo input | "$PG" with -- sh -c 'cat; echo "$1"; exit 7' _ 'two words') || status=$?
  same 'exit status' 7 $status
  same output "$(printf 'input\ntwo words')" "$output"
}
use() { "$PG" with -- tail -f /dev/null & user=$!; until_true up; }
stops_after_kill() {
  use
  kill -9 $user
  until_true stopped
}
stays_for_others() {
  use
  started=$(ask 'select pg_postmaster_start_time()')
  same 'the server' "$started" "$(ask 'select pg_postmaster_start_time()')"
}
starts_at_once() {                             # all users stay until all have asked, so that the server does not stop in between
  touch "$CHECKOUT/asking"
  for i in 1 2 3 4; do
    "$PG" with -- sh -c 'node "$1" "select pg_postmaster_start_time()" >"$2.part"; mv "$2.part" "$2"; while [ -e "$3" ]; do sleep 0.05; done' \
      _ "$QUERY" "$CHECKOUT/answer.$i" "$CHECKOUT/asking" &
  done
  for i in 1 2 3 4; do until_true exists "$CHECKOUT/answer.$i"; done
  rm "$CHECKOUT/asking"
  wait
  same 'servers' 1 "$(sort -u "$CHECKOUT"/answer.? | wc -l | tr -d ' ')"
}
survives_kill() {                              # and another program of the same user now has its PID
  use
  ask 'create table kept as select 42 as n'
  killed=$(postmaster)
  kill -9 "$killed"
  until_true dead "$killed"
  sed "1s/.*/$user/" "$STATE/data/postmaster.pid" >"$CHECKOUT/pid"
  cat "$CHECKOUT/pid" >"$STATE/data/postmaster.pid"
  same 'the row' 42 "$(ask 'select n from kept')"
}
# Kills the start while initdb runs, and also initdb if requested. Tries again if initdb was faster.
interrupted() {                                # [initdb]
  tries=0
  while tries=$((tries + 1)); [ $tries -le 20 ]; do
    "$PG" with -- true & starter=$!
    until_true under_way
    kill -9 $starter 2>/dev/null || :
    [ "${1:-}" != initdb ] || pkill -9 -f "initdb -D $STATE/new" || :
    exists "$STATE/data" || return 0
    until_true stopped
    rm -rf "$CHECKOUT/.data"
  done
  return 1
}
survives_initdb_kill() {
  interrupted initdb
  same 'the answer' 42 "$(ask 'select 42')"
}
survives_starter_kill() {                      # initdb continues: the next start waits for it and then starts over
  interrupted
  same 'the answer' 42 "$(ask 'select 42')"
  same 'left-over folders' '' "$(find "$STATE" -name 'new.*')"
}
survives_removed_data() {
  use
  old=$(postmaster)
  rm -rf "$CHECKOUT/.data"
  same 'the answer' 42 "$(ask 'select 42')"
  dead "$old"
}
clusters_apart() {
  use
  first=$(postmaster)
  same 'the other cluster' /demo/data "$(PG_DATA_DIR=.data/demo ask "select regexp_replace(current_setting('data_directory'), '.*/\.data', '')")"
  (export PG_DATA_DIR=.data/demo; until_true stopped; tidy)
  not dead "$first"
}
test_cluster_goes() {
  "$PG" with --test -- node "$QUERY" "select current_setting('fsync'), current_setting('data_directory')" >"$CHECKOUT/out"
  read -r fsync data <"$CHECKOUT/out"
  same fsync off "$fsync"
  until_true stopped --test
  until_true gone "${data%/data}"
}
two_roles() {
  same 'the owner' tombola "$(ask 'select current_user')"
  same 'the role' tombola_server "$(AS=DATABASE_URL ask 'select current_user')"
}
given_url_wins() (
  export DATABASE_URL=postgresql://mine
  same run postgresql://mine "$("$PG" with -- printenv DATABASE_URL)"
  same test postgresql://mine "$("$PG" with --test -- printenv DATABASE_URL)"
  export TEST_DATABASE_URL=postgresql://tests
  same run postgresql://mine "$("$PG" with -- printenv DATABASE_URL)"
  same test postgresql://tests "$("$PG" with --test -- printenv DATABASE_URL)"
  export MIGRATION_DATABASE_URL=postgresql://owner
  same 'the owner' postgresql://owner "$("$PG" with -- printenv MIGRATION_DATABASE_URL)"
  same 'no owner of another server' '' "$("$PG" with --test -- printenv MIGRATION_DATABASE_URL || :)"
  same files scripts "$(ls -A "$CHECKOUT")"
)
apart_wins() {                                 # for commands that must never touch real data
  echo DATABASE_URL=postgresql://from-file >"$CHECKOUT/.env"
  url=$(DATABASE_URL=postgresql://mine MIGRATION_DATABASE_URL=postgresql://mine "$PG" with --apart -- printenv MIGRATION_DATABASE_URL)
  rm "$CHECKOUT/.env"
  same 'the URL' "$("$PG" url)" "$url"
}
url_in_settings_wins() {
  echo 'DATABASE_URL="postgresql://from-file"' >"$CHECKOUT/.env"
  same run postgresql://from-file "$("$PG" url)"
  same 'from the environment' postgresql://mine "$(DATABASE_URL=postgresql://mine "$PG" url)"
  not same test postgresql://from-file "$("$PG" url --test)"
  rm "$CHECKOUT/.env"
}
answered() { printf '%s\n' "$1" | script -qec "$PG reset" /dev/null; }      # ANSWER: on a terminal
resets_after_asking() {
  use
  ask 'create table kept as select 42 as n'
  not answered yes                             # somebody uses the server
  kill $user; user=
  until_true stopped
  not "$PG" reset </dev/null
  not env DATABASE_URL=postgresql://mine "$PG" reset
  not answered no
  same 'the row' 42 "$(ask 'select n from kept')"
  until_true stopped
  answered yes
  gone "$STATE/data"
  "$PG" reset </dev/null                       # nothing is left to delete
  same 'tables' 0 "$(ask "select count(*) from pg_tables where tablename = 'kept'")"
}
long_path() {
  checkout "$CHECKOUT/$(printf '%0140d' 0 | sed 's/.\{35\}/&\//g')"
  same 'the answer' 42 "$(ask 'select 42')"
}
no_system() {                                  # neither PostgreSQL nor the npm package is installed
  PG_NO_SYSTEM=1 ask "select current_setting('server_version_num')::int / 10000" >"$CHECKOUT/out"
  same 'major version' 17 "$(cat "$CHECKOUT/out")"
  case $(cat "$STATE/bindir") in "$CHECKOUT"/*) ;; *) echo "    expected binaries in $CHECKOUT"; return 1 ;; esac
}
no_flock() {                                   # as on macOS, where perl locks instead
  mkdir "$CHECKOUT/bin"
  printf '#!/bin/sh\nexit 127\n' >"$CHECKOUT/bin/flock"
  chmod +x "$CHECKOUT/bin/flock"
  PATH=$CHECKOUT/bin:$PATH
  starts_at_once
}
not_root() {
  use
  not same "the server's user" root "$(stat -c %U "/proc/$(postmaster)")"
}
closed_folder() {                              # the server's user can access neither the data folder nor the binaries
  mkdir -m 700 "$CHECKOUT/closed"
  checkout "$CHECKOUT/closed/checkout"
  PG_NO_SYSTEM=1 ask "select current_setting('data_directory')" >"$CHECKOUT/out"
  until_true stopped
  data=$(cat "$CHECKOUT/out")
  case $data in /var/lib/*/data) rm -rf "${data%/data}" ;; *) echo "    unexpected data folder: $data"; return 1 ;; esac
}

# ---- run them ----
tidy() { for kind in '' --test; do url=$("$PG" url $kind); rm -rf "${url#*host=}"; done; }
leave() { [ -z "$user" ] || kill "$user" 2>/dev/null || :; }
t() {                                          # TEST SENTENCE...
  name=$1; shift
  checkout "$WORK/$name"
  set +e
  (set -e; user=; trap leave EXIT; "$name"; leave; until_true stopped; tidy) >"$WORK/output" 2>&1
  status=$?
  set -e
  if [ $status = 0 ]; then
    passed=$((passed + 1)); echo "ok   $(id -un): $*"
    rm -rf "${WORK:?}/$name"
  else
    failed=$((failed + 1)); echo "FAIL $(id -un): $*"; cat "$WORK/output"; tail -5 "$STATE/server.log" 2>/dev/null || :
  fi
}
any_user() {
  t durable 'the run cluster writes durably'
  t survives_kill 'after kill -9 of the server the next start finds the data'
  t survives_initdb_kill 'after kill -9 of initdb the next start creates the cluster'
  t no_system 'a machine without PostgreSQL uses the npm package'
  t test_cluster_goes 'the test cluster does not sync, and is removed after its last user'
}
ordinary_user() {
  any_user
  t further_settings 'PG_SETTINGS are settings of the server'
  t keeps_data 'data is kept between starts'
  t passes_on 'input, output, arguments and exit status are passed on'
  t stops_after_kill 'the server stops after its last user, even if that was killed'
  t stays_for_others 'the server runs while it has users'
  t starts_at_once 'four concurrent starts share one server'
  t no_flock 'four concurrent starts share one server without flock'
  t survives_starter_kill 'after kill -9 of a start that runs initdb the next start creates the cluster'
  t survives_removed_data 'a server whose data was removed is replaced'
  t clusters_apart 'clusters in two folders are separate'
  t two_roles 'there are an owner of the tables and a role of the server'
  t given_url_wins 'DATABASE_URL is used, TEST_DATABASE_URL is used for tests, and no server is started'
  t apart_wins 'with --apart DATABASE_URL is ignored'
  t url_in_settings_wins 'DATABASE_URL in .env is used for run, never for tests'
  t resets_after_asking 'reset deletes the data of a server that nobody uses, after asking on a terminal'
  t long_path 'a checkout path of 140 characters works'
}
root() {
  any_user
  t not_root 'the server does not run as root'
  t closed_folder 'a checkout that the server cannot enter works'
}
as_nobody() {                                  # run this script from a copy that an ordinary user owns
  mkdir "$WORK/nobody" "$WORK/nobody/home"
  cp -R scripts "$WORK/nobody/"
  rm -rf "$WORK/nobody/scripts/postgres/node_modules"
  chown -R nobody "$WORK/nobody"
  setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- \
    env HOME="$WORK/nobody/home" QUERY="$QUERY" "$WORK/nobody/scripts/check/postgres.sh" | tee "$WORK/nobody.out" | sed '/^[0-9]* passed, /d'
  read -r more_passed _ more_failed _ <<EOF
$(tail -1 "$WORK/nobody.out")
EOF
  passed=$((passed + more_passed)) failed=$((failed + more_failed))
}

if [ ! -e "$QUERY" ]; then                     # install the client once for all checkouts
  mkdir "$WORK/client"
  cp scripts/postgres/package.json scripts/postgres/package-lock.json scripts/postgres/.npmrc "$WORK/client/"
  npm --prefix "$WORK/client" ci --omit=optional --no-audit --no-fund --loglevel=error
  cat >"$QUERY" <<JS
const { Client } = require('$WORK/client/node_modules/pg');
const client = new Client(process.env[process.env.AS ?? 'MIGRATION_DATABASE_URL']);
client.connect()
  .then(() => client.query({ text: process.argv[2], rowMode: 'array' }))
  .then(({ rows }) => console.log(rows.map((row) => row.map(String).join(' ')).join('\n')))
  .then(() => client.end());
JS
fi

if [ "$(id -u)" = 0 ]; then as_nobody; root; else ordinary_user; fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
