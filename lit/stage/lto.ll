; Link-time optimisation: what is prepared before the link, and staged at it.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: for o in 2 3; do %opt -S "-passes=lto-pre-link<O$o>" %t.ll -o %t.prepared.ll || exit 1; \
; RUN:   FileCheck %s --check-prefix=PREPARED --input-file=%t.prepared.ll --implicit-check-not=ferry.tile \
; RUN:     --implicit-check-not='"ferry-' || exit 1; \
; RUN:   %opt -S "-passes=lto<O$o>,verify" %t.prepared.ll | FileCheck %s --check-prefix=LINKED \
; RUN:     --implicit-check-not='"ferry-' --implicit-check-not=ferry.prepared || exit 1; done
;
; The kernel is what Clang makes of it, and its code as it was travels beside it,
; with what it refers to.
; PREPARED-LABEL: define void @__omp_offloading_1_2_k_l3(
; PREPARED-SAME:    !ferry.prepared ![[KEY:[0-9]+]]
; PREPARED-COUNT-5: load double
; PREPARED:         !ferry.prepared = !{![[CODE:[0-9]+]]}
; PREPARED:         ![[CODE]] = !{!"[[HEX:[0-9A-F]+]]", !"BC\C0\DE{{.*}}", {{.*}}!"factor", ptr @factor
; PREPARED:         ![[KEY]] = !{!"[[HEX]]"}
;
; LINKED: @ferry.tile = internal {{(unnamed_addr )?}}addrspace(3) global [18432 x i8]

; A kernel in which nothing is staged is what it is with staging off.
; RUN: for o in 2 3; do for stage in on off; do \
; RUN:   %opt -S "-passes=lto-pre-link<O$o>" -ferry-stage=$stage -ferry-stage-max-bytes=1 %t.ll | \
; RUN:   %opt -S "-passes=lto<O$o>" -o %t.left-$stage.ll || exit 1; done; \
; RUN: diff %t.left-off.ll %t.left-on.ll || exit 1; done

; A link at another level leaves nothing, and one without Ferry makes of it what
; it makes of a file that was compiled with staging off; so both do of the version
; that launches may take instead, which is there where the device runtime is.
; RUN: %opt -S '-passes=lto-pre-link<O3>' -ferry-stage=off %t.ll -o %t.off.ll
; RUN: code() { llvm-extract --func=__omp_offloading_1_2_k_l3$2 %t.$1.bc -o - | llc | \
; RUN:   sed 's/_unstaged//; s/ *\/\/.*//' > %t.$1$2.s && grep -q ld.global %t.$1$2.s; }; \
; RUN: for link in "opt 0" "opt 1" "opt 2" "%opt 0" "%opt 1"; do for file in prepared off; do \
; RUN:   ${link%% *} "-passes=lto<O${link##* }>" %t.$file.ll -o %t.$file.bc && code $file || exit 1; done; \
; RUN:   for version in "" %if device-runtime %{ _unstaged %}; do \
; RUN:     code prepared $version && diff %t.off.s %t.prepared$version.s || exit 1; done; done
; RUN: for o in 0 1; do %opt -S "-passes=lto<O$o>" %t.prepared.ll | not grep -e ferry.prepared -e ferry.tile || exit 1; done

; The options are those that the file was compiled with, not those of the link.
; RUN: %opt -S '-passes=lto-pre-link<O2>' -ferry-stage-max-bytes=12000 -ferry-stage=off -ferry-stage-kernel=k_l3=always -ferry-stage-gpu=h200 %t.ll -o %t.options.ll
; RUN: %opt -S '-passes=lto<O2>' -ferry-stage=off %t.options.ll -pass-remarks=ferry -o %t.small.ll 2>&1 | \
; RUN:   FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.small.ll --check-prefix=SMALL
; REMARK: predicted for NVIDIA H200
; SMALL: @ferry.tile = internal {{(unnamed_addr )?}}addrspace(3) global [10240 x i8]

; RUN: not grep -e ferry.prepared -e ferry.tile %t.off.ll
; RUN: %opt -S '-passes=lto<O2>' %t.off.ll | not grep -e ferry.prepared -e ferry.tile
; RUN: for o in 0 1 s z; do %opt -S "-passes=lto-pre-link<O$o>" %t.ll | not grep -e ferry.prepared -e ferry.tile || exit 1; done

; Staged at once: without link-time optimisation of the whole program, and where
; it is there what the runtime does.
; RUN: sed s,ThinLTO,other, %t.ll | %opt -S '-passes=default<O2>' | FileCheck %s --check-prefix=NOW
; RUN: sed 's/^declare i32 @__kmpc_target_init.*/define i32 @__kmpc_target_init(ptr %%e, ptr %%l) { ret i32 -1 }/' %t.ll | \
; RUN:   %opt -S '-passes=default<O2>' | FileCheck %s --check-prefix=NOW
; NOW: @ferry.tile =

declare i32 @__kmpc_target_init(ptr, ptr)

@factor = external global double

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
  %by = load double, ptr @factor
  %product = fmul double %sum.next, %by
  store double %product, ptr %q
  br label %exit
exit:
  ret void
}

attributes #1 = { nounwind memory(none) }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"ThinLTO", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
