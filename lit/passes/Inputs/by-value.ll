; template <class F> void run(F f) {
; #pragma omp target
;   f(0);
; }
; run([=](int i) { p[i] = n; });             with  double *p, *unused; double n;
;
; As Clang 19 emits it with libferry-clang-19.so, without names that do not matter.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%closure = type { ptr, ptr, double }
%args = type { i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, [3 x i32], [3 x i32], i32 }

@ident = private unnamed_addr constant { i32, i32, i32, i32, ptr } { i32 0, i32 2, i32 0, i32 0, ptr null }
@.__omp_offloading_1_2_run_l2.region_id = weak constant i8 0
@sizes = private unnamed_addr constant [3 x i64] [i64 24, i64 0, i64 0]
@types = private unnamed_addr constant [3 x i64] [i64 673, i64 281474976711440, i64 281474976711440]
@text = private unnamed_addr constant [218 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22p\22,\22offset\22:0},{\22kind\22:\22pointer\22,\22name\22:\22v.unused\22,\22offset\22:8}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"
@file = private unnamed_addr constant [6 x i8] c"a.cpp\00", section "llvm.metadata"
@hot = private unnamed_addr constant [4 x i8] c"hot\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @run, ptr @text, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @run, ptr @hot, ptr @file, i32 1, ptr null }], section "llvm.metadata"

declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)
declare i32 @__gxx_personality_v0(...)
declare void @elsewhere(ptr)

define void @run(ptr %p, ptr %unused, double %n) personality ptr @__gxx_personality_v0 {
entry:
  %f = alloca %closure, align 8
  %bases = alloca [3 x ptr], align 8
  %ptrs = alloca [3 x ptr], align 8
  %block = alloca %args, align 8
  %f.p = getelementptr inbounds %closure, ptr %f, i32 0, i32 0
  store ptr %p, ptr %f.p, align 8
  %f.unused = getelementptr inbounds %closure, ptr %f, i32 0, i32 1
  store ptr %unused, ptr %f.unused, align 8
  %f.n = getelementptr inbounds %closure, ptr %f, i32 0, i32 2
  store double %n, ptr %f.n, align 8
  %b0 = getelementptr inbounds [3 x ptr], ptr %bases, i32 0, i32 0
  store ptr %f, ptr %b0, align 8
  %p0 = getelementptr inbounds [3 x ptr], ptr %ptrs, i32 0, i32 0
  store ptr %f, ptr %p0, align 8
  %b1 = getelementptr inbounds [3 x ptr], ptr %bases, i32 0, i32 1
  store ptr %f.p, ptr %b1, align 8
  %p1 = getelementptr inbounds [3 x ptr], ptr %ptrs, i32 0, i32 1
  store ptr %p, ptr %p1, align 8
  %b2 = getelementptr inbounds [3 x ptr], ptr %bases, i32 0, i32 2
  store ptr %f.unused, ptr %b2, align 8
  %p2 = getelementptr inbounds [3 x ptr], ptr %ptrs, i32 0, i32 2
  store ptr %unused, ptr %p2, align 8
  %block.version = getelementptr inbounds %args, ptr %block, i32 0, i32 0
  store i32 3, ptr %block.version, align 4
  %block.num = getelementptr inbounds %args, ptr %block, i32 0, i32 1
  store i32 3, ptr %block.num, align 4
  %block.bases = getelementptr inbounds %args, ptr %block, i32 0, i32 2
  store ptr %bases, ptr %block.bases, align 8
  %block.ptrs = getelementptr inbounds %args, ptr %block, i32 0, i32 3
  store ptr %ptrs, ptr %block.ptrs, align 8
  %block.sizes = getelementptr inbounds %args, ptr %block, i32 0, i32 4
  store ptr @sizes, ptr %block.sizes, align 8
  %block.types = getelementptr inbounds %args, ptr %block, i32 0, i32 5
  store ptr @types, ptr %block.types, align 8
  %block.names = getelementptr inbounds %args, ptr %block, i32 0, i32 6
  store ptr null, ptr %block.names, align 8
  %block.mappers = getelementptr inbounds %args, ptr %block, i32 0, i32 7
  store ptr null, ptr %block.mappers, align 8
  %block.trips = getelementptr inbounds %args, ptr %block, i32 0, i32 8
  store i64 0, ptr %block.trips, align 8
  %block.flags = getelementptr inbounds %args, ptr %block, i32 0, i32 9
  store i64 0, ptr %block.flags, align 8
  %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 -1, i32 0, ptr @.__omp_offloading_1_2_run_l2.region_id, ptr %block)
  %bad = icmp ne i32 %rc, 0
  br i1 %bad, label %omp_offload.failed, label %omp_offload.cont

omp_offload.failed:
  call void @__omp_offloading_1_2_run_l2(ptr %f)
  br label %omp_offload.cont

omp_offload.cont:
  ret void
}

define internal void @__omp_offloading_1_2_run_l2(ptr noundef nonnull align 8 dereferenceable(24) %f) noinline {
  %f.addr = alloca ptr, align 8
  store ptr %f, ptr %f.addr, align 8
  %copy = alloca %closure, align 8
  %this = load ptr, ptr %f.addr, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 8 %this, i64 24, i1 false)
  call void @body(ptr %copy, i32 0)
  ret void
}

define linkonce_odr void @body(ptr noundef nonnull align 8 dereferenceable(24) %this, i32 noundef %i) {
  %this.n = getelementptr inbounds %closure, ptr %this, i32 0, i32 2
  %n = load double, ptr %this.n, align 8
  %this.p = getelementptr inbounds %closure, ptr %this, i32 0, i32 0
  %p = load ptr, ptr %this.p, align 8
  %x = sext i32 %i to i64
  %at = getelementptr inbounds double, ptr %p, i64 %x
  store double %n, ptr %at, align 8
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
