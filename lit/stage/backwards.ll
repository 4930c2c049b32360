; A row that is walked from its end: a tile has its steps in the order of the
; walk, and each is copied from further down.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.in.ll
; RUN: %opt -S -passes=ferry-stage,verify %t.in.ll -o %t.ll -pass-remarks=ferry \
; RUN:   -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK
; RUN: %opt -disable-output -passes='print<ferry-stage-accesses>' %t.in.ll 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ACCESSES

; REMARK: remark: {{.*}} staged 1 load through 17408 bytes {{.*}} 8.0 instead of 32.0 sectors
; REMARK-NEXT: a row for each thread, 32 words of 8 bytes, padded by 8 bytes

; ACCESSES: row: {{.*}} + k * -8, 8 bytes in words of 8, 1 load

; Tiles are read from their beginnings.
; CHECK:      {{^}}loop:
; CHECK:        %[[COLUMN:.*]] = phi i64 [ %[[NEXT:.*]], %loop ], [ 0, %ferry.part.rest ]
; CHECK:        %[[AT:.*]] = shl nuw nsw i64 %[[COLUMN]], 3
; CHECK-NEXT:   %[[P:.*]] = getelementptr i8, ptr addrspace(3) %{{.*}}, i64 %[[AT]]
; CHECK-NEXT:   load double, ptr addrspace(3) %[[P]]
; CHECK:        %[[NEXT]] = add nuw nsw i64 %[[COLUMN]], 1
; FALLBACK: {{^}}loop.fallback:
; FALLBACK:   load double, ptr %p.fallback

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
  %j = phi i64 [ %m, %begin ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %begin ], [ %sum.next, %loop ]
  %j.next = add nsw i64 %j, -1
  %p = getelementptr double, ptr %row, i64 %j.next
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %more = icmp sgt i64 %j, 1
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
