; REQUIRES: amdgpu-registered-target
; The same for an AMD GPU: wavefronts of 64 threads, and correct IR for it.
; RUN: cat %S/Inputs/amdgcn.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK
; Code can be made of it, at every level.
; RUN: for o in 0 1 2 3; do llc -O$o -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -filetype=null %t.ll || exit 1; done

; REMARK: remark: {{.*}} staged 1 load through 36864 bytes of shared memory of the block, in tiles of 32 iterations
; REMARK-NEXT: remark: {{.*}} a row for each thread, 32 words of 8 bytes, padded by 16 bytes

; CHECK: @ferry.tile = internal addrspace(3) global
; CHECK-LABEL: define amdgpu_kernel void @__omp_offloading_1_2_k_l3(
; CHECK-NOT:   nvvm
; CHECK:       {{^}}loop:
; CHECK:         load double, ptr addrspace(3)
; CHECK:         call void @llvm.amdgcn.wave.barrier()
; CHECK-NOT:   nvvm
; FALLBACK: {{^}}loop.fallback:
; FALLBACK:   load double, ptr %p.fallback

define amdgpu_kernel void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
