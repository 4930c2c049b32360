; At the link a staged kernel takes the place of the program's, with what it
; calls. What has an address that others may know, must stay the one that it is.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: link() { %opt -S '-passes=lto-pre-link<O2>' $1 $2 | \
; RUN:   %opt -S '-passes=lto<O2>,verify' -pass-remarks=ferry -pass-remarks-missed=ferry; }; \
; RUN: link %t.ll > %t.on.ll 2> %t.remarks && link %t.ll -ferry-stage=off > %t.off.ll
; RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:
; RUN: diff %t.off.ll %t.on.ll
;
; With a call that nobody can mistake it is staged.
; RUN: sed 's/ call i32 .picked/ call i32 @same/' %t.ll > %t.direct.ll
; RUN: link() { %opt -S '-passes=lto-pre-link<O2>' $1 | %opt -S '-passes=lto<O2>,verify' -pass-remarks=ferry -pass-remarks-missed=ferry; }; \
; RUN: link %t.direct.ll 2>&1 | FileCheck %s --check-prefix=DIRECT
; RUN: sed 's/store ptr @same/store ptr null/' %t.direct.ll > %t.called.ll
; RUN: link %t.called.ll 2>&1 | FileCheck %s --check-prefix=CALLED

; CHECK:  remark: {{.*}} not staged: the kernel calls or gives away the address of a function, or refers to what the program has no more, so that at the link no other can take its place [not-replaceable]
; DIRECT: remark: {{.*}} [not-replaceable]
; CALLED: remark: {{.*}} staged 1 load

declare i32 @__kmpc_target_init(ptr, ptr)

@which = external global ptr

define i32 @same(i32 %x) noinline {
  ret i32 %x
}

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %mode = call i32 @__kmpc_target_init(ptr @__omp_offloading_1_2_k_l3_kernel_environment, ptr null) #1
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
  %picked = load ptr, ptr @which
  %number = call i32 %picked(i32 1) nounwind willreturn
  store i32 %number, ptr %sums
  store ptr @same, ptr @which
  br label %exit
exit:
  ret void
}

attributes #1 = { nounwind memory(none) }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"ThinLTO", i32 0}
