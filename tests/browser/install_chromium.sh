#!/bin/sh
# Finds a Chromium for the browser tests, or installs one; otherwise says in one line what to do.
set -u
PYTHON=${PYTHON:-python3}

found() {
    [ -x "${CHROMIUM_PATH:-}" ] && return 0
    for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    "$PYTHON" - <<'EOF' 2>/dev/null
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).exists())
EOF
}

found && exit 0
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
found && exit 0
echo "The browser tests need Chromium, and none could be installed: install it (Debian: apt install chromium) and try again." >&2
exit 1
