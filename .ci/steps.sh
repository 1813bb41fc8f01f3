# Steps of .ci/run and .ci/nightly: each tells its name and its time; all times stand at the end.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true
exec </dev/null
times=()

# step NAME COMMAND...: run a command, and return its exit code. `set -e` does not reach into the command: bash
# ignores it wherever an exit code is looked at.
step() {
    local name=$1 began=$SECONDS code=0
    shift
    printf '\n=== %s\n' "$name"
    "$@" || code=$?
    times+=("$(printf '%5d s  %-9s %s' $((SECONDS - began)) "$([ "$code" -eq 0 ] && echo passed || echo "FAILED")" "$name")")
    return "$code"
}

report() {
    printf '\n=== times\n'
    printf '%s\n' "${times[@]}"
    printf '%5d s  in all\n' "$SECONDS"
}

# What mails, clocks, alarms, units, proxies, poolers and pages are tried with; a test without its program is skipped.
install_programs() {
    local missing=() each
    [ -x /usr/lib/dovecot/lmtp ] || missing+=(dovecot-lmtpd)
    for each in chromium java:default-jre-headless spamassassin faketime promtool:prometheus systemd-analyze:systemd \
        dovecot:dovecot-imapd pgbouncer nginx haproxy caddy postfix opendkim opendkim-genkey:opendkim-tools rspamd; do
        command -v "${each%:*}" >/dev/null || missing+=("${each#*:}")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "they are here"
    elif [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        (apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null) ||
            echo "not to be had: ${missing[*]}; the tests that need them are skipped"
    else
        echo "not here: ${missing[*]}; the tests that need them are skipped"
    fi
}

# Start everything as the README says, play a solo game over HTTP, and stop.
play_a_game() (
    data=$(mktemp -d)
    out=$data/up.out
    chmod 711 "$data"
    port=$(.venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    PORT=$port DATA=$data/boardroom make up >"$out" 2>&1 &
    up=$!
    stop() { kill -INT "$(cat "$data/boardroom/lock")"; }
    trap 'stop 2>/dev/null || true; wait "$up" || true; rm -rf "$data"' EXIT

    for _ in $(seq 120); do
        grep -q 'Boardroom is open' "$out" && break
        if ! kill -0 "$up" 2>/dev/null; then break; fi
        sleep 0.5
    done
    cat "$out"
    grep -q 'Boardroom is open' "$out" || return 1
    .venv/bin/boardroom play --api "http://127.0.0.1:$port" --random || return 1

    stop
    code=0
    wait "$up" || code=$?
    trap 'rm -rf "$data"' EXIT
    tail -n 1 "$out"
    echo "make up ended with exit code $code"
    return "$code"
)
