; ferry-math-functions says what libdevice's functions do, whether they are
; declared or defined, and keeps large bodies until staging is done;
; ferry-inline-math inlines them.
;
; RUN: %opt -passes=ferry-math-functions -S %s | FileCheck %s
; RUN: %opt -passes=ferry-math-functions,ferry-inline-math -S %s | FileCheck %s --check-prefix=INLINED
; RUN: sed s/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/ %s | %opt -passes=ferry-math-functions -S | FileCheck %s --check-prefix=OTHER
; RUN: %opt -passes='default<O2>' -S %s | FileCheck %s --check-prefix=PIPELINE
; RUN: %opt -passes='default<O2>' -ferry-stage=off -S %s | FileCheck %s --check-prefix=OFF

; OTHER: declare float @__nv_tanhf(float) [[BARE:#[0-9]+]]
; OTHER: attributes [[BARE]] = { convergent }

target triple = "nvptx64-nvidia-cuda"

; The optimiser knows it: a result that nobody uses is not computed. Without
; staging it is told nothing.
; PIPELINE-LABEL: define void @unused
; PIPELINE-NEXT: ret void
; OFF-LABEL: define void @unused
; OFF-NEXT: call float @__nv_tanhf
define void @unused(float %x) {
  %y = call float @__nv_tanhf(float %x) #0
  ret void
}

; CHECK-LABEL: define float @uses
; CHECK: call float @__nv_tanhf(float %x) [[CALL:#[0-9]+]]
; CHECK: call float @__nv_sinf(float %a) [[CALL]]
; CHECK: call float @__nv_fabsf(float %b) [[CALL]]
; CHECK: call void @__nv_sincosf(float %c, ptr %s, ptr %s) [[OLD:#[0-9]+]]
; CHECK: call float @unknown(float %c) [[OLD]]
; INLINED-LABEL: define float @uses
; INLINED-NOT: @__nv_sinf
; INLINED: call float asm "sin.approx.f32 $0, $1;"
; INLINED: ret float
define float @uses(float %x, ptr %s) {
  %a = call float @__nv_tanhf(float %x) #0
  %b = call float @__nv_sinf(float %a) #0
  %c = call float @__nv_fabsf(float %b) #0
  call void @__nv_sincosf(float %c, ptr %s, ptr %s) #0
  %d = call float @unknown(float %c) #0
  ret float %d
}

; One whose address is taken.
@pointer = global ptr @__nv_tanhf

; Calls say what a declaration does not.
; CHECK: declare float @__nv_tanhf(float){{$}}
declare float @__nv_tanhf(float) #0
declare float @unknown(float) #0
; CHECK: declare void @__nv_sincosf(float, ptr, ptr) [[OLD]]
declare void @__nv_sincosf(float, ptr, ptr) #0

; CHECK: define internal float @__nv_sinf(float %x) [[LATER:#[0-9]+]]
; CHECK: call float asm "sin.approx.f32 $0, $1;", "=f,f"(float %v) [[CALL]]
; PIPELINE-NOT: @__nv_sinf
define internal float @__nv_sinf(float %x) #1 {
  %table = alloca [2 x float]
  store float %x, ptr %table
  %v = load float, ptr %table
  %y = call float asm "sin.approx.f32 $0, $1;", "=f,f"(float %v) #2
  ret float %y
}

; CHECK: define internal float @__nv_fabsf(float %x) [[SMALL:#[0-9]+]]
define internal float @__nv_fabsf(float %x) #1 {
  %y = call float @llvm.fabs.f32(float %x)
  ret float %y
}
declare float @llvm.fabs.f32(float)

; CHECK-DAG: attributes [[LATER]] = { nofree noinline nosync nounwind willreturn memory(none) "ferry-inline-later"="always" }
; CHECK-DAG: attributes [[SMALL]] = { alwaysinline nofree nosync nounwind willreturn memory(none) }
; CHECK-DAG: attributes [[CALL]] = { nofree nosync nounwind willreturn memory(none) }
; CHECK-DAG: attributes [[OLD]] = { convergent }
attributes #0 = { convergent }
attributes #1 = { alwaysinline convergent nounwind }
attributes #2 = { nounwind memory(none) }
