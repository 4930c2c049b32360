; Eight threads of each block have a row, whatever its length.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; However it is written, also as the runtime computes the number of a thread.
; RUN: sed 's/icmp ult i64 %number, 8/icmp sle i64 %number, 14/' %t.ll > %t.most.ll
; RUN: sed 's/icmp ult i64 %number, 8/icmp ugt i64 15, %number/' %t.ll > %t.swapped.ll
; RUN: sed 's/icmp ult i64 %number, 8/icmp ugt i64 %number, 7/;s/label %begin, label %exit/label %exit, label %begin/' %t.ll > %t.not.ll
; RUN: for how in most swapped not; do %opt -disable-output -passes=ferry-stage %t.$how.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark || exit 1; done
; By the iteration as well, where it is one of the first, or one.
; RUN: for in in "ult i64 %%i, 15" "sle i64 %%i, 14" "eq i64 %%i, 100"; do sed "s/icmp ult i64 %number, 8/icmp $in/" %t.ll | \
; RUN:   %opt -disable-output -passes=ferry-stage -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | \
; RUN:   FileCheck %s --implicit-check-not=remark || exit 1; done
; RUN: for in in "ult i64 %%i, 16" "ne i64 %%i, 100" "uge i64 %%i, 14"; do sed "s/icmp ult i64 %number, 8/icmp $in/" %t.ll | \
; RUN:   %opt -S -passes=ferry-stage,verify | FileCheck %s --check-prefix=STAGED || exit 1; done
; And where it counts down from thread to thread.
; RUN: sed 's/icmp ult i64 %number, 8/icmp ult i64 %down, 15/;s/add i64 %at, %number$/&\n  %down = sub i64 %n, %i/' %t.ll | \
; RUN:   %opt -disable-output -passes=ferry-stage -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | \
; RUN:   FileCheck %s --implicit-check-not=remark
; Half a warp is enough, and so are all but eight.
; RUN: sed 's/icmp sle i64 %number, 14/icmp sle i64 %number, 15/' %t.most.ll > %t.half.ll
; RUN: sed 's/icmp ult i64 %number, 8/icmp ugt i64 %number, 8/' %t.ll > %t.other.ll
; RUN: for how in half other; do %opt -S -passes=ferry-stage,verify %t.$how.ll | \
; RUN:   FileCheck %s --check-prefix=STAGED || exit 1; done
; A launch is asked where only it knows.
; RUN: sed 's/icmp ult i64 %number, 8/icmp ult i64 %number, %n/' %t.ll | \
; RUN:   %opt -disable-output -passes='print<ferry-stage-plan>' 2>&1 | FileCheck %s --check-prefix=ASKED

; CHECK: remark: {{.*}} not staged: only a few threads of a block have a row, and copies for them take as many instructions as for a whole warp [few-rows]
; STAGED: @ferry.tile =
; ASKED: launched where umax(1, i64 argument 2) >= 64 and i64 argument 1 >= 16

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %serial = icmp eq i64 %n, 0
  %own = select i1 %serial, i32 0, i32 %tid
  %number = zext i32 %own to i64
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b = zext i32 %block to i64
  %at = mul i64 %b, 8
  %i = add i64 %at, %number
  %in = icmp ult i64 %number, 8
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
