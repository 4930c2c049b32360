#!/bin/sh
# Measures on the machine's NVIDIA GPU what tools/bench/gpu packed beside this
# script, and writes it to a file:  ./run [FILE]  (measured.json if not given).
# Needs the driver, glibc and a POSIX shell with coreutils; takes at most 8
# minutes. What does not end in its time, or at all, is written down as such.
# FERRY_REPEATS in the environment says how often a kernel is timed, 10 times if
# it is not there.

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
# Workers that are left find no scratch folder and end.
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# What libomptarget leaves behind, and the lock of lib/times.
TMPDIR=$scratch
export TMPDIR

# Text as part of a JSON string.
escape() {
  head -c 2000 "$1" | tr -d '\000-\010\013-\037' |
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/ /g' |
    awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'
}

# Lines as a JSON list of strings.
list() {
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' "$1" |
    awk '{ printf "%s\"%s\"", comma, $0; comma = ", " }'
}

# Whether lib/times times the kernels of a group.
is_timed() {
  case $1 in
  staging | model) true ;;
  *) false ;;
  esac
}

# measure FOLDER GROUP PROGRAM [ARGUMENT...]: one line of the result; what it is
# made of is kept in the folder.
measure() {
  folder=$1
  group=$2
  shift 2
  left=$((last - $(seconds)))
  [ "$left" -gt 60 ] && left=60
  printf ' {"group": "%s", "command": "%s", ' "$group" "$*"
  if [ "$left" -le 0 ]; then
    printf '"measured": false, "status": "no time left"}'
    return
  fi
  program=$1
  shift
  : >"$folder/times"
  libraries=$LD_LIBRARY_PATH
  is_timed "$group" && libraries=$here/lib/times:$libraries
  FERRY_TIMES=$folder/times LD_LIBRARY_PATH=$libraries \
    timeout "$left" "$here/programs/$program" "$@" >"$folder/out" 2>"$folder/errors" </dev/null
  status=$?
  [ -d "$folder" ] || exit 130
  measured=true
  # A kernel of the model that adds to its results has wrong ones after many
  # launches, and its program says so.
  [ "$status" = 0 ] || [ "$group" = model ] || measured=false
  # A line of times ends with an error, 0 if there is none.
  if is_timed "$group" && { [ ! -s "$folder/times" ] || grep -qv ' 0$' "$folder/times"; }; then
    measured=false
  fi
  printf '"measured": %s, "status": %d, "times": [%s], "output": "%s", "errors": "%s"}' \
    "$measured" "$status" "$(list "$folder/times")" "$(escape "$folder/out")" "$(escape "$folder/errors")"
}

# work plain|timed: measures each line of the plan that is plain, or timed, and
# that no other worker has begun.
work() {
  number=0
  while read -r group program; do
    number=$((number + 1))
    kind=plain
    is_timed "$group" && kind=timed
    [ "$kind" = "$1" ] || continue
    mkdir "$scratch/$number" 2>/dev/null || continue
    # Words of the plan hold no blanks or patterns.
    # shellcheck disable=SC2086
    measure "$scratch/$number" "$group" $program >"$scratch/$number/row"
  done <"$here/plan"
}

work plain
# Programs whose kernels lib/times times may run at once: it keeps these apart.
workers=$(nproc 2>/dev/null || echo 1)
[ "$workers" -gt 6 ] && workers=6
while [ "$workers" -gt 0 ]; do
  work timed &
  workers=$((workers - 1))
done
wait

{
  printf '{"started": %s, "rows": [\n' "$start"
  number=1
  while [ -f "$scratch/$number/row" ]; do
    [ "$number" -gt 1 ] && printf ',\n'
    cat "$scratch/$number/row"
    number=$((number + 1))
  done
  printf '],\n"seconds": %s}\n' $(($(seconds) - start))
} >"$scratch/result" && mv "$scratch/result" "$result" || exit 1
echo "$result: $(grep -c '"measured": true' "$result") of $(grep -c '"status":' "$result") measured"
