; The options of staging. The last -ferry-stage-kernel that fits counts.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -S -passes=verify %t.ll -o %t.before.ll
; RUN: %opt -S -passes=ferry-stage %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage -ferry-stage=on %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage -ferry-stage=always %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage -ferry-stage=off -ferry-stage-kernel=k_l3=on %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage -ferry-stage-kernel=k_l3=off -ferry-stage-kernel=_k_=always %t.ll | FileCheck %s
; RUN: %opt -S -passes=ferry-stage -ferry-stage-kernel=other=off %t.ll | FileCheck %s
; CHECK: @ferry.tile

; RUN: %opt -S -passes=ferry-stage -ferry-stage=off %t.ll | diff %t.before.ll -
; RUN: %opt -S -passes=ferry-stage -ferry-stage-kernel=k_l3=off %t.ll | diff %t.before.ll -
; RUN: %opt -S -passes=ferry-stage -ferry-stage-max-bytes=0 %t.ll | diff %t.before.ll -

; More than a block may have without asking for it is not taken.
; RUN: %opt -S -passes=ferry-stage -ferry-stage-max-bytes=1000000 %t.ll | FileCheck %s --check-prefix=MOST
; MOST: @ferry.tile = internal addrspace(3) global [18432 x i8]

; In the pipeline from -O2 on, but not where size is what counts.
; RUN: for o in 0 1 s z; do %opt -S "-passes=default<O$o>" %t.ll | not grep ferry.tile || exit 1; done
; RUN: for o in 2 3; do %opt -S "-passes=default<O$o>" %t.ll | FileCheck %s || exit 1; done

; Values that make no sense.
; RUN: not %opt -S -passes=ferry-stage -ferry-stage=sometimes %t.ll -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=MODE
; MODE: for the --ferry-stage option: Cannot find option named 'sometimes'!
; RUN: not %opt -S -passes=ferry-stage -ferry-stage-max-bytes=many %t.ll -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=BYTES
; BYTES: for the --ferry-stage-max-bytes option: 'many' value invalid
; RUN: for v in k =off k=perhaps k=; do not %opt -S -passes=ferry-stage -ferry-stage-kernel=$v %t.ll -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=KERNEL || exit 1; done
; KERNEL: for the --ferry-stage-kernel option: '{{.*}}' should be KERNEL=off, KERNEL=on or KERNEL=always, where KERNEL is a part of a kernel's name
; RUN: not %opt -S -passes=ferry-stage -ferry-stage-gpu=h1000 %t.ll -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=GPU
; GPU: for the --ferry-stage-gpu option: there is no GPU 'h1000': known are v100, t4, a100, a10, l4, h100, h200, and as a file it cannot be read
; RUN: echo '{"architecture": "sm_90", "fp64_lanes": "many"}' > %t.json
; RUN: not %opt -S -passes=ferry-stage -ferry-stage-gpu=%t.json %t.ll -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=FIGURE
; FIGURE: 'fp64_lanes' is a text; a number is needed
; RUN: not ls %t.none.ll

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
