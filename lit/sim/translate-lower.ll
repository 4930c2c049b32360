; What only a GPU has becomes ordinary code, a call of the simulator, or a
; report of what it does not know.
;
; RUN: %files/sim/ferry-sim-translate --arch sm_90 --emit-llvm -o %t.ll %s
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=TABLE
; RUN: not grep '@llvm.nvvm' %t.ll

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.read.ptx.sreg.pm0()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
declare float @llvm.fmuladd.f32(float, float, float)
declare double @__nv_sqrt(double)
declare i32 @elsewhere(i32)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg)

@tile = internal addrspace(3) global [64 x i8] undef, align 16

; The registers lie in the lane's context: three of each kind, in order.
; CHECK-LABEL: define {{.*}}void @registers(
; CHECK: store ptr %{{.*}}, ptr %log
; CHECK-NEXT: %[[Z:.*]] = getelementptr inbounds i8, ptr %lane, i64 [[#TID:]]
; CHECK-NEXT: load i32, ptr %[[Z]], {{.*}}!invariant.load
; CHECK: store volatile
; CHECK-NEXT: %[[X:.*]] = getelementptr inbounds i8, ptr %lane, i64 [[#TID-8]]
; CHECK-NEXT: load i32, ptr %[[X]]
; CHECK: store volatile
; CHECK-NEXT: %[[Y:.*]] = getelementptr inbounds i8, ptr %lane, i64 [[#TID-8+40]]
; CHECK-NEXT: load i32, ptr %[[Y]]
; CHECK: store volatile i32 32, ptr addrspace(1) %p
; CHECK: %[[LANE:.*]] = load i32,
; CHECK: %[[BIT:.*]] = shl i32 1, %[[LANE]]
; CHECK: sub i32 %[[BIT]], 1
; CHECK: call i32 @ferry_sim_llvm_nvvm_read_ptx_sreg_clock()
; CHECK: ret void
define void @registers(ptr addrspace(1) %p) {
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  store volatile i32 %z, ptr addrspace(1) %p, align 4
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %x, ptr addrspace(1) %p, align 4
  %y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  store volatile i32 %y, ptr addrspace(1) %p, align 4
  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  store volatile i32 %w, ptr addrspace(1) %p, align 4
  %m = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  store volatile i32 %m, ptr addrspace(1) %p, align 4
  %k = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  store volatile i32 %k, ptr addrspace(1) %p, align 4
  ret void
}

; Before a call that lets others run, the lane's context learns where that is,
; what work has been done so far, and where the log ends. Mathematics needs none
; of it.
; CHECK-LABEL: define {{.*}}void @calls(
; CHECK: store i32 [[#]], ptr %{{.*}}
; CHECK: %[[DONE:.*]] = load i64, ptr %work
; CHECK-NEXT: %[[SUM:.*]] = add i64 %{{.*}}, %[[DONE]]
; CHECK-NEXT: store i64 %[[SUM]], ptr %{{.*}}
; CHECK-NEXT: store i64 0, ptr %work
; CHECK: %[[LOG:.*]] = load ptr, ptr %log
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr inbounds i8, ptr %lane, i64 0
; CHECK-NEXT: store ptr %[[LOG]], ptr %[[SLOT]]
; CHECK-NEXT: call void @ferry_sim_llvm_nvvm_barrier{{0\(\)|_cta_sync_aligned_all\(i32 0\)}}
; CHECK: %s = call i32 @ferry_sim_llvm_nvvm_shfl_sync_down_i32(i32 -1, i32 7, i32 1, i32 31)
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr inbounds i8, ptr %lane, i64 0
; CHECK-NEXT: %[[LOG:.*]] = load ptr, ptr %[[SLOT]]
; CHECK-NEXT: store ptr %[[LOG]], ptr %log
; CHECK-NEXT: %r = call double @ferry_sim___nv_sqrt(double %d)
; CHECK: ret void
define void @calls(ptr addrspace(1) %p, double %d) {
  call void @llvm.nvvm.barrier0()
  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 7, i32 1, i32 31)
  %r = call double @__nv_sqrt(double %d)
  store volatile double %r, ptr addrspace(1) %p, align 8
  ret void
}

; CHECK-LABEL: define {{.*}}void @instructions(
; CHECK: load i32, ptr addrspace(1) %p, align 4
; CHECK: call float @llvm.fma.f32(
; CHECK: call void @ferry_sim_copy_async(ptr addrspace(3) %{{.*}}, ptr addrspace(1) %p, i32 16, i32 16)
; CHECK: call void @ferry_sim_copy_async(ptr addrspace(3) %{{.*}}, ptr addrspace(1) %p, i32 8, i32 %n)
; CHECK: call void @ferry_sim_llvm_nvvm_cp_async_wait_group(i32 2)
; CHECK: ret void
define void @instructions(ptr addrspace(1) %p, ptr addrspace(1) %q, float %f, i32 %n) {
  %i = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %p, i32 4)
  store i32 %i, ptr addrspace(1) %q, align 4
  %g = call float @llvm.fmuladd.f32(float %f, float %f, float 1.0)
  store float %g, ptr addrspace(1) %q, align 4
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) @tile, ptr addrspace(1) %p, i32 %n)
  call void @llvm.nvvm.cp.async.wait.group(i32 2)
  ret void
}

; Words as large as alignment allows, the rest in smaller ones.
; CHECK-LABEL: define {{.*}}void @memory(
; CHECK: load i64, ptr addrspace(1)
; CHECK: load i32, ptr addrspace(1)
; CHECK: load i16, ptr addrspace(1)
; CHECK-NOT: load i8
; CHECK: store i64
; CHECK: store i32
; CHECK: store i16
; CHECK: store i32 117901063, {{.*}} align 4
; CHECK: store i8 7, {{.*}} align 1
; CHECK-NOT: store i8
; CHECK: ret void
define void @memory(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %p, ptr addrspace(1) align 16 %q, i64 14, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %p, i8 7, i64 5, i1 false)
  ret void
}

; CHECK-LABEL: define {{.*}}void @unknown(
; CHECK: %t = call i32 @ferry_sim_llvm_nvvm_read_ptx_sreg_pm0()
; CHECK: call i32 @ferry_sim_elsewhere(i32 %t)
; CHECK: call i32 @[[ASM:.*assembly.*]]()
; CHECK: ret void
define void @unknown(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.pm0()
  %u = call i32 @elsewhere(i32 %t)
  %a = call i32 asm sideeffect "bogus.b32 $0;", "=r"()
  call void asm sideeffect "", "~{memory}"()
  store volatile i32 %a, ptr addrspace(1) %p, align 4
  ret void
}
; CHECK: define internal i32 @[[ASM]]()
; CHECK-NEXT: unknown:
; CHECK-NEXT: call void @ferry_sim_unknown(ptr @{{.*}})
; CHECK-NEXT: unreachable
; CHECK-DAG: define internal i32 @ferry_sim_llvm_nvvm_read_ptx_sreg_pm0()
; CHECK-DAG: define internal i32 @ferry_sim_elsewhere(i32

; What it is called in reports.
; TABLE-DAG: c"inline assembly 'bogus.b32 $0;'\00"
; TABLE-DAG: c"elsewhere, which no device code of the program defines\00"
; TABLE-DAG: c"llvm.nvvm.read.ptx.sreg.pm0\00"

; An asynchronous copy has three entries: load (flag 16), store that only begins
; (flag 2), arrival. The load is of 1 byte if it is not known how many there are.
; TABLE: @ferry.instructions =
; TABLE-SAME: { i8 0, i8 0, i8 16, i8 16, i8 16, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 16, i8 16, i8 2, {{[^}]*}} }, {{[^}]*}} } { i8 5, i8 0, i8 16, i8 16, i8 0,
; TABLE-SAME: { i8 0, i8 0, i8 1, i8 1, i8 16, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 8, i8 8, i8 2, {{[^}]*}} }, {{[^}]*}} } { i8 5, i8 0, i8 8, i8 8, i8 0,

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @registers, !"kernel", i32 1}
!1 = !{ptr @calls, !"kernel", i32 1}
!2 = !{ptr @instructions, !"kernel", i32 1}
!3 = !{ptr @memory, !"kernel", i32 1}
!4 = !{ptr @unknown, !"kernel", i32 1}
