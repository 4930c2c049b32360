; What is written to the log, and what the table says about it.
;
; RUN: llvm-as %s -o %t.bc
; RUN: %files/sim/ferry-sim-translate --arch sm_90 --emit-llvm -o %t.ll %t.bc
; RUN: FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,LLVM%llvm_version
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=TABLE
; The log's words have a row of 32 columns each, the instruction's number in
; the upper 16 bits.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@constant = addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; Room for two words, once; each before its access.
; CHECK-LABEL: define {{.*}}void @load_store(
; CHECK: %[[LAST:.*]] = getelementptr i64, ptr %{{.*}}, i64 32
; CHECK-NEXT: %[[FULL:.*]] = icmp uge ptr %[[LAST]], %log.end
; CHECK-NEXT: br i1 %[[FULL]], {{.*}}!prof
; CHECK: call void @ferry_sim_log_full()
; CHECK: %[[LOG:.*]] = load ptr, ptr %log
; CHECK-NEXT: %[[FIRST:.*]] = getelementptr i64, ptr %[[LOG]], i64 0
; CHECK-NEXT: %[[P:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: %[[WORD:.*]] = or i64 %[[P]], [[#mul(65536,mul(65536,65536))]]
; CHECK-NEXT: store i64 %[[WORD]], ptr %[[FIRST]]
; CHECK-NEXT: %v = load double, ptr addrspace(1) %p
; CHECK-NEXT: %[[SECOND:.*]] = getelementptr i64, ptr %[[LOG]], i64 32
; CHECK-NEXT: %[[Q:.*]] = ptrtoint ptr addrspace(1) %q to i64
; CHECK-NEXT: %[[WORD:.*]] = or i64 %[[Q]], [[#mul(2,mul(65536,mul(65536,65536)))]]
; CHECK-NEXT: store i64 %[[WORD]], ptr %[[SECOND]]
; CHECK-NEXT: %[[NEXT:.*]] = getelementptr i64, ptr %[[LOG]], i64 64
; CHECK-NEXT: store ptr %[[NEXT]], ptr %log
; CHECK-NEXT: store double %v, ptr addrspace(1) %q
; CHECK-NOT: ferry_sim_log_full
; CHECK: ret void
define void @load_store(ptr addrspace(1) %p, ptr addrspace(1) %q) !dbg !10 {
  %v = load double, ptr addrspace(1) %p, align 8, !dbg !12
  store double %v, ptr addrspace(1) %q, align 8, !dbg !13
  ret void
}

; Instructions are counted by block, without what is no code of the device, and
; added to the lane's when the function ends, as is its place in the log.
; CHECK-LABEL: define {{.*}}void @counts(
; CHECK: store i64 0, ptr %count
; CHECK: %[[COUNT:.*]] = load i64, ptr %count
; LLVM19-NEXT: add i64 %[[COUNT]], 4
; 22 has an addrspacecast of the variable.
; LLVM22-NEXT: add i64 %[[COUNT]], 5
; CHECK: store i32 %{{.*}}, ptr addrspace(1) %p
; CHECK-NEXT: %[[LOG:.*]] = load ptr, ptr %log
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr inbounds i8, ptr %lane, i64 0
; CHECK-NEXT: store ptr %[[LOG]], ptr %[[SLOT]]
; CHECK: %[[BEFORE:.*]] = load i64, ptr %[[TOTAL:.*]]
; CHECK-NEXT: %[[HERE:.*]] = load i64, ptr %count
; CHECK-NEXT: %[[SUM:.*]] = add i64 %[[BEFORE]], %[[HERE]]
; CHECK-NEXT: store i64 %[[SUM]], ptr %[[TOTAL]]
; The work of each pipe likewise.
; CHECK-COUNT-4: load i64, ptr %work
; CHECK: ret void
define void @counts(ptr addrspace(1) %p) {
entry:
  %v = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %v)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %t, ptr %v, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %v)
  store i32 %t, ptr addrspace(1) %p, align 4
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; NVPTX makes several accesses of one that is aligned to less than its size, or
; wider than it has instructions for.
; CHECK-LABEL: define {{.*}}void @pieces(
; CHECK: %[[P:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: or i64 %[[P]], [[#%u,FOUR:]]
; CHECK: %[[P:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: %[[NEXT:.*]] = add i64 %[[P]], 4
; The second piece begins no epoch of loads: another entry of the table.
; CHECK-NEXT: or i64 %[[NEXT]], [[#add(FOUR,mul(65536,mul(65536,65536)))]]
; CHECK: %v = load double
; CHECK: add i64 %{{.*}}, 8
; CHECK: store <3 x i32>
; CHECK: add i64 %{{.*}}, 8
; CHECK: store i128
; CHECK: add i64 %{{.*}}, 16
; CHECK-NOT: add i64 %{{.*}}, 8
; CHECK: store <8 x float>
; CHECK: ret void
define void @pieces(ptr addrspace(1) %p, ptr addrspace(1) %q, i128 %i, <8 x float> %f) {
  %v = load double, ptr addrspace(1) %p, align 4
  store <3 x i32> zeroinitializer, ptr addrspace(1) %q, align 16
  store volatile double %v, ptr addrspace(1) %q, align 8
  store i128 %i, ptr addrspace(1) %q, align 16
  store <8 x float> %f, ptr addrspace(1) %q, align 32
  ret void
}

; The lane's own memory, constants and parameters are of no interest.
; CHECK-LABEL: define {{.*}}void @silent(
; CHECK-NOT: ferry_sim_
; CHECK: load volatile i32, ptr addrspace(5)
; CHECK-NOT: ferry_sim_
; CHECK: ret void
define void @silent(i32 %i, ptr byval(i32) %s) {
  %a = alloca [4 x i32], align 4
  %e = getelementptr [4 x i32], ptr %a, i32 0, i32 %i
  %c = getelementptr [4 x i32], ptr addrspace(4) @constant, i32 0, i32 %i
  %k = load i32, ptr addrspace(4) %c, align 4
  %b = load i32, ptr %s, align 4
  %sum = add i32 %k, %b
  store volatile i32 %sum, ptr %e, align 4
  %v = load volatile i32, ptr %e, align 4
  ret void
}

; Other threads get a turn before an access that may wait for them.
; CHECK-LABEL: define {{.*}}void @waits(
; CHECK: call void @ferry_sim_spin(
; CHECK: atomicrmw add ptr addrspace(1)
; CHECK: call void @ferry_sim_spin(
; CHECK: cmpxchg ptr addrspace(1)
; CHECK: call void @ferry_sim_spin(
; CHECK: load volatile i32
; CHECK: call void @ferry_sim_spin(
; CHECK: store atomic i32
; CHECK-NOT: ferry_sim_spin
; CHECK: store i32 1
; CHECK: ret void
define void @waits(ptr addrspace(1) %p) {
  %o = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %x = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic, align 4
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  store atomic i32 %v, ptr addrspace(1) %p release, align 4
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}

; Neighbours become one access, as the backend makes it.
; CHECK-LABEL: define {{.*}}void @vector(
; CHECK: load <4 x float>, ptr addrspace(1) %p, align 16
; CHECK-NOT: load float
; CHECK: ret void
define void @vector(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %a = load float, ptr addrspace(1) %p, align 16
  %b = load float, ptr addrspace(1) %p1, align 4
  %c = load float, ptr addrspace(1) %p2, align 8
  %d = load float, ptr addrspace(1) %p3, align 4
  %x = fadd float %a, %b
  %y = fadd float %x, %c
  %z = fadd float %y, %d
  store float %z, ptr addrspace(1) %q, align 4
  ret void
}

; More words than may be written at once: 17 are 16 and 1.
; CHECK-LABEL: define {{.*}}void @many(
; CHECK: getelementptr i64, ptr %{{.*}}, i64 480
; CHECK: call void @ferry_sim_log_full()
; CHECK: getelementptr i64, ptr %{{.*}}, i64 512
; CHECK: getelementptr i64, ptr %{{.*}}, i64 0
; CHECK-NEXT: icmp uge
; CHECK: call void @ferry_sim_log_full()
; CHECK-NOT: ferry_sim_log_full
; CHECK: ret void
define void @many(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store i8 1, ptr addrspace(1) %p, align 1
  store i8 2, ptr addrspace(1) %q, align 1
  store i8 3, ptr addrspace(1) %p, align 1
  store i8 4, ptr addrspace(1) %q, align 1
  store i8 5, ptr addrspace(1) %p, align 1
  store i8 6, ptr addrspace(1) %q, align 1
  store i8 7, ptr addrspace(1) %p, align 1
  store i8 8, ptr addrspace(1) %q, align 1
  store i8 9, ptr addrspace(1) %p, align 1
  store i8 10, ptr addrspace(1) %q, align 1
  store i8 11, ptr addrspace(1) %p, align 1
  store i8 12, ptr addrspace(1) %q, align 1
  store i8 13, ptr addrspace(1) %p, align 1
  store i8 14, ptr addrspace(1) %q, align 1
  store i8 15, ptr addrspace(1) %p, align 1
  store i8 16, ptr addrspace(1) %q, align 1
  store i8 17, ptr addrspace(1) %p, align 1
  ret void
}

; Kind, whether it is the runtime's, size, flags, line, column.
; TABLE: @[[FILE:.*]] = private constant {{.*}} c"a.cpp\00"
; TABLE: @[[NAME:.*]] = private constant {{.*}} c"_Z4workv\00"
; TABLE: @ferry.instructions = private constant
; TABLE-SAME: { i8 0, i8 0, i8 8, i8 8, i8 4, i32 12, i32 5, ptr @[[FILE]], ptr @[[NAME]] }
; TABLE-SAME: { i8 1, i8 0, i8 8, i8 8, i8 0, i32 13, i32 7, ptr @[[FILE]], ptr @[[NAME]] }
; One entry for pieces of one size.
; TABLE-SAME: { i8 0, i8 0, i8 4, i8 4, i8 4, {{[^}]*}} }, {{[^}]*}} } { i8 0, i8 0, i8 4, i8 4, i8 0, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 8, i8 8, i8 0, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 4, i8 4, i8 0, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 8, i8 8, i8 1, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 8, i8 8, i8 0, {{[^}]*}} }, {{[^}]*}} } { i8 1, i8 0, i8 16, i8 16, i8 0,
; The atomics, the volatile load, the atomic store (flag 1), the plain one.
; TABLE-SAME: { i8 2, i8 0, i8 4, i8 4, i8 0, i32 0, i32 0,
; TABLE-SAME: { i8 2, i8 0, i8 4, i8 4, i8 4, i32 0, i32 0,
; TABLE-SAME: { i8 0, i8 0, i8 4, i8 4, i8 1, i32 0, i32 0,
; TABLE-SAME: { i8 1, i8 0, i8 4, i8 4, i8 1, i32 0, i32 0,
; TABLE-SAME: { i8 1, i8 0, i8 4, i8 4, i8 0, i32 0, i32 0,
; The vector.
; TABLE-SAME: { i8 0, i8 0, i8 16, i8 16, i8 4, i32 0, i32 0,

!llvm.dbg.cu = !{!8}
!llvm.module.flags = !{!7}
!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}
!0 = !{ptr @load_store, !"kernel", i32 1}
!1 = !{ptr @silent, !"kernel", i32 1}
!2 = !{ptr @waits, !"kernel", i32 1}
!3 = !{ptr @vector, !"kernel", i32 1}
!4 = !{ptr @many, !"kernel", i32 1}
!5 = !{ptr @pieces, !"kernel", i32 1}
!6 = !{ptr @counts, !"kernel", i32 1}
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, emissionKind: LineTablesOnly)
!9 = !DIFile(filename: "a.cpp", directory: "/")
!10 = distinct !DISubprogram(name: "work", linkageName: "_Z4workv", scope: !9, file: !9, line: 11, type: !11, unit: !8, spFlags: DISPFlagDefinition)
!11 = !DISubroutineType(types: !{})
!12 = !DILocation(line: 12, column: 5, scope: !10)
!13 = !DILocation(line: 13, column: 7, scope: !10)
