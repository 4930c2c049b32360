; What would be done, with the figures of the model: print<ferry-stage-plan>.
; RUN: cat %S/Inputs/nvptx.ll %s > %t.ll
; RUN: %opt -disable-output '-passes=print<ferry-stage-plan>' %t.ll | FileCheck %s --match-full-lines
; RUN: %opt -disable-output '-passes=print<ferry-stage-plan>' -ferry-stage=always %t.ll | FileCheck %s --check-prefix=ALWAYS
; RUN: %opt -disable-output '-passes=print<ferry-stage-plan>' -ferry-stage=off %t.ll | FileCheck %s --check-prefix=OFF
; RUN: %opt -disable-output '-passes=print<ferry-stage-plan>' -ferry-stage-max-bytes=9216 %t.ll | FileCheck %s --check-prefix=HALF

;      CHECK:Staging plan of kernel '__omp_offloading_1_2_k_l3':
; CHECK-NEXT:  region from %entry to %exit, blocks of up to 128 threads
; CHECK-NEXT:  loop of (1 umax %m) iterations, 0 stores, of %n threads of a block at most
; CHECK-NEXT:    row: ((8 * (zext i32 %tid to i64) * %m) + %a) + k * 8, 8 bytes in words of 8, 1 load, thread stride varies
; CHECK-NEXT:    tiles of 32 iterations, 18432 bytes; sectors for an iteration of a warp: 32.0, staged 8.0
; CHECK-NEXT:    predicted for NVIDIA H100 80GB HBM3: {{[0-9.]+}} clocks ({{[a-z0-9]+}}), staged {{[0-9.]+}} (dram)
; CHECK-NEXT:    rows in the same banks: predicted for NVIDIA H100 80GB HBM3: {{[0-9.]+}} clocks (l1), staged {{[0-9.]+}} (dram)
; CHECK-NEXT:    a warp alone: predicted for NVIDIA H100 80GB HBM3: {{[0-9.]+}} clocks (latency), staged {{[0-9.]+}} ({{[a-z0-9]+}})
; CHECK-NEXT:  left (already-coalesced):  %w = load double, ptr %r, align 8

; ALWAYS:     row: {{.*}} + %b) + k * 8192, 8 bytes in words of 8, 1 load, thread stride 8
; ALWAYS-NEXT: tiles of
; ALWAYS-NOT: left

; OFF:      Staging plan of kernel '__omp_offloading_1_2_k_l3':
; OFF-NOT:  {{.}}

; 128 rows of 8 elements and padding, or half as many of 16.
; HALF: tiles of 16 iterations, 9216 bytes;

define void @__omp_offloading_1_2_k_l3(ptr %a, ptr %b, ptr %sums, i64 %n, i64 %m) #0 {
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
  %at = mul nuw nsw i64 %j, 1024
  %column = getelementptr double, ptr %b, i64 %i
  %r = getelementptr double, ptr %column, i64 %at
  %w = load double, ptr %r
  %product = fmul double %v, %w
  %sum.next = fadd double %sum, %product
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
