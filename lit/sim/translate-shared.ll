; Shared variables get their place in the block's shared memory. Those of one
; kernel lie where those of another one do, behind what several use.
;
; RUN: %files/sim/ferry-sim-translate --arch sm_80 --emit-llvm -o %t.ll %s
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=TABLE
; RUN: not grep 'addrspace(3) global' %t.ll

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@first = internal addrspace(3) global i8 undef, align 1
@tile = internal addrspace(3) global [32 x double] undef, align 8
@aligned = internal addrspace(3) global [3 x i8] undef, align 32
@dynamic = external addrspace(3) global [0 x double], align 8
@own = internal addrspace(3) global [16 x i8] undef, align 1
@IsSPMDMode = internal addrspace(3) global i32 undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define {{.*}}void @uses_all(
; CHECK: %[[SHARED:.*]] = load ptr, ptr %{{.*}}
; CHECK-DAG: %[[A:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 384
; CHECK-DAG: %[[FIRST:.*]] = addrspacecast ptr %[[A]] to ptr addrspace(3)
; CHECK-DAG: %[[B:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 0
; CHECK-DAG: %[[TILE:.*]] = addrspacecast ptr %[[B]] to ptr addrspace(3)
; CHECK-DAG: %[[C:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 416
; CHECK-DAG: %[[ALIGNED:.*]] = addrspacecast ptr %[[C]] to ptr addrspace(3)
; CHECK-DAG: %[[D:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 256
; CHECK-DAG: %[[MODE:.*]] = addrspacecast ptr %[[D]] to ptr addrspace(3)
; CHECK-DAG: %[[E:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 432
; CHECK-DAG: %[[DYNAMIC:.*]] = addrspacecast ptr %[[E]] to ptr addrspace(3)
; CHECK-DAG: %e = getelementptr [32 x double], ptr addrspace(3) %[[TILE]], i64 0,
; CHECK: store i8 1, ptr addrspace(3) %[[FIRST]]
; CHECK: store double 2.0{{.*}}, ptr addrspace(3) %e
; CHECK: store i8 3, ptr addrspace(3) %[[ALIGNED]]
; CHECK: store double 4.0{{.*}}, ptr addrspace(3) %[[DYNAMIC]]
; CHECK: call void @ferry_sim_step(
; CHECK: store i32 5, ptr addrspace(3) %[[MODE]]
; CHECK: ret void
define void @uses_all() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = getelementptr [32 x double], ptr addrspace(3) @tile, i32 0, i32 %t
  store i8 1, ptr addrspace(3) @first, align 1
  store double 2.0, ptr addrspace(3) %e, align 8
  store i8 3, ptr addrspace(3) @aligned, align 1
  store double 4.0, ptr addrspace(3) @dynamic, align 8
  store i32 5, ptr addrspace(3) @IsSPMDMode, align 4
  ret void
}

; Addresses that are parts of constant expressions, and of the generic space.
; CHECK-LABEL: define {{.*}}void @generic(
; CHECK: %[[SHARED:.*]] = load ptr, ptr %{{.*}}
; CHECK-DAG: %[[B:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 0
; CHECK-DAG: %[[TILE:.*]] = addrspacecast ptr %[[B]] to ptr addrspace(3)
; CHECK-DAG: %[[C:.*]] = getelementptr inbounds i8, ptr %[[SHARED]], i64 384
; CHECK-DAG: %[[OWN:.*]] = addrspacecast ptr %[[C]] to ptr addrspace(3)
; CHECK-DAG: addrspacecast ptr addrspace(3) %[[TILE]] to ptr
; CHECK: store i8 6, ptr addrspace(3) %[[OWN]]
; CHECK: ret void
define void @generic(ptr addrspace(1) %p) {
  store ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr addrspace(1) %p, align 8
  store i8 6, ptr addrspace(3) @own, align 1
  ret void
}

; CHECK-LABEL: define {{.*}}void @uses_none(
; CHECK-NOT: addrspace(3)
; CHECK: ret void
define void @uses_none(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}

; Arguments, how many, most threads, a flag, threads of regions, the bytes of the
; variables.
; TABLE: @ferry.kernels =
; TABLE-SAME: ptr null, i32 0, i32 1024, i32 {{[01]}}, i32 0, i32 291, i32
; TABLE-SAME: ptr @{{[^ ]*}}, i32 1, i32 256, i32 {{[01]}}, i32 0, i32 272, i32
; TABLE-SAME: ptr @{{[^ ]*}}, i32 1, i32 1024, i32 {{[01]}}, i32 0, i32 0, i32
; The last store is of the runtime's state.
; TABLE: @ferry.instructions =
; TABLE-SAME: { i8 1, i8 0, i8 8, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 1, i8 4,
; TABLE: @[[STATE:.*]] = private constant [1 x { i32, i32 }] [{ i32, i32 } { i32 256, i32 260 }]
; Version, architecture, bytes of shared memory.
; TABLE: @ferry_sim_module = {{.*}} { i32 {{[0-9]+}}, i32 80, i32 432,
; TABLE-SAME: ptr @[[STATE]], i32 1,

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @uses_all, !"kernel", i32 1}
!1 = !{ptr @generic, !"kernel", i32 1, !"maxntidx", i32 256}
!2 = !{ptr @uses_none, !"kernel", i32 1}
