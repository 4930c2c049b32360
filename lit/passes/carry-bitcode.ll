; REQUIRES: nvptx-registered-target

; What the PTX carries is the module.
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-carry-bitcode %s -o %t.once.ll
; RUN: llc %t.once.ll -o - | %python %S/Inputs/carried-bitcode.py | llvm-dis - -o %t.carried.ll
; RUN: %opt -ferry-map-host-evidence -S %s -o %t.input.ll
; RUN: grep -v '^; ModuleID' %t.input.ll > %t.expected
; RUN: grep -v '^; ModuleID' %t.carried.ll | diff %t.expected -

; Nothing else is changed.
; RUN: grep -v -e '^; ModuleID' -e '^module asm "//.ferry.bc' %t.once.ll > %t.rest
; RUN: diff -B %t.expected %t.rest

; What is carried replaces what was carried before.
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-carry-bitcode,ferry-carry-bitcode %s -o %t.twice.ll
; RUN: diff %t.once.ll %t.twice.ll

; By itself at the end of the pipeline at every level, when it is asked for.
; RUN: for p in 'default<O0>' 'default<O1>' 'default<O2>' 'default<O3>' 'default<Os>' 'lto-pre-link<O2>' 'lto<O0>' 'lto<O2>'; do \
; RUN:   echo "$p"; %opt -ferry-map-host-evidence -ferry-sim "-passes=$p" -S %s -o %t.ll || exit 1; \
; RUN:   llc %t.ll -o - | %python %S/Inputs/carried-bitcode.py | llvm-dis - -o %t.dis.ll || exit 1; \
; RUN:   FileCheck %s --input-file=%t.dis.ll || exit 1; done
; RUN: for p in 'default<O0>' 'default<O3>' 'lto-pre-link<O2>' 'lto<O2>'; do \
; RUN:   echo "$p"; %opt -ferry-map-host-evidence "-passes=$p" -S %s | FileCheck %s --check-prefix=NONE || exit 1; done
; CHECK: define {{.*}}@kernel(
; NONE-NOT: //.ferry.bc

; The module as the backend gets it: optimised, and nothing that is not used.
; RUN: %opt -ferry-map-host-evidence -ferry-sim '-passes=default<O2>' -S %s -o %t.ll
; RUN: llc %t.ll -o - | %python %S/Inputs/carried-bitcode.py | llvm-dis - -o - | FileCheck %s --check-prefix=OPTIMIZED
; OPTIMIZED-NOT: alloca
; OPTIMIZED-NOT: @unused

; Link-time optimisation: ptxas does not know the directive.
; RUN: sed 's,^module asm.*,module asm ".lto_discard x",' %s > %t.lto.ll
; RUN: %opt -ferry-map-host-evidence -ferry-sim '-passes=lto<O2>' -S %t.lto.ll | FileCheck %s --check-prefix=LINKED
; RUN: %opt -ferry-map-host-evidence -ferry-sim '-passes=lto<O2>' -S %t.lto.ll -o %t.ll
; RUN: llc %t.ll -o - | %python %S/Inputs/carried-bitcode.py | llvm-dis - -o - | FileCheck %s --implicit-check-not='module asm'
; LINKED-NOT: .lto_discard
; LINKED: module asm "//.ferry.bc

; Not in a host module.
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s > %t.host.ll
; RUN: %opt -ferry-map-host-evidence -ferry-sim '-passes=default<O2>' -S %t.host.ll | FileCheck %s --check-prefix=NONE

target triple = "nvptx64-nvidia-cuda"

module asm "// the user's own"

define linkonce_odr void @unused() {
  ret void
}

define ptx_kernel void @kernel(ptr %p, i64 %n) {
  %slot = alloca i64
  store i64 %n, ptr %slot
  %v = load i64, ptr %slot
  store i64 %v, ptr %p
  ret void
}
