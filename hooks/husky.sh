# aiwg-gate block, version 1. What stands above runs first, and its failure ends the hook.
aiwg_gate_status=$?
[ "$aiwg_gate_status" -eq 0 ] || exit "$aiwg_gate_status"
aiwg_gate=$(command -v aiwg-gate) || aiwg_gate=${CARGO_HOME:-${HOME-}/.cargo}/bin/aiwg-gate
if [ -f "$aiwg_gate" ] && [ -x "$aiwg_gate" ]; then
    "$aiwg_gate" hook @HOOK@ "$@" || exit
elif [ @ROLE@ = blocks ]; then
    cat >&2 <<'END'
aiwg-gate: the commit is blocked because the aiwg-gate program is missing, not because of your change.
It was looked for on PATH and in cargo's bin directory.
  to repair:           install aiwg-gate again
  to remove this hook: take the lines between the aiwg-gate marks out of husky's @HOOK@ file
  to commit once:      git commit --no-verify
END
    exit 1
else
    echo 'aiwg-gate: @HOOK@ did nothing: the program is missing' >&2
fi
