; What all threads read alike comes along with the rows, once for the warp.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -S -passes=ferry-stage,verify -o %t.ll \
; RUN:   -pass-remarks=ferry -pass-remarks-analysis=ferry 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll

; REMARK: remark: {{.*}} staged 2 loads through 18944 bytes {{.*}}; 4.1 instead of 33.0 sectors
; REMARK-NEXT: remark: {{.*}} a row for each thread, 32 words of 4 bytes, padded by 16 bytes
; REMARK-NEXT: remark: {{.*}} one row for the warp, 32 words of 4 bytes

; Rows of 144 bytes for 128 threads, and 128 bytes for each of four warps.
; CHECK: @ferry.tile = internal addrspace(3) global [18944 x i8]
; CHECK-LABEL: define void @__omp_offloading_1_2_k_l3(
; CHECK:       {{^}}loop:
; CHECK-NOT:   load float, ptr %
; CHECK:         %[[A:.*]] = load float, ptr addrspace(3)
; CHECK-NOT:   load float, ptr %
; CHECK:         %[[X:.*]] = load float, ptr addrspace(3)
; CHECK:         fmul float %[[A]], %[[X]]
; CHECK:         br i1 %{{.*}}, label %ferry.tiled, label %loop

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %x, ptr %y, i64 %n, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %begin, label %exit
begin:
  %first = mul nuw nsw i64 %i, %m
  %row = getelementptr float, ptr %a, i64 %first
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %begin ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %row, i64 %j
  %v = load float, ptr %p
  %px = getelementptr float, ptr %x, i64 %j
  %vx = load float, ptr %px
  %product = fmul float %v, %vx
  %sum.next = fadd float %sum, %product
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr float, ptr %y, i64 %i
  store float %sum.next, ptr %q
  br label %exit
exit:
  ret void
}
