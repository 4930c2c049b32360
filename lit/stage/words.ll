; A captured word is a parameter, or, where its object is mapped, read there before
; anything else: either way all threads have the same number of iterations.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll | FileCheck %s
; RUN: %opt -disable-output -passes=ferry-stage,verify %t.ll
; A launch takes the parameter for it.
; CHECK:      loop of {{.*}} iterations, 0 stores
; CHECK:      launched where umax(1, i64 argument 4) >= 64

; Where all threads meet before all else, none has written anything.
; RUN: sed 's/^  \x25absent = /  call void @llvm.nvvm.barrier0()\n&/' %t.ll > %t.met.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.met.ll | FileCheck %s
; RUN: sed 's/^  \x25absent = /  store i64 0, ptr \x25sums\n  call void @llvm.nvvm.barrier0()\n&/' %t.ll > %t.before.ll

; Not where something may have been written before, by this thread or, with a
; barrier, another one; nor what not all read in the same way; nor in a loop.
; RUN: sed 's/^  \x25there = /  store i64 0, ptr \x25sums\n&/' %t.ll > %t.written.ll
; RUN: sed 's/^  \x25there = /  call void @llvm.nvvm.barrier0()\n&/' %t.ll > %t.barrier.ll
; RUN: sed 's/load i64, ptr \x25object/load volatile i64, ptr \x25object/' %t.ll > %t.volatile.ll
; RUN: sed 's/^  \x25absent = .*/  \x25absent = icmp eq i32 \x25tid, 0/' %t.ll > %t.thread.ll
; RUN: sed 's/ptr \x25object$/ptr \x25its/; s/^  \x25there = /  \x25its = getelementptr i64, ptr \x25object, i32 \x25tid\n&/' %t.ll > %t.own.ll
; RUN: sed 's/^  br i1 \x25absent, label \x25go/  br label \x25again\nagain:\n&/; s/^  br label \x25go/  br i1 \x25more.words, label \x25again, label \x25go/; s/\[ \x25parameter, \x25entry \]/[ \x25parameter, \x25again ]/; s/^  \x25there = .*/&\n  \x25more.words = icmp eq i64 \x25there, 7/' %t.ll > %t.again.ll
; RUN: for kind in written before barrier volatile thread own again; do \
; RUN:   %opt -disable-output -passes='print<ferry-stage-plan>' %t.$kind.ll | FileCheck %s --check-prefix=LEFT || exit 1; \
; RUN: done
; LEFT:       left (unequal-rows):
; LEFT-NOT:   staged

define void @__omp_offloading_1_2_k_l3(ptr %environment, ptr %a, ptr %sums, i64 %n, ptr %object, i64 %parameter) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %absent = icmp eq ptr %object, null
  br i1 %absent, label %go, label %read
read:
  %there = load i64, ptr %object
  br label %go
go:
  %m = phi i64 [ %parameter, %entry ], [ %there, %read ]
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, 100
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
