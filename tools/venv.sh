#!/usr/bin/env bash
# Make a virtual environment and fill it from a lock file, by hash: tools/venv.sh DIRECTORY LOCKFILE
# What is missing on this machine is answered with the line that mends it.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 lock=$2

mend() { # what is missing, the package that brings it
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then sudo="sudo "; fi
  printf '%s On Debian or Ubuntu:\n\n    %sapt-get install %s\n\n' "$1" "$sudo" "$2" >&2
  exit 1
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local name
  for name in "${PYTHON:-python3}" python3 python3.13 python3.12 python3.11; do
    if new_enough "$name"; then
      echo "$name"
      return
    fi
  done
}

python=$(find_python)
if [ -z "$python" ]; then mend "dragoman needs Python 3.11 or newer, and found none." "python3 python3-venv"; fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
  mend "$python comes without its venv module." "python3-venv"
fi

if ! "$venv/bin/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "Making $venv with $("$python" --version) ..."
  "$python" -m venv --clear "$venv"
fi

# Where packages come from is the machine's own business: pip speaks only when it fails, addresses masked.
install() {
  local said
  if ! said=$("$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" 2>&1); then
    printf '%s\n' "$said" | sed -E "s#(https?|file)://[^[:space:]']+#(address)#g; s#host='[^']*'#host=...#g" | tail -n 20 >&2
    exit 1
  fi
}

echo "Installing from $lock, by hash (under a minute; needs the package index) ..."
install --require-hashes -r "$lock"
install --no-index --no-deps --no-build-isolation -e .
packages=()
for name in gateway agent adapters cron playground bench; do
  if [ -d "$name" ]; then packages+=("$name"); fi
done
"$venv/bin/python" -m compileall -q "${packages[@]}"
