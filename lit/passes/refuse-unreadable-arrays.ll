; The launch's arrays are not what Clang emits: too long, too short, not constant,
; of other elements, not there, stored twice.
; RUN: sed 's/^@types = .*/@types = private constant [2 x i64] [i64 673, i64 281474976711440]/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = private constant [4 x i64] [i64 673, i64 281474976711440, i64 281474976711440, i64 33]/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = private constant [0 x i64] zeroinitializer/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = private unnamed_addr constant/@types = private global/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = external constant [3 x i64]/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = private constant [3 x i32] [i32 673, i32 16, i32 16]/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = private constant [3 x ptr] zeroinitializer/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/^@types = .*/@types = private constant i64 673/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store ptr @types/store ptr %%p/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store ptr @types/store ptr null/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store i32 3, ptr %%block.num/store i32 2, ptr %%block.num/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store i32 3, ptr %%block.num/store i32 -1, ptr %%block.num/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/store i32 3, ptr %%block.num/store i32 undef, ptr %%block.num/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store i32 3, ptr %%block.num/d' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store i32 3, ptr %%block.version/d' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store ptr @types/d' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store ptr @sizes/d' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store ptr @types/{p;s/@types/@sizes/}' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed '/store i32 3, ptr %%block.num/p' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/region_id, ptr %%block)/region_id, ptr null)/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/region_id, ptr %%block)/region_id, ptr undef)/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/region_id, ptr %%block)/region_id, ptr %%unused)/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:
; RUN: sed 's/region_id, ptr %%block)/region_id, ptr %%block.num)/' %S/Inputs/by-value.ll > %t.in.ll
; RUN: not diff -q %t.in.ll %S/Inputs/by-value.ll
; RUN: %opt -ferry-map-host-evidence -S -passes=ferry-map,verify -pass-remarks-missed=ferry %t.in.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.ll --implicit-check-not=__ferry --implicit-check-not=ferry.region:

; REMARK: remark: {{.*}}launch left as it is: the launch's offload arrays are not constants of the known form [unreadable-arrays]

; LEFT: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
; LEFT: {{(call|invoke)}} i32 @__tgt_target_kernel(
