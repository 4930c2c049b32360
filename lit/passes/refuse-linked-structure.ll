; A kernel that walks a list: its head can be carried over, its nodes cannot.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output '-passes=print<ferry-launch-plan>' | FileCheck %s --check-prefix=PLAN

; REMARK: remark: {{.*}}pointers behind 'f.head' left as they are: the pointer leads back to its own type of record, as in a linked list; map the records and attach their pointers [linked-structure]

; PLAN: launch of __omp_offloading_1_2_run_l2:{{$}}
; PLAN-NEXT: left behind: f.head: linked-structure
; PLAN: object 0: variable, 24 bytes
; PLAN-NOT: object 1

@text = private constant [173 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22head\22,\22offset\22:0}],\22name\22:\22f\22,\22size\22:24}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
entry:
  %head = load ptr, ptr %f, align 8
  br label %loop

loop:
  %node = phi ptr [ %head, %entry ], [ %next, %loop ]
  store i64 0, ptr %node, align 8
  %a = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %a, align 8
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %loop

done:
  ret void
}
