#!/bin/sh
# The main job on a real repository: an agent's "done" that is none, then the same work done honestly.
# Usage: demo.sh [BACKCHECK]   (the command to run; default: backcheck)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
backcheck=${1:-backcheck}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit() { git -C "$work/repo" add -A && git -C "$work/repo" -c user.name=demo -c user.email=demo@example.invalid commit -qm "$1"; }
show() { printf '\n%s\n%s\n\n' "$1" "----------------------------------------------------------------"; }
expect() { wanted=$1; shift; code=0; "$@" || code=$?; [ "$code" = "$wanted" ] || { echo "demo: exit $code, expected $wanted"; exit 1; }; }

git init -q "$work/repo"
cp -R "$here/.backcheck" "$here/src" "$here/tests" "$here/config" "$here/docs" "$work/repo/"
printf '__pycache__/\n' > "$work/repo/.gitignore"
# Before the work: the limiter does not drop its cache yet.
python3 - "$work/repo/src/limiter/limiter.py" <<'P'
import pathlib, sys
path = pathlib.Path(sys.argv[1])
path.write_text(path.read_text().replace("        self.cache.pop(client, None)\n", ""))
P
commit "Before the work"
base=$(git -C "$work/repo" rev-parse HEAD)

show "1. The agent says: \"All done, every test passes.\" It deleted the test that failed."
python3 - "$work/repo/tests/test_limiter.py" <<'P'
import pathlib, re, sys
path = pathlib.Path(sys.argv[1])
path.write_text(re.sub(r"    def test_a_written_limit_counts_at_once.*?(?=    def )", "", path.read_text(), flags=re.S))
P
expect 1 "$backcheck" check -C "$work/repo" --base "$base"

show "2. Sent back, the agent restores the test and leaves a marker where the work should be."
cp "$here/tests/test_limiter.py" "$work/repo/tests/test_limiter.py"
printf '\n# TO''DO: drop the cached limit on write\n' >> "$work/repo/src/limiter/limiter.py"
expect 1 "$backcheck" check -C "$work/repo" --base "$base"

show "3. The work is done."
cp "$here/src/limiter/limiter.py" "$work/repo/src/limiter/limiter.py"
expect 0 "$backcheck" check -C "$work/repo" --base "$base"
