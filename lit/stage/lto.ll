; Link-time optimisation: what is prepared before the link, and staged at it.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: for o in 2 3; do %opt -S "-passes=lto-pre-link<O$o>" %t.ll -o %t.prepared.ll || exit 1; \
; RUN:   FileCheck %s --check-prefix=PREPARED --input-file=%t.prepared.ll --implicit-check-not=ferry.tile || exit 1; \
; RUN:   %opt -S "-passes=lto<O$o>" %t.prepared.ll | FileCheck %s --check-prefix=LINKED \
; RUN:     --implicit-check-not='"ferry-' --implicit-check-not=ferry.until.linked || exit 1; done
;
; One load for each iteration, as it was written.
; PREPARED-LABEL: define void @__omp_offloading_1_2_k_l3(
; PREPARED-COUNT-1: load double
; PREPARED-NOT:     load double
; PREPARED:         !llvm.loop ![[LOOP:[0-9]+]]
; PREPARED:     attributes #{{[0-9]+}} = { {{.*}}"ferry-stage"="on" "ferry-stage-max-bytes"="49152"
; PREPARED:     ![[LOOP]] = distinct !{![[LOOP]], ![[OWN:[0-9]+]], ![[KEEP:[0-9]+]], ![[MARK:[0-9]+]]}
; PREPARED:     ![[OWN]] = !{!"llvm.loop.mustprogress"}
; PREPARED:     ![[KEEP]] = !{!"llvm.loop.disable_nonforced"}
; PREPARED:     ![[MARK]] = !{!"ferry.until.linked"}
;
; LINKED: @ferry.tile = internal {{(unnamed_addr )?}}addrspace(3) global [18432 x i8]

; The options are those that the file was compiled with, not those of the link.
; RUN: %opt -S '-passes=lto-pre-link<O2>' -ferry-stage-max-bytes=12000 -ferry-stage=off -ferry-stage-kernel=k_l3=always -ferry-stage-gpu=h200 %t.ll -o %t.options.ll
; RUN: FileCheck %s --check-prefix=OPTIONS --input-file=%t.options.ll
; RUN: %opt -S '-passes=lto<O2>' -ferry-stage=off %t.options.ll | FileCheck %s --check-prefix=SMALL
; OPTIONS: "ferry-stage"="always" "ferry-stage-gpu"="name=NVIDIA H200{{.*}}" "ferry-stage-max-bytes"="12000"
; SMALL: @ferry.tile = internal {{(unnamed_addr )?}}addrspace(3) global [10240 x i8]

; RUN: %opt -S '-passes=lto-pre-link<O2>' -ferry-stage=off %t.ll -o %t.off.ll
; RUN: not grep -e '"ferry-stage' -e ferry.until.linked -e ferry.tile %t.off.ll
; RUN: %opt -S '-passes=lto<O2>' %t.off.ll | not grep -e '"ferry-stage' -e ferry.until.linked -e ferry.tile
; RUN: for o in 0 1 s z; do %opt -S "-passes=lto-pre-link<O$o>" %t.ll | not grep -e '"ferry-stage' -e ferry.until.linked -e ferry.tile || exit 1; done

; Staged at once: without link-time optimisation of the whole program, and where
; it is there what the runtime does.
; RUN: sed s,ThinLTO,other, %t.ll | %opt -S '-passes=default<O2>' | FileCheck %s --check-prefix=NOW
; RUN: sed 's/^declare i32 @__kmpc_target_init.*/define i32 @__kmpc_target_init(ptr %%e, ptr %%l) { ret i32 -1 }/' %t.ll | \
; RUN:   %opt -S '-passes=default<O2>' | FileCheck %s --check-prefix=NOW
; NOW: @ferry.tile =

declare i32 @__kmpc_target_init(ptr, ptr)

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
  br i1 %more, label %loop, label %end, !llvm.loop !1
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}

attributes #1 = { nounwind memory(none) }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"ThinLTO", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
