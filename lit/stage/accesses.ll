; What the analysis sees: print<ferry-stage-accesses>.
; RUN: cat %S/Inputs/nvptx.ll %s | %opt -disable-output '-passes=print<ferry-stage-accesses>' | FileCheck %s --match-full-lines --strict-whitespace

;      CHECK:Accesses of kernel '__omp_offloading_1_2_k_l3':
; CHECK-NEXT:  loop of %m iterations, 1 store
; CHECK-NEXT:    row: ((4 * (zext i32 %tid to i64) * %m) + %a) + k * 4, 8 bytes in words of 4, 2 loads, thread stride varies
; CHECK-NEXT:    uniform: %x + k * 2, 2 bytes in words of 2, 1 load, thread stride 0
; CHECK-NEXT:    row: {{.*}} + k * 16, 1 bytes in words of 1, 1 load, thread stride 1
; CHECK-NEXT:  record
; CHECK-NEXT:    row: {{.*}}<%loop>, 8 bytes in words of 4, 2 loads, thread stride varies
; CHECK-NEXT:  left (not-affine):  %far = load float, ptr %pfar, align 4

; Other functions are not kernels.
; CHECK-NOT:{{.+}}

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %x, ptr %c, ptr %b, i64 %m) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %many = icmp ugt i64 %m, 1
  br i1 %many, label %begin, label %exit
begin:
  %first = mul nuw i64 %i, %m
  %row = getelementptr float, ptr %a, i64 %first
  %mine = getelementptr i8, ptr %c, i64 %i
  %out = getelementptr float, ptr %b, i64 %i
  br label %loop
loop:
  %j = phi i64 [ 0, %begin ], [ %j.next, %loop ]
  %p = getelementptr float, ptr %row, i64 %j
  %v = load float, ptr %p
  %pnext = getelementptr float, ptr %p, i64 1
  %vnext = load float, ptr %pnext
  %px = getelementptr i16, ptr %x, i64 %j
  %vx = load i16, ptr %px
  %jc = shl i64 %j, 4
  %pc = getelementptr i8, ptr %mine, i64 %jc
  %vc = load i8, ptr %pc
  %index = zext i16 %vx to i64
  %pfar = getelementptr float, ptr %row, i64 %index
  %far = load float, ptr %pfar
  %s1 = fadd float %v, %vnext
  %s2 = fadd float %s1, %far
  %vcf = uitofp i8 %vc to float
  %s3 = fadd float %s2, %vcf
  store float %s3, ptr %out
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %m
  br i1 %more, label %loop, label %end
end:
  br label %exit
exit:
  ret void
}

define void @helper(ptr %a) #0 {
  %v = load float, ptr %a
  ret void
}
