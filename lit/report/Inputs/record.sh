#!/bin/sh
# record.sh BUILD: makes the .json and .yaml files of this folder anew, from the
# programs beside it and docs/examples/rows, with the Ferry in BUILD.
set -e
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.cpp "$here"/../../../docs/examples/rows/rows.cpp "$work"
cd "$work"

# record NAME SOURCE FLAGS...
record() {
  name=$1 source=$2
  shift 2
  "$build/bin/ferry-clang++" -O2 -g -fopenmp --ferry-sim "$@" \
    -fsave-optimization-record -foptimization-record-passes='ferry' \
    "$source.cpp" -o "$name"
  "$build/bin/ferry-sim" --quiet --per-line --json "$here/$name.json" \
    -- "./$name" >/dev/null 2>&1 || true
  cat ./*.opt.yaml >"$here/$name.yaml"
  rm -f ./*.opt.yaml
}

record rows-off rows -O3 -mllvm -ferry-stage=off
record rows-on rows -O3
record defects defects
record generic generic -Wno-unused-command-line-argument \
  -mllvm -openmp-opt-disable-spmdization
record clean clean
record finding finding
