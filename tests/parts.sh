# Parts of a check, to be sourced. Each part runs to its end whatever the others found; at the end one table says
# where the time went and one line what came of it.

# Kept over several scripts: what a part took and how it ended, and the words of each.
parts=target/parts
[ -n "${COULISSE_PARTS:-}" ] || rm -rf "$parts"
mkdir -p "$parts"
export COULISSE_PARTS=begun

# part NAME COMMAND...: runs the command as a part of that name.
part() {
    local name=$1 begun=$SECONDS status
    shift
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$parts/$name.log"
    status=${PIPESTATUS[0]}
    printf '%s\t%s\t%s\n' "$name" "$((SECONDS - begun))" "$status" >> "$parts/all"
    return "$status"
}

# beside NAME COMMAND...: begins such a part and goes on, for what keeps one core busy for minutes; `awaited` shows its
# words and waits for it.
beside() {
    part "$@" > "$parts/$1.out" 2>&1 &
}

awaited() {
    wait
    cat "$parts"/*.out
    rm "$parts"/*.out
}

# skipped NAME: a part that was not run counts as one test skipped.
skipped() {
    printf '%s\t0\tskipped\n' "$1" >> "$parts/all"
}

# count WORD FILE: the sum of the numbers before a word in the closing lines of cargo and pytest.
count() {
    { grep -E '^test result: |^[0-9]+ [a-z]+.* in [0-9.]+s' "$2" || true; } | { grep -Eo "[0-9]+ $1" || true; } |
        awk '{ n += $1 } END { print n + 0 }'
}

# The table, and the closing line of everything; fails where a part did.
closing() {
    local passed=0 failed=0 skipped=0 name seconds status here
    printf '\n%8s  %s\n' seconds part
    while IFS=$'\t' read -r name seconds status; do
        if [ "$status" = skipped ]; then
            skipped=$((skipped + 1))
            printf '%8s  %s (skipped)\n' - "$name"
            continue
        fi
        here=$(($(count failed "$parts/$name.log") + $(count error "$parts/$name.log")))
        # What fails without a test that says so (a build, a lint) is one failure.
        [ "$status" -eq 0 ] || [ "$here" -gt 0 ] || here=1
        failed=$((failed + here))
        passed=$((passed + $(count passed "$parts/$name.log")))
        skipped=$((skipped + $(count ignored "$parts/$name.log") + $(count skipped "$parts/$name.log")))
        printf '%8s  %s%s\n' "$seconds" "$name" "$([ "$here" -eq 0 ] || echo ' (FAILED)')"
    done < "$parts/all"
    printf '\n%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}
