#!/bin/sh
# Makes a base backup while the database runs, verifies it, and deletes old ones.
#
#   base-backup.sh FOLDER       the backup is FOLDER/base/TIME; its write-ahead log is in FOLDER/wal (archive-wal.sh)
#
# PGHOST, PGUSER and PGPASSWORD say how to connect; the role needs REPLICATION. KEEP backups are kept (7), and the log since
# the oldest of them.
set -eu
FOLDER=$1 KEEP=${KEEP:-7}

NEW=$FOLDER/base/$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$FOLDER/base"
trap 'rm -rf "$NEW.part"' EXIT
pg_basebackup --pgdata="$NEW.part" --checkpoint=fast --wal-method=stream --no-password
pg_verifybackup --quiet "$NEW.part"
mv "$NEW.part" "$NEW"
trap - EXIT

list() { find "$FOLDER/base" -mindepth 1 -maxdepth 1 -type d -name '*Z' | sort; }
for old in $(list | head -n "-$KEEP"); do rm -rf "$old"; done

# The label names the first segment that a restore of the oldest backup reads.
oldest=$(list | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
[ ! -d "$FOLDER/wal" ] || pg_archivecleanup "$FOLDER/wal" "$first"
echo "base-backup: $NEW"
