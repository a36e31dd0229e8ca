#!/usr/bin/env bash
# Prepares the image: installs what grading needs, and builds the course's programs once.
set -euo pipefail
cd "$(dirname "$0")"

apt-get update -q
apt-get install -qy --no-install-recommends \
    @PACKAGES@

if [ "@RUST@" = yes ] && ! command -v cargo > /dev/null; then
    curl -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
fi
export PATH="$HOME/.cargo/bin:$PATH"
chmod +x harness
./harness autograder-io setup --course course --assignment @ASSIGNMENT@
