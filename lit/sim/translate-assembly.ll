; Inline assembly: cp.async becomes the intrinsics' calls, in any layout; what is
; not understood as a whole is reported.
;
; RUN: %files/sim/ferry-sim-translate --arch sm_90 --emit-llvm -o %t.ll %s
; RUN: FileCheck %s --input-file=%t.ll

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: c"inline assembly 'prmt.b32 $0, $1, 0, 0x0123; // bytes'\00"
; CHECK-DAG: c"inline assembly 'cp.async.wait_group $0;'\00"
; CHECK-DAG: c"inline assembly 'cp.async.cg.shared.global [$0], [$1], 8;'\00"
; CHECK-DAG: c"inline assembly 'cp.async.ca.shared.global [$0], [$2], 8;'\00"
; CHECK-DAG: c"inline assembly 'cp.async.commit_group; bar.sync 0;'\00"

; The upper bits of a shared address are those of the block's shared memory.
; CHECK-LABEL: define {{.*}}void @copies(
; CHECK: %[[BASE:.*]] = load i64, ptr %{{.*}}, align 8, !invariant.load
; CHECK: %[[LOW:.*]] = trunc i64 %[[BASE]] to i32
; CHECK: %[[DIFFERENCE:.*]] = sub i32 %to, %[[LOW]]
; CHECK: %[[OFFSET:.*]] = zext i32 %[[DIFFERENCE]] to i64
; CHECK: %[[SUM:.*]] = add i64 %[[BASE]], %[[OFFSET]]
; CHECK: %[[TO:.*]] = inttoptr i64 %[[SUM]] to ptr addrspace(3)
; CHECK: %[[FROM:.*]] = addrspacecast ptr %from to ptr addrspace(1)
; CHECK: call void @ferry_sim_copy_async(ptr addrspace(3) %[[TO]], ptr addrspace(1) %[[FROM]], i32 16, i32 16)
; CHECK: %[[FROM2:.*]] = inttoptr i64 %address to ptr addrspace(1)
; CHECK: call void @ferry_sim_copy_async(ptr addrspace(3) %shared, ptr addrspace(1) %[[FROM2]], i32 4, i32 %n)
; CHECK: call void @ferry_sim_llvm_nvvm_cp_async_commit_group()
; CHECK: call void @ferry_sim_llvm_nvvm_cp_async_wait_group(i32 3)
; CHECK: call void @ferry_sim_llvm_nvvm_cp_async_wait_all()
; CHECK: ret void
define void @copies(i32 %to, ptr %from, ptr addrspace(3) %shared, i64 %address, i32 %n) {
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2;\0A", "r,l,n,~{memory}"(i32 %to, ptr %from, i32 16)
  call void asm sideeffect "cp.async.ca.shared::cta.global.L2::128B\09[ $0 ],[$1],4,$2;", "l,l,r"(ptr addrspace(3) %shared, i64 %address, i32 %n)
  call void asm sideeffect "cp.async.commit_group;\0A\09cp.async.wait_group $0;", "n"(i64 3)
  call void asm sideeffect "cp.async.wait_all;", ""()
  ret void
}

; CHECK-LABEL: define {{.*}}void @unknown(
; CHECK-NOT: cp_async
; CHECK-NOT: copy_async
; CHECK: ret void
define void @unknown(i32 %to, ptr %from, i32 %n, ptr addrspace(1) %p) {
  %v = call i32 asm "prmt.b32 $0, $1,\0A  0, 0x0123; // bytes", "=r,r"(i32 %n)
  store volatile i32 %v, ptr addrspace(1) %p, align 4
  call void asm sideeffect "cp.async.wait_group $0;", "r"(i32 %n)
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 8;", "r,l"(i32 %to, ptr %from)
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$2], 8;", "r,l"(i32 %to, ptr %from)
  call void asm sideeffect "cp.async.commit_group; bar.sync 0;", ""()
  ret void
}

; What goes through an empty statement comes out as it was.
; CHECK-LABEL: define {{.*}}void @through(
; CHECK-NOT: asm
; CHECK: %sum = add i64 %n, 1
define void @through(i64 %n, ptr addrspace(1) %p) {
  %v = call i64 asm sideeffect "", "=l,0"(i64 %n)
  %sum = add i64 %v, 1
  store i64 %sum, ptr addrspace(1) %p, align 8
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @copies, !"kernel", i32 1}
!1 = !{ptr @unknown, !"kernel", i32 1}
!2 = !{ptr @through, !"kernel", i32 1}
