#!/bin/sh
# aiwg-gate shim, version 1
# digest: @DIGEST@
# Written by `aiwg-gate install`, taken away by `aiwg-gate uninstall`. An edited copy is left alone by both.

hook=@HOOK@
# blocks: without the program the commit is refused. reports: without it a line is printed.
# passes: the gate has nothing to do here and is not started, only the hook from before runs.
role=@ROLE@
stdin=@STDIN@
# Where the program was at the time of installation.
gate=@GATE@
# The hooks directory that git would use without the gate; empty means this one.
outer=@OUTER@

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
self=$(CDPATH='' cd -- "$here" && pwd -P)/$hook
kept=$here/$hook.before-aiwg-gate
existing=$kept

runs() { [ -f "$1" ] && [ -x "$1" ]; }

if [ -n "$outer" ]; then
    # Hooks there often call the repository's own hook, now this file: they mean the one kept beside it.
    if [ "${AIWG_GATE_PASSED_ON-}" = "$self" ]; then
        runs "$kept" || exit 0
        exec "$kept" "$@"
    fi
    existing=$outer/$hook
fi

# Hook managers that are set up again move this file aside and call it by another name.
if [ "${0##*/}" != "$hook" ]; then
    # The gate has its place back and runs from there.
    ! grep -qs '^# aiwg-gate shim, version ' "$here/$hook" || exit 0
    # The caller is the hook kept here: calling it back would go round in circles.
    ! cmp -s "$here/$hook" "$existing" || existing=
fi

run_existing() {
    runs "$existing" || return 0
    (
        [ -z "$outer" ] || export AIWG_GATE_PASSED_ON="$self"
        exec "$existing" "$@"
    )
}

if [ "$role" = passes ]; then
    run_existing "$@"
    exit
fi

# Both the existing hook and the gate need what git writes to the hook.
input=
[ "$stdin" = no ] || input=$(cat)
feed() { [ -z "$input" ] || printf '%s\n' "$input" 2>/dev/null; }

if [ "$stdin" = no ]; then
    run_existing "$@" || exit
else
    feed | run_existing "$@" || exit
fi

recorded=$gate
runs "$gate" || gate=$(command -v aiwg-gate) || gate=${CARGO_HOME:-${HOME-}/.cargo}/bin/aiwg-gate
if runs "$gate"; then
    [ "$stdin" = yes ] || exec "$gate" hook "$hook" "$@"
    feed | "$gate" hook "$hook" "$@"
    exit
fi

if [ "$role" = reports ]; then
    printf '%s\n' "aiwg-gate: $hook did nothing: there is no program at $recorded, on PATH or at $gate" >&2
    exit 0
fi

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
if [ -n "$outer" ]; then
    remove='git config --local --unset core.hooksPath'
elif [ -e "$kept" ]; then
    remove="mv -f $(quoted "$self.before-aiwg-gate") $(quoted "$self")"
else
    remove="rm $(quoted "$self")"
fi
cat >&2 <<END
aiwg-gate: the commit is blocked because the aiwg-gate program is missing, not because of your change.
It was looked for at $recorded, on PATH and at $gate.
  to repair:           install aiwg-gate again, then run: aiwg-gate install
  to remove this hook: $remove
  to commit once:      git commit --no-verify
END
exit 1
