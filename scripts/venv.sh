# Sourced by its neighbours, which set `root`: the virtual environment beside the tree.
# PYTHON may name the interpreter it is made with; remove .venv to make it anew with another one.

venv=$root/.venv

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_new_enough "$PYTHON" || fail "PYTHON=$PYTHON does not run or is older than Python 3.11."
        printf '%s\n' "$PYTHON"
        return
    fi
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if is_new_enough "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer was not found. Install it, or name it: PYTHON=/path/to/python3 $0"
}

make_venv() {
    python=$(find_python) || exit 1
    "$python" -m venv --clear "$venv" >&2 || fail "\"$python -m venv\" failed. It is Python's own module for virtual" \
        "environments; Debian and Ubuntu ship it apart, in the package python3-venv. Install it and run $0 again."
}

# A stamp is good while it is newer than what it was made from and the tree has not moved.
is_current() {
    [ -x "$venv/bin/python" ] && [ -f "$1" ] && [ "$(cat "$1")" = "$root" ] || return 1
    [ -z "$(find "$root/pyproject.toml" "$root/constraints.txt" -newer "$1")" ]
}

pip_install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint "$root/constraints.txt" "$@" >&2
}

# need EXTRA: the project, editable, with one of its extras ("" for none) is installed in .venv.
need() {
    stamp=$venv/.stamp-${1:-run}
    if is_current "$stamp"; then
        return
    fi
    printf 'Setting up %s (only when something changed) ...\n' "$venv" >&2
    rm -f "$stamp"
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || ! is_new_enough "$venv/bin/python"; then
        make_venv
    fi
    # The build backend comes from the constraints too, so it is installed first and used as it is.
    pip_install setuptools || fail "pip could not install the build backend; see above."
    pip_install --no-build-isolation --editable "$root${1:+[$1]}" || fail "pip could not install the project; see above."
    printf '%s\n' "$root" >"$stamp"
}
