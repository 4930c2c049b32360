; All threads read the same row, which costs a sector for a step.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; So do the threads that have a quotient in common.
; RUN: sed 's/mul nuw nsw i64 %m, 3/sdiv i64 %i, %n/' %t.ll > %t.quotient.ll
; RUN: %opt -disable-output -passes=ferry-stage %t.quotient.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; Or what is left of one, by any number.
; RUN: sed 's/mul nuw nsw i64 %m, 3/mul i64 %rest, %m/;s/^begin:/&\n  %quotient = sdiv i64 %i, %n\n  %rest = srem i64 %quotient, %m/' %t.ll > %t.rest.ll
; RUN: %opt -disable-output -passes=ferry-stage %t.rest.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: sed 's/srem i64 %quotient/srem i64 %i/' %t.rest.ll | %opt -S -passes=ferry-stage | FileCheck %s --check-prefix=STAGED
; Or what is left by a number that is smaller than a warp.
; RUN: sed 's/mul nuw nsw i64 %m, 3/mul i64 %rest, %m/;s/^begin:/&\n  %apart = sub i64 %i, %n\n  %rest = srem i64 %apart, 33/' %t.ll > %t.33.ll
; RUN: sed 's/apart, 33/apart, 31/' %t.33.ll | %opt -disable-output -passes=ferry-stage \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=ferry-stage %t.33.ll | FileCheck %s --check-prefix=STAGED
; LLVM has that as the low bits of the number: of a half of a warp's threads each
; has the row of one of the other half, of 32 it has one of its own.
; RUN: sed 's/srem i64 %apart, 33/and i64 %apart, 15/' %t.33.ll | %opt -disable-output -passes=ferry-stage \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: sed 's/srem i64 %apart, 33/and i64 %apart, 31/' %t.33.ll | %opt -S -passes=ferry-stage | FileCheck %s --check-prefix=STAGED
; STAGED: @ferry.tile =

; CHECK: remark: {{.*}} not staged: neighbouring threads read the same memory [shared-row]

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %m, 3
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
