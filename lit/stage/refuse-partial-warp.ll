; Blocks of 50 threads, or of 7. Three warps are enough.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.warps.ll
; RUN: for limit in 50 7; do \
; RUN:   sed "s/\"omp_target_thread_limit\"=\"128\"/\"omp_target_thread_limit\"=\"$limit\"/" %t.warps.ll > %t.ll && \
; RUN:   %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:     -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark && \
; RUN:   %opt -S -passes=verify %t.ll | diff - %t.after.ll || exit 1; done
; RUN: sed 's/"omp_target_thread_limit"="128"/"omp_target_thread_limit"="96"/' %t.warps.ll | \
; RUN:   %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=STAGED

; CHECK: remark: {{.*}} not staged: the kernel's largest blocks do not consist of whole warps, the threads of which copy together [partial-warp]
; STAGED: @ferry.tile =

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
