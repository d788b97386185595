#!/usr/bin/env bash
# Builds the container as deploy/Containerfile says, runs it with a read-only root and no rights, and waits until it is well.
set -euo pipefail
cd "$(dirname "$0")/../.."
engine=${ENGINE:-docker}
"$engine" build --file deploy/Containerfile --tag kasta .
id=$("$engine" run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --volume /data kasta)
trap '"$engine" logs "$id"; "$engine" rm --force --volumes "$id" >/dev/null' EXIT
test "$("$engine" exec "$id" id -u)" = 10001
if "$engine" exec "$id" touch /opt/kasta/x; then exit 1; fi
for _ in $(seq 60); do
    state=$("$engine" inspect --format '{{.State.Health.Status}}' "$id")
    test "$state" = healthy && exit 0
    sleep 2
done
echo "the container is $state" >&2
exit 1
