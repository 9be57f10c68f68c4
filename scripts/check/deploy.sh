#!/bin/sh
# Checks the files of deploy/ and the Dockerfile, with the tools that are installed; says what it skipped. `scripts/setup.sh
# deploy` installs the tools on Debian.
#
#   scripts/check/deploy.sh         lint every file
#   scripts/check/deploy.sh all     also build and run the image, and restore a lost database (needs make release)
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/target/python/bin:$PATH
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

failed=
fail() { echo "check-deploy: $1" >&2; failed=1; }
skip() { echo "check-deploy: skipped $1, because $2"; }
good() { echo "check-deploy: $1"; }
have() { command -v "$1" >/dev/null 2>&1; }

# Settings as `tombola init` writes them, but no secrets.
settings() { printf 'SITE_DOMAIN=raffle.example.org\nPOSTGRES_PASSWORD=%064d\nSERVER_DATABASE_PASSWORD=%064d\nSECRET_KEY=%064d\n' 1 2 3; }

check_dockerfile() {
  have hadolint || { skip Dockerfile 'hadolint is not installed'; return; }
  if hadolint Dockerfile; then good 'hadolint: Dockerfile'; else fail 'hadolint found problems in Dockerfile'; fi
}

check_compose() {
  if have docker-compose; then compose=docker-compose
  elif docker compose version >/dev/null 2>&1; then compose='docker compose'
  else skip compose.yaml 'Docker Compose is not installed'; return; fi
  cp deploy/compose.yaml "$WORK/"
  # shellcheck disable=SC2086  # two words
  if $compose -f "$WORK/compose.yaml" config -q 2>/dev/null; then fail 'compose.yaml is valid without .env, so it would start'; fi
  settings >"$WORK/.env"
  # shellcheck disable=SC2086
  if $compose -f "$WORK/compose.yaml" config -q; then good "$compose config: compose.yaml, and nothing starts without .env"
  else fail 'compose.yaml is not valid'; fi
}

check_caddyfile() {
  have caddy || { skip Caddyfile 'caddy is not installed'; return; }
  if SITE_DOMAIN=raffle.example.org XDG_DATA_HOME=$WORK XDG_CONFIG_HOME=$WORK caddy validate --adapter caddyfile --config deploy/Caddyfile >"$WORK/caddy" 2>&1; then
    good 'caddy validate: Caddyfile'
  else
    cat "$WORK/caddy" >&2; fail 'Caddyfile is not valid'
  fi
}

check_kubernetes() {
  have kubectl || { skip deploy/kubernetes 'kubectl is not installed'; return; }
  cp -R deploy/kubernetes "$WORK/"
  overlay=$WORK/kubernetes/overlays/production
  if kubectl kustomize "$overlay" >/dev/null 2>&1; then fail 'the overlay is valid without .env'; fi
  settings >"$overlay/.env"
  kubectl kustomize "$overlay" >"$WORK/all.yaml" || { fail 'kubectl kustomize failed'; return; }
  good "kubectl kustomize: $(grep -c '^kind:' "$WORK/all.yaml") objects, and none without .env"
  have kubernetes-validate || { skip 'the schemas of Kubernetes' 'kubernetes-validate is not installed'; return; }
  if kubernetes-validate --strict "$WORK/all.yaml" >"$WORK/validated" 2>&1; then
    good "kubernetes-validate: $(grep -c 'passed' "$WORK/validated") objects"
    skip 'the schemas of Cluster, ScheduledBackup and ObjectStore' 'they belong to operators, and kubernetes-validate has no schemas of these'
  else
    cat "$WORK/validated" >&2; fail 'an object of Kubernetes is not valid'
  fi
}

check_systemd() {
  have systemd-analyze || { skip deploy/systemd 'systemd is not installed'; return; }
  units=$WORK/units
  mkdir "$units"
  # The programs are not installed on this machine, so copies of the units name others.
  for unit in deploy/systemd/*.service deploy/systemd/*.timer; do
    sed "s#^ExecStart=/[^ ]*#ExecStart=$(command -v true)#" "$unit" >"$units/$(basename "$unit")"
  done
  for unit in "$units"/*; do
    systemd-analyze --man=no verify "$unit" 2>&1 | grep "$(basename "$unit")" >"$WORK/verify" || :
    if [ -s "$WORK/verify" ]; then cat "$WORK/verify" >&2; fail "systemd-analyze verify found problems in $(basename "$unit")"
    else good "systemd-analyze verify: $(basename "$unit")"; fi
  done
  # The threshold is ten times the exposure that systemd prints: 0 is safe, 10 is not.
  if systemd-analyze --offline=true --threshold=15 security "$units/tombola.service" >"$WORK/security" 2>&1; then
    good "systemd-analyze security: $(tail -n 1 "$WORK/security" | sed 's/^[^A-Za-z]*//')"
  else
    tail -n 40 "$WORK/security" >&2; fail 'tombola.service is exposed more than 1.5'
  fi
}

check_monitoring() {
  node scripts/check/metrics.mjs || failed=1
  have promtool || { skip 'the syntax of alerts.yaml' 'promtool (Debian: prometheus) is not installed'; return; }
  if promtool check rules deploy/monitoring/alerts.yaml >"$WORK/rules" 2>&1; then
    good "promtool: $(grep -o '[0-9]* rules' "$WORK/rules") in alerts.yaml"
  else
    cat "$WORK/rules" >&2; fail 'alerts.yaml is not valid'
  fi
}

check_dockerfile
check_compose
check_caddyfile
check_kubernetes
check_systemd
check_monitoring
if [ "${1:-}" = all ]; then
  node scripts/check/image.mjs target/dist/tombola || failed=1
  node scripts/lab/restore-drill.mjs target/dist/tombola || failed=1
fi
[ -z "$failed" ] || exit 1
