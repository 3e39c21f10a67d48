#!/usr/bin/env bash
# The work of action.yml: downloads the program for this system, checks it, and puts it on the PATH.
set -euo pipefail

version=${VERSION#v}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  # Quoted, because a line of its own could be a workflow command.
  printf '::error::version is %q. Give a version such as 0.1.0\n' "$VERSION"
  exit 1
fi

case "$RUNNER_OS" in
  Linux) system=linux ending= ;;
  macOS) system=macos ending= ;;
  Windows) system=windows ending=.exe ;;
  *) echo "::error::there is no mar for $RUNNER_OS"; exit 1 ;;
esac
case "$RUNNER_ARCH" in
  X64) architecture=x64 ;;
  ARM64) architecture=arm64 ;;
  *) echo "::error::there is no mar for $RUNNER_ARCH"; exit 1 ;;
esac

name="mar-$version-$system-$architecture$ending"
folder="${RUNNER_TEMP//\\//}/mar-$version"
mkdir -p "$folder"
cd "$folder"
for file in SHA256SUMS "$name"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$RELEASES/v$version/$file"
done

# macOS has shasum, the others have sha256sum. Both print the sum first.
sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi; }
wanted=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1 }' SHA256SUMS)
found=$(sum "$name" | cut -d ' ' -f 1)
if [ -z "$wanted" ] || [ "$wanted" != "$found" ]; then
  rm -f "$name"
  printf '::error::%s does not have the checksum in SHA256SUMS (%q, found %s)\n' "$name" "${wanted:-none}" "$found"
  exit 1
fi

mv "$name" "mar$ending"
chmod +x "mar$ending"
if [ "$system" = windows ]; then cygpath --windows "$folder"; else echo "$folder"; fi >> "$GITHUB_PATH"

# Only what was given, so that the action replaces no variable of the job by nothing.
set_variable() {
  case "$2" in
    '') ;;
    *$'\n'*) echo "::error::$1 has more than one line"; exit 1 ;;
    *) echo "$1=$2" >> "$GITHUB_ENV" ;;
  esac
}
set_variable MAR_BASE_URL "$BASE_URL"
set_variable MAR_EMAIL "$EMAIL"
set_variable MAR_TOKEN "$TOKEN"
if [ -n "$TOKEN" ]; then echo "::add-mask::$TOKEN"; fi
