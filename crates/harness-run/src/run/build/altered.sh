#!/bin/sh
# Calls the compiler with another file instead of the source of a library. Lints would speak of what its author did not write.
for word do
    shift
    case $word in
        *.rs) [ "$word" -ef "$HARNESS_SOURCE" ] && word=$HARNESS_ALTERED ;;
    esac
    set -- "$@" "$word"
done
exec "$@" --cap-lints=allow
