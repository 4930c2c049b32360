; The kernel's loop is in a function that the device runtime calls, and that is
; somewhere else.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: remark: {{.*}} not staged: the device runtime, which calls the kernel's loops, is not linked into this file's device code [no-device-runtime]
; PLAN: left (no-device-runtime)

declare void @__kmpc_parallel_51(ptr, i32, i32, i32, i32, ptr, ptr, ptr, i64)

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
  %args = alloca [4 x ptr]
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 -1, i32 -1, ptr @loop, ptr null, ptr %args, i64 4)
  ret void
}

define internal void @loop(ptr %global, ptr %bound, ptr %a, ptr %sums, i64 %n, i64 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first
  br label %walk
walk:
  %j = phi i64 [ 0, %entry ], [ %j.next, %walk ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %walk ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %walk, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  ret void
}
