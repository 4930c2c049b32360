; What a loop behind a staged one is asked, the same for each row that a thread has, is
; not carried through the meeting, after which LLVM would not know that it is: the loop is
; unrolled as it would be without staging, in both versions of the kernel's loop.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %opt -S -passes=loop-unroll %t.ll | FileCheck %s --check-prefix=UNROLLED

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}ferry.enter:
; CHECK:         %some = icmp sgt i64 %k, 0
; CHECK:         br label %ferry.go
; CHECK:       {{^}}end:
; CHECK-NEXT:    br i1 %some, label %behind, label %latch

; Four iterations and what is left of them, behind tiles and in the kernel's loop as it was.
; UNROLLED-LABEL: define void @__omp_offloading_1_2_k_l3(
; UNROLLED-COUNT-10: load i16
; UNROLLED-NOT: load i16
; UNROLLED: define void @__omp_offloading_1_2_k_l3_unstaged(

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %y, i64 %n, i64 %m, i64 %k) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = zext i32 %tid to i64
  %step = zext i32 %threads to i64
  %in = icmp ult i64 %first, %n
  br i1 %in, label %chunks, label %exit
chunks:
  %some = icmp sgt i64 %k, 0
  br label %chunk
chunk:
  %i = phi i64 [ %first, %chunks ], [ %i.next, %latch ]
  %start = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %start
  br label %loop
loop:
  %j = phi i64 [ 0, %chunk ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %chunk ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  br i1 %some, label %behind, label %latch
behind:
  %row.b = getelementptr i16, ptr %b, i64 %i
  br label %loop.b
loop.b:
  %j.b = phi i64 [ %k, %behind ], [ %j.b.next, %loop.b ]
  %sum.b = phi double [ %sum.next, %behind ], [ %sum.b.next, %loop.b ]
  %j.b.next = add nsw i64 %j.b, -1
  %p.b = getelementptr i16, ptr %row.b, i64 %j.b.next
  %v.b = load i16, ptr %p.b
  %number = uitofp i16 %v.b to double
  %sum.b.next = fadd double %sum.b, %number
  %more.b = icmp ugt i64 %j.b, 1
  br i1 %more.b, label %loop.b, label %latch
latch:
  %result = phi double [ %sum.next, %end ], [ %sum.b.next, %loop.b ]
  %q = getelementptr double, ptr %y, i64 %i
  store double %result, ptr %q
  %i.next = add nuw nsw i64 %i, %step
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %chunk, label %exit
exit:
  ret void
}
