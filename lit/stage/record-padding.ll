; Padding of records, of which access tags tell, is copied along with what is read where
; that makes words larger, and does not keep copies from being asynchronous.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt %t.ll -disable-output '-passes=print<ferry-stage-accesses>' | FileCheck %s
; RUN: %opt %t.ll -S -ferry-stage=always -passes=ferry-stage,verify | FileCheck %s --check-prefix=ASYNC
; CHECK: row: {{.*}}%pairs) + k * 16, 16 bytes in words of 8, 2 loads
; CHECK: row: {{.*}}%triples) + k * 24, 24 bytes in words of 8, 3 loads
; ASYNC: cp.async
;
; Other fields may be written by other threads meanwhile.
; RUN: sed 's/; other: //' %t.ll > %t.other.ll
; RUN: %opt %t.other.ll -disable-output '-passes=print<ferry-stage-accesses>' | FileCheck %s --check-prefix=OTHER
; RUN: %opt %t.other.ll -S -ferry-stage=always -passes=ferry-stage,verify | FileCheck %s --check-prefix=SYNC
; OTHER: row: {{.*}}%pairs) + k * 16, 12 bytes in words of 4, 2 loads
; OTHER: row: {{.*}}%triples) + k * 24, 24 bytes in words of 8, 3 loads
; SYNC-NOT: cp.async
;
; So may anything without tags.
; RUN: sed 's/, !tbaa.*//' %t.ll > %t.plain.ll
; RUN: %opt %t.plain.ll -disable-output '-passes=print<ferry-stage-accesses>' | FileCheck %s --check-prefix=OTHER
; RUN: %opt %t.plain.ll -S -ferry-stage=always -passes=ferry-stage,verify | FileCheck %s --check-prefix=SYNC

define void @__omp_offloading_1_2_k_l3(ptr noalias %pairs, ptr noalias %triples, ptr noalias %b, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %first = mul nuw nsw i64 %i, %m
  %pair.row = getelementptr [16 x i8], ptr %pairs, i64 %first
  %triple.row = getelementptr [24 x i8], ptr %triples, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %pair = getelementptr [16 x i8], ptr %pair.row, i64 %j
  %x = load double, ptr %pair, align 8, !tbaa !4
  %pkind = getelementptr i8, ptr %pair, i64 8
  %kind = load float, ptr %pkind, align 8, !tbaa !5
  %triple = getelementptr [24 x i8], ptr %triple.row, i64 %j
  %u = load double, ptr %triple, align 8, !tbaa !7
  %pv = getelementptr i8, ptr %triple, i64 8
  %v = load float, ptr %pv, align 8, !tbaa !8
  %pw = getelementptr i8, ptr %triple, i64 16
  %w = load double, ptr %pw, align 8, !tbaa !9
  %floats = fadd float %kind, %v
  %more = fpext float %floats to double
  %xu = fadd double %x, %u
  %xuw = fadd double %xu, %w
  %all = fadd double %xuw, %more
  %sum.next = fadd double %sum, %all
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %m
  br i1 %again, label %loop, label %exit
exit:
  %out = getelementptr double, ptr %b, i64 %i
  store double %sum.next, ptr %out
  ret void
}

!0 = !{!"C++"}
!1 = !{!"double", !0, i64 0}
!2 = !{!"float", !0, i64 0}
!3 = !{!"Pair", !1, i64 0, !2, i64 8
; other: , !2, i64 12
  }
!4 = !{!3, !1, i64 0}
!5 = !{!3, !2, i64 8}
!6 = !{!"Triple", !1, i64 0, !2, i64 8
; other: , !2, i64 12
  , !1, i64 16}
!7 = !{!6, !1, i64 0}
!8 = !{!6, !2, i64 8}
!9 = !{!6, !1, i64 16}
