#!/bin/sh
# Measures on the machine's NVIDIA GPU what tools/bench/gpu packed beside this
# script, and writes it to a file:  ./run [FILE]  (measured.json if not given).
# Needs the driver, glibc and a POSIX shell with coreutils; takes at most 8
# minutes. What does not end in its time, or at all, is written down as such.

here=$(cd "$(dirname "$0")" && pwd)
result=${1-measured.json}
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# A kernel that cannot be launched must not run on the host unnoticed.
OMP_TARGET_OFFLOAD=MANDATORY
export LD_LIBRARY_PATH OMP_TARGET_OFFLOAD

seconds() { date +%s; }
start=$(seconds)
last=$((start + 470))
scratch=$(mktemp -d) || exit 1
# libomptarget looks for libcuda.so, a driver may come as libcuda.so.1 only.
driver=$(ldconfig -p 2>/dev/null | sed -n 's/.*libcuda\.so\.1 .*x86-64.* => //p' | head -n 1)
[ "$driver" ] && ln -s "$driver" "$scratch/libcuda.so"
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$scratch
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# What libomptarget leaves behind.
TMPDIR=$scratch
export TMPDIR

# Text as part of a JSON string.
escape() {
  head -c 2000 "$1" | tr -d '\000-\010\013-\037' |
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/ /g' |
    awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'
}

# measure GROUP PROGRAM [ARGUMENT...]: one line of the result.
measure() {
  group=$1
  shift
  left=$((last - $(seconds)))
  [ "$left" -gt 60 ] && left=60
  printf '%s {"group": "%s", "command": "%s", ' "$comma" "$group" "$*"
  if [ "$left" -le 0 ]; then
    printf '"status": "no time left"}'
  else
    program=$1
    shift
    timeout "$left" "$here/programs/$program" "$@" >"$scratch/out" 2>"$scratch/errors" </dev/null
    printf '"status": %d, "output": "%s", "errors": "%s"}' $? \
      "$(escape "$scratch/out")" "$(escape "$scratch/errors")"
  fi
  comma=",
"
}

comma=''
{
  printf '{"started": %s, "rows": [\n' "$start"
  while read -r group program; do
    # Words of the plan hold no blanks or patterns.
    # shellcheck disable=SC2086
    measure "$group" $program
  done <"$here/plan"
  printf '],\n"seconds": %s}\n' $(($(seconds) - start))
} >"$scratch/result" && mv "$scratch/result" "$result" || exit 1
echo "$result: $(grep -c '"status": 0,' "$result") of $(grep -c '"status":' "$result") measured"
