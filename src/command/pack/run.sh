#!/usr/bin/env bash
# Grades /grade/student, and writes /grade/results/results.json.
root=${GRADE:-/grade}
export PATH="$HOME/.cargo/bin:$PATH"
results=$root/results/results.json
mkdir -p "$root/results"
rm -f "$results"
"$root/tests/harness" grade "$root/student" --course "$root/tests/course" \
    --as one --assignment @ASSIGNMENT@ --format prairielearn="$results" --overwrite \
    > /dev/null 2> "$root/results/errors.txt"
status=$?
if [ ! -s "$results" ]; then
    echo "harness ended with status $status" >&2
    cat "$root/results/errors.txt" >&2
    printf '{ "gradable": false, "format_errors": ["%s"] }\n' \
        "The course's grader failed, so this submission was not graded. This is not your fault: please tell the course's staff." \
        > "$results"
fi
