; The loop is in a function that was not inlined, or in a parallel region that
; the device runtime calls, as it does with one that is within another.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: sed 's/call void @sums(ptr %a/call void @__kmpc_parallel_51(ptr @sums/' %t.ll > %t.region.ll
; RUN: %opt -disable-output -passes=ferry-stage %t.region.ll \
; RUN:   -pass-remarks-missed=ferry 2>&1 | FileCheck %s --check-prefix=REGION --implicit-check-not=remark
; Functions without loops, and those of the runtime, are nothing to speak of.
; RUN: sed 's/br i1 %more, label %loop, label %end/br label %end/;s/, . %.*.next, %loop .//' %t.ll > %t.none.ll
; RUN: sed 's/@sums(/@__kmpc_sums(/' %t.ll > %t.own.ll
; RUN: for which in none own; do %opt -disable-output -passes=ferry-stage %t.$which.ll \
; RUN:   -pass-remarks-missed=ferry 2>&1 | count 0 || exit 1; done

; CHECK: remark: {{.*}} not staged: the kernel's loops are in a function that it calls: sums [called-loops]
; REGION: remark: {{.*}} not staged: the kernel's loops are in a function that it calls: a parallel region [called-loops]

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %q = getelementptr double, ptr %sums, i64 %i
  call void @sums(ptr %a, ptr %q, i64 %i, i64 %m)
  br label %exit
exit:
  ret void
}

define void @sums(ptr %a, ptr %q, i64 %i, i64 %m) {
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
  store double %sum.next, ptr %q
  ret void
}

define internal void @__kmpc_parallel_51(ptr %f, ptr %q, i64 %i, i64 %m) {
  call void %f(ptr %q, ptr %q, i64 %i, i64 %m)
  ret void
}
