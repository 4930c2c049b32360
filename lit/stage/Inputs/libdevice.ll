; Functions of libdevice with what its bodies have: tables, a stack, loops,
; inline assembly. What they compute does not matter.
target triple = "nvptx64-nvidia-gpulibs"

@table = internal addrspace(1) constant [6 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6]

define float @__nv_sinf(float %x) #0 {
  %parts = alloca [8 x i32]
  %small = fcmp olt float %x, 1.0e+05
  br i1 %small, label %end, label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %from = getelementptr [6 x i32], ptr addrspace(1) @table, i64 0, i64 %i
  %v = load i32, ptr addrspace(1) %from
  %p = call { i32, i32 } asm "{\0A\09mad.lo.cc.u32   $0, $2, $3, $4;\0A\09madc.hi.u32     $1, $2, $3,  0;\0A\09}", "=r,=r,r,r,r"(i32 %v, i32 7, i32 9) #1
  %low = extractvalue { i32, i32 } %p, 0
  %to = getelementptr [8 x i32], ptr %parts, i64 0, i64 %i
  store i32 %low, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 6
  br i1 %more, label %loop, label %after
after:
  %k = fptosi float %x to i64
  %some = and i64 %k, 3
  %at = getelementptr [8 x i32], ptr %parts, i64 0, i64 %some
  %bits = load i32, ptr %at
  %f = sitofp i32 %bits to float
  br label %end
end:
  %y = phi float [ %x, %0 ], [ %f, %after ]
  ret float %y
}

define float @__nv_cosf(float %x) #0 {
  %y = call float @__nv_sinf(float %x)
  ret float %y
}

define float @__nv_fmodf(float %x, float %y) #0 {
  br label %loop
loop:
  %r = phi float [ %x, %0 ], [ %less, %loop ]
  %less = fsub float %r, %y
  %more = fcmp ogt float %less, %y
  br i1 %more, label %loop, label %end
end:
  ret float %less
}

define double @__nv_cbrt(double %x) #0 {
  %y = call double asm "rsqrt.approx.ftz.f64 $0, $1;", "=d,d"(double %x) #1
  %z = fmul double %y, %x
  ret double %z
}

define float @__nv_tanhf(float %x) #0 {
  %y = call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x) #1
  ret float %y
}

define double @__nv_fabs(double %x) #0 {
  %y = call double @llvm.fabs.f64(double %x)
  ret double %y
}
declare double @llvm.fabs.f64(double)

attributes #0 = { alwaysinline nounwind }
attributes #1 = { nounwind memory(none) }
