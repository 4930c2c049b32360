; Two loops with a branch between them: a thread that passes the second one over
; meets the others there nevertheless.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=FALLBACK
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=PLACES

; REMARK-COUNT-2: remark: {{.*}} staged 1 load through 18432 bytes

; Both have the same shared memory, one after the other.
; CHECK:     @ferry.tile = internal addrspace(3) global [18432 x i8]
; CHECK-NOT: @ferry.tile
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}loop.a:
; CHECK:         load i32, ptr addrspace(3)
; CHECK:       {{^}}between:
; CHECK:         br i1 %low, label %{{.*}}, label %end
; CHECK:       {{^}}loop.b:
; CHECK:         load i32, ptr addrspace(3)

; FALLBACK: {{^}}loop.a.fallback:
; FALLBACK: {{^}}loop.b.fallback:

; A thread goes on where it was: at the start, or behind one of the loops.
; PLACES-DAG:  %[[SECOND:.*]] = icmp eq i32 %[[PLACE:.*]], 2
; PLACES-DAG:  br i1 %[[SECOND]], label %end, label %ferry.start
; PLACES-DAG:  %[[FIRST:.*]] = icmp eq i32 %[[PLACE]], 1
; PLACES-DAG:  br i1 %[[FIRST]], label %between, label %ferry.start

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %y, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row.a = getelementptr i32, ptr %a, i64 %first
  %row.b = getelementptr i32, ptr %b, i64 %first
  br label %loop.a
loop.a:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop.a ]
  %sum = phi i32 [ 0, %begin ], [ %sum.next, %loop.a ]
  %p = getelementptr i32, ptr %row.a, i64 %j
  %v = load i32, ptr %p
  %sum.next = add i32 %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop.a, label %between
between:
  %low = icmp ult i64 %i, 100
  br i1 %low, label %middle, label %end
middle:
  br label %loop.b
loop.b:
  %k = phi i64 [ 0, %middle ], [ %k.next, %loop.b ]
  %max = phi i32 [ 0, %middle ], [ %max.next, %loop.b ]
  %r = getelementptr i32, ptr %row.b, i64 %k
  %w = load i32, ptr %r
  %max.next = call i32 @llvm.umax.i32(i32 %max, i32 %w)
  %k.next = add nuw nsw i64 %k, 1
  %more.b = icmp ult i64 %k.next, %m
  br i1 %more.b, label %loop.b, label %after
after:
  br label %end
end:
  %result = phi i32 [ %sum.next, %between ], [ %max.next, %after ]
  %q = getelementptr i32, ptr %y, i64 %i
  store i32 %result, ptr %q
  br label %exit
exit:
  ret void
}

declare i32 @llvm.umax.i32(i32, i32)
