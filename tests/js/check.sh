#!/bin/sh
# Format, lint and types of the JavaScript, with the tools that package-lock.json names.
# They come from npm's registry. Where it cannot be reached this says what was left out and passes, because the
# JavaScript can be tested without any of them (node --test).
set -eu
cd "$(dirname "$0")/../.."

skip() {
    echo "SKIPPED: prettier, eslint and tsc did not check the JavaScript, because $1." >&2
    exit 0
}

command -v npm >/dev/null || skip "npm is not installed (Debian: apt install npm)"
if ! cmp -s package-lock.json node_modules/.checked-lock; then
    npm ci --no-audit --no-fund --loglevel=error || skip "npm could not install them"
    cp package-lock.json node_modules/.checked-lock
fi
npm run --silent check
