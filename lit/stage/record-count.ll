; A record says how long the row of its thread is, and where: both are staged, and
; the length that a thread says is what came out of the record.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -ferry-stage=always \
; RUN:   -o %t.ll -pass-remarks=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll

; REMARK-COUNT-2: remark: {{.*}} staged {{[12]}} load

; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK-DAG:     %[[FEW:.*]] = call i64 @llvm.umin.i64(i64 %[[LENGTH:[^,]*]], i64 134217729)
; CHECK-DAG:     %[[SAID:.*]] = trunc nuw nsw i64 %[[FEW]] to i32
; CHECK-DAG:     %steps{{.*}} = phi i32 {{.*}}[ %[[SAID]], %ferry.want
; CHECK-DAG:     %[[LENGTH]] = phi i64 {{.*}}[ %[[MET:[^,]*]], %ferry.go.loopexit ]
; CHECK-DAG:     %[[MET]] = phi i64 {{.*}}[ %[[FINISHED:[^,]*]], %ferry.finished ]
; CHECK-DAG:     %[[FINISHED]] = phi i64 [ %[[STAGED:[^,]*]], %ferry.read ]
; CHECK-DAG:     %[[STAGED]] = load i64, ptr addrspace(3)

define void @__omp_offloading_1_2_k_l3(ptr %records, ptr %a, ptr %sums, i64 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %count.p = getelementptr [5 x i64], ptr %records, i64 %i
  %first.p = getelementptr i8, ptr %count.p, i64 24
  %count = load i64, ptr %count.p
  %first = load i64, ptr %first.p
  %row = getelementptr double, ptr %a, i64 %first
  %some = icmp ne i64 %count, 0
  br i1 %some, label %before, label %exit
before:
  br label %loop
loop:
  %j = phi i64 [ 0, %before ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %before ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %j.next = add nuw i64 %j, 1
  %more = icmp ne i64 %j.next, %count
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr %sums, i64 %i
  store double %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
