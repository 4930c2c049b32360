// A kernel that takes a closure's words as parameters still has the closure
// for debuggers: the function that the region was outlined to gets the object
// that the kernel has built.
//
// RUN: %sim_cxx -g -O0 --offload-device-only -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll

template <class F>
void forall(int N, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}

void run(double *A, double *B) {
  forall(8, [=](int I) { A[I] = B[I]; });
}

// CHECK: define {{.*}}_debug__(ptr {{[^,]*}}, i32 {{[^,]*}}, ptr {{[^,]*}}%[[BODY:[0-9]+]])
// CHECK: store ptr %[[BODY]], ptr %[[SLOT:[0-9]+]],
// CHECK: #dbg_declare(ptr %[[SLOT]], ![[VARIABLE:[0-9]+]],
// CHECK: define weak_odr {{.*}}void @{{.*}}_ferry_{{[0-9a-f]+}}({{.*}}, ptr %[[FIRST:[0-9]+]], ptr %{{[0-9]+}})
// CHECK: %[[OBJECT:[0-9]+]] = alloca [16 x i8]
// CHECK: %[[WORD:[0-9]+]] = getelementptr inbounds i8, ptr %[[OBJECT]], i64 0
// CHECK-NEXT: store ptr %[[FIRST]], ptr %[[WORD]]
// CHECK: call void @{{.*}}_debug__(ptr {{[^,]*}}, i32 {{[^,]*}}, ptr %{{[^,]*}})
// CHECK: ![[VARIABLE]] = !DILocalVariable(name: "Body"
