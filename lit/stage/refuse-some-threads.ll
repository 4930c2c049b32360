; Which threads have a row is read from memory, or is a remainder of their number: a
; meeting would find them anywhere in a warp, and what comes behind the loop would
; be done twice. In groups of 33 most warps have the end of one. Where the first
; threads have a row, or many neighbours, it is staged.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: for c in read rest pairs thirties; do \
; RUN:   sed "s/br i1 %%has/br i1 %%$c/" %t.ll > %t.$c.ll && \
; RUN:   %opt -S -passes=ferry-stage %t.$c.ll -o %t.after.ll \
; RUN:     -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s --implicit-check-not=remark && \
; RUN:   %opt -S -passes=verify %t.$c.ll | diff - %t.after.ll || exit 1; done
; RUN: %opt -S -passes=ferry-stage,verify -ferry-stage=always %t.read.ll | FileCheck %s --check-prefix=STAGED
; RUN: for c in first block half flag; do \
; RUN:   sed "s/br i1 %%has/br i1 %%$c/" %t.ll | %opt -S -passes=ferry-stage,verify | \
; RUN:     FileCheck %s --check-prefix=STAGED || exit 1; done

; CHECK: remark: {{.*}} not staged: which threads of a warp walk along a row depends on data, and they need not be neighbours [some-threads]
; STAGED: @ferry.tile =

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %marks, ptr %sums, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first.element = mul nuw nsw i64 %i, %m
  %row = getelementptr double, ptr %a, i64 %first.element
  %at = getelementptr i8, ptr %marks, i64 %i
  %mark = load i8, ptr %at
  %read = icmp ne i8 %mark, 0
  %fifth = urem i64 %i, 5
  %rest = icmp eq i64 %fifth, 1
  %first = icmp ult i64 %i, 100
  %tens = udiv i64 %i, 100
  %even = urem i64 %tens, 2
  %block = icmp eq i64 %even, 0
  %twos = lshr i64 %i, 1
  %odd.two = and i64 %twos, 1
  %pairs = icmp eq i64 %odd.two, 0
  %groups = udiv i64 %i, 33
  %odd.group = and i64 %groups, 1
  %thirties = icmp eq i64 %odd.group, 0
  %sixteens = lshr i64 %i, 4
  %odd.sixteen = and i64 %sixteens, 1
  %half = icmp eq i64 %odd.sixteen, 0
  %all = load i8, ptr %marks
  %flag = icmp ne i8 %all, 0
  br i1 %has, label %walk, label %end
walk:
  br label %loop
loop:
  %j = phi i64 [ 0, %walk ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %walk ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %total = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %q = getelementptr double, ptr %sums, i64 %i
  store double %total, ptr %q
  br label %exit
exit:
  ret void
}
