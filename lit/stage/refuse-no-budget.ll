; 128 threads and rows of 8 elements, half a line, would take 9216 bytes.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage -ferry-stage-max-bytes=9215 %t.ll -o %t.after.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark
; RUN: %opt -S -passes=verify %t.ll | diff - %t.after.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' -ferry-stage-max-bytes=9215 %t.ll 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: remark: {{.*}} not staged: the block has not enough shared memory left: 9216 bytes are wanted, 9215 are left [no-budget]
; PLAN:  left (no-budget):  br i1 %more, label %loop, label %end  ; 9216 bytes are wanted, 9215 are left

; A row that is read again and again, and does not fit in a tile.
; RUN: cat %S/Inputs/nvptx.ll %S/whole-rows.ll | sed 's/%j.next, %m$/%j.next, 257/' | %opt -disable-output -passes='print<ferry-stage-plan>' | FileCheck %s --check-prefix=WHOLE
; WHOLE:  left (no-budget):  br i1 %more, label %loop, label %outer.latch  ; a row that is read again may have 256 iterations

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
