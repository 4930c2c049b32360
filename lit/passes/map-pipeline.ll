; The pass runs by itself at every level, also before link-time optimisation, and
; can be turned off.
; RUN: for p in 'default<O0>' 'default<O1>' 'default<O2>' 'default<O3>' 'default<Os>' 'default<Oz>' 'lto-pre-link<O2>' 'thinlto-pre-link<O2>'; do \
; RUN:   echo "$p"; %opt -ferry-map-host-evidence -S "-passes=$p" %S/Inputs/by-value.ll -o %t.ll || exit 1; FileCheck %s --input-file=%t.ll || exit 1; done
; RUN: %opt -ferry-map-host-evidence -S -ferry-map=false '-passes=default<O1>' %S/Inputs/by-value.ll -o %t.off.ll
; RUN: FileCheck %s --check-prefix=OFF --input-file=%t.off.ll --implicit-check-not=__ferry

; CHECK-NOT: ferry.region:
; CHECK: call ptr @__ferry_launch_begin({{.*}}@ferry.plan
; CHECK: call i32 @__tgt_target_kernel(
; CHECK: call void @__ferry_launch_end(

; OFF: call i32 @__tgt_target_kernel(
