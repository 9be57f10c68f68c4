#!/bin/sh
# Restores a database from a base backup and the archived write-ahead log into an empty folder.
#
#   restore.sh FOLDER DATA [TIME]     FOLDER is that of base-backup.sh; DATA becomes PostgreSQL's data folder
#
# TIME is the point to restore to, such as '2026-11-22 21:30:00+00'; without it, everything that was archived. Start PostgreSQL
# on DATA afterwards: it replays the log, stops at the point and then takes writes. Run it as PostgreSQL's user. RESTORE_POINT
# names a point made with pg_create_restore_point instead of a time.
set -eu
FOLDER=$(cd "$1" && pwd) DATA=$2 TIME=${3:-}

die() { echo "restore: $*" >&2; exit 1; }

[ -z "$(ls -A "$DATA" 2>/dev/null)" ] || die "$DATA is not empty; move it away first, it may hold what the archive lacks"

# The newest backup that was complete before the point. Names are times in UTC, and so is this one.
limit=99999999T999999Z
[ -z "$TIME" ] || limit=$(date -u -d "$TIME" +%Y%m%dT%H%M%SZ)
base=
for backup in "$FOLDER"/base/*Z; do
  name=$(basename "$backup")
  if [ -d "$backup" ] && [ "$(printf '%s\n%s\n' "$name" "$limit" | sort | head -n 1)" = "$name" ]; then base=$backup; fi
done
[ -n "$base" ] || die "no base backup in $FOLDER/base is older than ${TIME:-now}"

mkdir -p "$DATA"
chmod 700 "$DATA"
cp -a "$base/." "$DATA/"
{
  echo "restore_command = 'cp \"$FOLDER/wal/%f\" \"%p\"'"
  [ -z "$TIME" ] || echo "recovery_target_time = '$TIME'"
  [ -z "${RESTORE_POINT:-}" ] || echo "recovery_target_name = '$RESTORE_POINT'"
  echo "recovery_target_action = 'promote'"
} >>"$DATA/postgresql.auto.conf"
touch "$DATA/recovery.signal"
echo "restore: $base is in $DATA; start PostgreSQL on it"
