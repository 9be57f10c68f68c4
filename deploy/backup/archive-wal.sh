#!/bin/sh
# PostgreSQL's archive_command: keeps a finished segment of the write-ahead log.
#
#   archive_command = '/usr/local/lib/tombola/archive-wal.sh %p %f /var/backups/tombola/wal'
#
# A segment is there completely or not at all, also after a crash, and another one with the same name is never replaced.
set -eu
SEGMENT=$1 NAME=$2 ARCHIVE=$3

mkdir -p "$ARCHIVE"
if [ -e "$ARCHIVE/$NAME" ]; then
  cmp -s "$SEGMENT" "$ARCHIVE/$NAME" && exit 0     # archived already; PostgreSQL asks again after a crash
  echo "archive-wal: $ARCHIVE/$NAME exists and differs; is another database archived there?" >&2
  exit 1
fi
cp "$SEGMENT" "$ARCHIVE/.$NAME.new"
sync "$ARCHIVE/.$NAME.new"
mv "$ARCHIVE/.$NAME.new" "$ARCHIVE/$NAME"
sync "$ARCHIVE"
