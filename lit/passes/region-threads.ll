; ferry-region-threads: kernels learn how many threads their parallel regions ask
; for.
;
; RUN: %opt -passes=ferry-region-threads -S %s | FileCheck %s
; CHECK: define void @one() [[SIXTYFOUR:#[0-9]+]]
; CHECK: define void @called() [[SIXTYFOUR]]
; CHECK: define void @caller() [[SIXTYFOUR]]
; CHECK: define void @two() [[ANY:#[0-9]+]]
; CHECK: define void @variable(i32 %n) [[ANY]]
; CHECK: define void @all() {
; CHECK: attributes [[SIXTYFOUR]] = { "ferry-region-threads"="64" }
; CHECK: attributes [[ANY]] = { "ferry-region-threads"="4294967295" }

declare void @__kmpc_parallel_51(ptr, i32, i32, i32, i32, ptr, ptr, ptr, i64)

define void @one() {
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 64, i32 -1, ptr null, ptr null, ptr null, i64 0)
  ret void
}

define void @called() {
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 64, i32 -1, ptr null, ptr null, ptr null, i64 0)
  ret void
}

define void @caller() {
  call void @called()
  ret void
}

define void @two() {
  call void @called()
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 32, i32 -1, ptr null, ptr null, ptr null, i64 0)
  ret void
}

define void @variable(i32 %n) {
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 %n, i32 -1, ptr null, ptr null, ptr null, i64 0)
  ret void
}

define void @all() {
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 -1, i32 -1, ptr null, ptr null, ptr null, i64 0)
  ret void
}
