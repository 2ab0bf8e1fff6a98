#!/bin/sh
# Installs a Chromium for the browser tests and the benchmarks, unless benchmarks/browser.py finds one.
set -u
PYTHON=${PYTHON:-python3}

"$PYTHON" -m benchmarks.browser >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null
    # Older releases have only the whole browser.
    for name in chromium-headless-shell chromium; do
        apt-get install -y -qq --no-install-recommends "$name" fonts-noto-core fonts-noto-cjk </dev/null >/dev/null &&
            break
    done
else
    "$PYTHON" -m playwright install chromium </dev/null
fi
exec "$PYTHON" -m benchmarks.browser >/dev/null
