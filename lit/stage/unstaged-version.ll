; A kernel that is staged stays beside that as it was, for launches in which it does
; not pay: with all that libomptarget finds by its name, and with what a launch has to
; be, for the host's compilation.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.ll -o %t.staged.ll
; RUN: FileCheck %s --input-file=%t.staged.ll
; It is a kernel: by an annotation, or from LLVM 20 on by its calling convention.
; RUN: grep -E '^define ptx_kernel .*_unstaged\(|!\{ptr @[^,]*_unstaged, !"kernel", i32 1\}' %t.staged.ll
; RUN: %opt -disable-output -passes='print<ferry-stage-plan>' %t.ll | FileCheck %s --check-prefix=PLAN
; It is the same as with staging off.
; RUN: %opt -S -passes=verify %t.ll | sed -n '/^define.*_k_l3(/,/^}/p' | sed 's/_k_l3(/_k_l3_unstaged(/; s/ ![a-z.]* ![0-9]*//; s/, *![a-z.]* ![0-9]*//' > %t.plain
; RUN: sed -n '/^define.*_unstaged(/,/^}/p' %t.staged.ll | sed 's/ ![a-z.]* ![0-9]*//; s/, *![a-z.]* ![0-9]*//' | diff %t.plain -

; Nothing to choose: all is staged, whatever it brings, or nothing is.
; RUN: %opt -S -passes=ferry-stage -ferry-stage=always %t.ll | FileCheck %s --check-prefix=ONE
; RUN: %opt -S -passes=ferry-stage -ferry-stage=off %t.ll | FileCheck %s --check-prefix=ONE

; CHECK-DAG: @__omp_offloading_1_2_k_l3_kernel_environment = {{.*}}i8 2
; CHECK-DAG: @__omp_offloading_1_2_k_l3_unstaged_kernel_environment = {{.*}}i8 2
; CHECK:     c"FERRY-USES:{{[0-9]*}}:{\22__omp_offloading_1_2_k_l3\22:{\22staged\22:
; CHECK:     define {{(ptx_kernel )?}}void @__omp_offloading_1_2_k_l3(
; CHECK:       addrspace(3)
; CHECK:     define {{(ptx_kernel )?}}void @__omp_offloading_1_2_k_l3_unstaged(
; CHECK-NOT:   addrspace(3)
; CHECK:     }

; Arguments are counted as in the host's version. Rows that lie multiples of 64 bytes
; apart may be shorter.
; PLAN:      launched where umax(1, i64 argument 2) >= 64
; PLAN-SAME:   or (zext64(trunc3(i64 argument 2)) * 8) <= 0 and umax(1, i64 argument 2) >= 32
; ONE-NOT:   _unstaged

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

!nvvm.annotations = !{!0}
!0 = !{ptr @__omp_offloading_1_2_k_l3, !"kernel", i32 1}
