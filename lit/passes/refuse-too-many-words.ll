; The kernel reads more words of a captured object than parameters are passed
; for: a GPU finds it in memory.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -disable-output -passes=ferry-map,verify -pass-remarks=ferry -pass-remarks-missed=ferry 2>&1 | FileCheck %s
; Where there are no parameters there is nothing to say.
; RUN: cat %S/Inputs/launch.ll %s | %opt -ferry-map-host-evidence -ferry-parameters=false -disable-output -passes=ferry-map -pass-remarks-missed=ferry 2>&1 | count 0

; CHECK: remark: {{.*}}'f.a' carried over
; CHECK: remark: {{.*}}'f' stays in memory, not in parameters: the kernel reads more than parameters are passed for [too-many-words]

@text = private constant [172 x i8] c"ferry.region:{\22captures\22:[{\22align\22:8,\22argument\22:0,\22lambda\22:true,\22layout\22:[{\22kind\22:\22pointer\22,\22name\22:\22a\22,\22offset\22:0}],\22name\22:\22f\22,\22size\22:1048}],\22column\22:1,\22index\22:0,\22line\22:2}\00", section "llvm.metadata"

define internal void @__omp_offloading_1_2_run_l2(ptr %f) {
  %a = load ptr, ptr %f
  %p1 = getelementptr i8, ptr %f, i64 8
  %v1 = load i64, ptr %p1
  store volatile i64 %v1, ptr %a
  %p2 = getelementptr i8, ptr %f, i64 16
  %v2 = load i64, ptr %p2
  store volatile i64 %v2, ptr %a
  %p3 = getelementptr i8, ptr %f, i64 24
  %v3 = load i64, ptr %p3
  store volatile i64 %v3, ptr %a
  %p4 = getelementptr i8, ptr %f, i64 32
  %v4 = load i64, ptr %p4
  store volatile i64 %v4, ptr %a
  %p5 = getelementptr i8, ptr %f, i64 40
  %v5 = load i64, ptr %p5
  store volatile i64 %v5, ptr %a
  %p6 = getelementptr i8, ptr %f, i64 48
  %v6 = load i64, ptr %p6
  store volatile i64 %v6, ptr %a
  %p7 = getelementptr i8, ptr %f, i64 56
  %v7 = load i64, ptr %p7
  store volatile i64 %v7, ptr %a
  %p8 = getelementptr i8, ptr %f, i64 64
  %v8 = load i64, ptr %p8
  store volatile i64 %v8, ptr %a
  %p9 = getelementptr i8, ptr %f, i64 72
  %v9 = load i64, ptr %p9
  store volatile i64 %v9, ptr %a
  %p10 = getelementptr i8, ptr %f, i64 80
  %v10 = load i64, ptr %p10
  store volatile i64 %v10, ptr %a
  %p11 = getelementptr i8, ptr %f, i64 88
  %v11 = load i64, ptr %p11
  store volatile i64 %v11, ptr %a
  %p12 = getelementptr i8, ptr %f, i64 96
  %v12 = load i64, ptr %p12
  store volatile i64 %v12, ptr %a
  %p13 = getelementptr i8, ptr %f, i64 104
  %v13 = load i64, ptr %p13
  store volatile i64 %v13, ptr %a
  %p14 = getelementptr i8, ptr %f, i64 112
  %v14 = load i64, ptr %p14
  store volatile i64 %v14, ptr %a
  %p15 = getelementptr i8, ptr %f, i64 120
  %v15 = load i64, ptr %p15
  store volatile i64 %v15, ptr %a
  %p16 = getelementptr i8, ptr %f, i64 128
  %v16 = load i64, ptr %p16
  store volatile i64 %v16, ptr %a
  %p17 = getelementptr i8, ptr %f, i64 136
  %v17 = load i64, ptr %p17
  store volatile i64 %v17, ptr %a
  %p18 = getelementptr i8, ptr %f, i64 144
  %v18 = load i64, ptr %p18
  store volatile i64 %v18, ptr %a
  %p19 = getelementptr i8, ptr %f, i64 152
  %v19 = load i64, ptr %p19
  store volatile i64 %v19, ptr %a
  %p20 = getelementptr i8, ptr %f, i64 160
  %v20 = load i64, ptr %p20
  store volatile i64 %v20, ptr %a
  %p21 = getelementptr i8, ptr %f, i64 168
  %v21 = load i64, ptr %p21
  store volatile i64 %v21, ptr %a
  %p22 = getelementptr i8, ptr %f, i64 176
  %v22 = load i64, ptr %p22
  store volatile i64 %v22, ptr %a
  %p23 = getelementptr i8, ptr %f, i64 184
  %v23 = load i64, ptr %p23
  store volatile i64 %v23, ptr %a
  %p24 = getelementptr i8, ptr %f, i64 192
  %v24 = load i64, ptr %p24
  store volatile i64 %v24, ptr %a
  %p25 = getelementptr i8, ptr %f, i64 200
  %v25 = load i64, ptr %p25
  store volatile i64 %v25, ptr %a
  %p26 = getelementptr i8, ptr %f, i64 208
  %v26 = load i64, ptr %p26
  store volatile i64 %v26, ptr %a
  %p27 = getelementptr i8, ptr %f, i64 216
  %v27 = load i64, ptr %p27
  store volatile i64 %v27, ptr %a
  %p28 = getelementptr i8, ptr %f, i64 224
  %v28 = load i64, ptr %p28
  store volatile i64 %v28, ptr %a
  %p29 = getelementptr i8, ptr %f, i64 232
  %v29 = load i64, ptr %p29
  store volatile i64 %v29, ptr %a
  %p30 = getelementptr i8, ptr %f, i64 240
  %v30 = load i64, ptr %p30
  store volatile i64 %v30, ptr %a
  %p31 = getelementptr i8, ptr %f, i64 248
  %v31 = load i64, ptr %p31
  store volatile i64 %v31, ptr %a
  %p32 = getelementptr i8, ptr %f, i64 256
  %v32 = load i64, ptr %p32
  store volatile i64 %v32, ptr %a
  %p33 = getelementptr i8, ptr %f, i64 264
  %v33 = load i64, ptr %p33
  store volatile i64 %v33, ptr %a
  %p34 = getelementptr i8, ptr %f, i64 272
  %v34 = load i64, ptr %p34
  store volatile i64 %v34, ptr %a
  %p35 = getelementptr i8, ptr %f, i64 280
  %v35 = load i64, ptr %p35
  store volatile i64 %v35, ptr %a
  %p36 = getelementptr i8, ptr %f, i64 288
  %v36 = load i64, ptr %p36
  store volatile i64 %v36, ptr %a
  %p37 = getelementptr i8, ptr %f, i64 296
  %v37 = load i64, ptr %p37
  store volatile i64 %v37, ptr %a
  %p38 = getelementptr i8, ptr %f, i64 304
  %v38 = load i64, ptr %p38
  store volatile i64 %v38, ptr %a
  %p39 = getelementptr i8, ptr %f, i64 312
  %v39 = load i64, ptr %p39
  store volatile i64 %v39, ptr %a
  %p40 = getelementptr i8, ptr %f, i64 320
  %v40 = load i64, ptr %p40
  store volatile i64 %v40, ptr %a
  %p41 = getelementptr i8, ptr %f, i64 328
  %v41 = load i64, ptr %p41
  store volatile i64 %v41, ptr %a
  %p42 = getelementptr i8, ptr %f, i64 336
  %v42 = load i64, ptr %p42
  store volatile i64 %v42, ptr %a
  %p43 = getelementptr i8, ptr %f, i64 344
  %v43 = load i64, ptr %p43
  store volatile i64 %v43, ptr %a
  %p44 = getelementptr i8, ptr %f, i64 352
  %v44 = load i64, ptr %p44
  store volatile i64 %v44, ptr %a
  %p45 = getelementptr i8, ptr %f, i64 360
  %v45 = load i64, ptr %p45
  store volatile i64 %v45, ptr %a
  %p46 = getelementptr i8, ptr %f, i64 368
  %v46 = load i64, ptr %p46
  store volatile i64 %v46, ptr %a
  %p47 = getelementptr i8, ptr %f, i64 376
  %v47 = load i64, ptr %p47
  store volatile i64 %v47, ptr %a
  %p48 = getelementptr i8, ptr %f, i64 384
  %v48 = load i64, ptr %p48
  store volatile i64 %v48, ptr %a
  %p49 = getelementptr i8, ptr %f, i64 392
  %v49 = load i64, ptr %p49
  store volatile i64 %v49, ptr %a
  %p50 = getelementptr i8, ptr %f, i64 400
  %v50 = load i64, ptr %p50
  store volatile i64 %v50, ptr %a
  %p51 = getelementptr i8, ptr %f, i64 408
  %v51 = load i64, ptr %p51
  store volatile i64 %v51, ptr %a
  %p52 = getelementptr i8, ptr %f, i64 416
  %v52 = load i64, ptr %p52
  store volatile i64 %v52, ptr %a
  %p53 = getelementptr i8, ptr %f, i64 424
  %v53 = load i64, ptr %p53
  store volatile i64 %v53, ptr %a
  %p54 = getelementptr i8, ptr %f, i64 432
  %v54 = load i64, ptr %p54
  store volatile i64 %v54, ptr %a
  %p55 = getelementptr i8, ptr %f, i64 440
  %v55 = load i64, ptr %p55
  store volatile i64 %v55, ptr %a
  %p56 = getelementptr i8, ptr %f, i64 448
  %v56 = load i64, ptr %p56
  store volatile i64 %v56, ptr %a
  %p57 = getelementptr i8, ptr %f, i64 456
  %v57 = load i64, ptr %p57
  store volatile i64 %v57, ptr %a
  %p58 = getelementptr i8, ptr %f, i64 464
  %v58 = load i64, ptr %p58
  store volatile i64 %v58, ptr %a
  %p59 = getelementptr i8, ptr %f, i64 472
  %v59 = load i64, ptr %p59
  store volatile i64 %v59, ptr %a
  %p60 = getelementptr i8, ptr %f, i64 480
  %v60 = load i64, ptr %p60
  store volatile i64 %v60, ptr %a
  %p61 = getelementptr i8, ptr %f, i64 488
  %v61 = load i64, ptr %p61
  store volatile i64 %v61, ptr %a
  %p62 = getelementptr i8, ptr %f, i64 496
  %v62 = load i64, ptr %p62
  store volatile i64 %v62, ptr %a
  %p63 = getelementptr i8, ptr %f, i64 504
  %v63 = load i64, ptr %p63
  store volatile i64 %v63, ptr %a
  %p64 = getelementptr i8, ptr %f, i64 512
  %v64 = load i64, ptr %p64
  store volatile i64 %v64, ptr %a
  %p65 = getelementptr i8, ptr %f, i64 520
  %v65 = load i64, ptr %p65
  store volatile i64 %v65, ptr %a
  %p66 = getelementptr i8, ptr %f, i64 528
  %v66 = load i64, ptr %p66
  store volatile i64 %v66, ptr %a
  %p67 = getelementptr i8, ptr %f, i64 536
  %v67 = load i64, ptr %p67
  store volatile i64 %v67, ptr %a
  %p68 = getelementptr i8, ptr %f, i64 544
  %v68 = load i64, ptr %p68
  store volatile i64 %v68, ptr %a
  %p69 = getelementptr i8, ptr %f, i64 552
  %v69 = load i64, ptr %p69
  store volatile i64 %v69, ptr %a
  %p70 = getelementptr i8, ptr %f, i64 560
  %v70 = load i64, ptr %p70
  store volatile i64 %v70, ptr %a
  %p71 = getelementptr i8, ptr %f, i64 568
  %v71 = load i64, ptr %p71
  store volatile i64 %v71, ptr %a
  %p72 = getelementptr i8, ptr %f, i64 576
  %v72 = load i64, ptr %p72
  store volatile i64 %v72, ptr %a
  %p73 = getelementptr i8, ptr %f, i64 584
  %v73 = load i64, ptr %p73
  store volatile i64 %v73, ptr %a
  %p74 = getelementptr i8, ptr %f, i64 592
  %v74 = load i64, ptr %p74
  store volatile i64 %v74, ptr %a
  %p75 = getelementptr i8, ptr %f, i64 600
  %v75 = load i64, ptr %p75
  store volatile i64 %v75, ptr %a
  %p76 = getelementptr i8, ptr %f, i64 608
  %v76 = load i64, ptr %p76
  store volatile i64 %v76, ptr %a
  %p77 = getelementptr i8, ptr %f, i64 616
  %v77 = load i64, ptr %p77
  store volatile i64 %v77, ptr %a
  %p78 = getelementptr i8, ptr %f, i64 624
  %v78 = load i64, ptr %p78
  store volatile i64 %v78, ptr %a
  %p79 = getelementptr i8, ptr %f, i64 632
  %v79 = load i64, ptr %p79
  store volatile i64 %v79, ptr %a
  %p80 = getelementptr i8, ptr %f, i64 640
  %v80 = load i64, ptr %p80
  store volatile i64 %v80, ptr %a
  %p81 = getelementptr i8, ptr %f, i64 648
  %v81 = load i64, ptr %p81
  store volatile i64 %v81, ptr %a
  %p82 = getelementptr i8, ptr %f, i64 656
  %v82 = load i64, ptr %p82
  store volatile i64 %v82, ptr %a
  %p83 = getelementptr i8, ptr %f, i64 664
  %v83 = load i64, ptr %p83
  store volatile i64 %v83, ptr %a
  %p84 = getelementptr i8, ptr %f, i64 672
  %v84 = load i64, ptr %p84
  store volatile i64 %v84, ptr %a
  %p85 = getelementptr i8, ptr %f, i64 680
  %v85 = load i64, ptr %p85
  store volatile i64 %v85, ptr %a
  %p86 = getelementptr i8, ptr %f, i64 688
  %v86 = load i64, ptr %p86
  store volatile i64 %v86, ptr %a
  %p87 = getelementptr i8, ptr %f, i64 696
  %v87 = load i64, ptr %p87
  store volatile i64 %v87, ptr %a
  %p88 = getelementptr i8, ptr %f, i64 704
  %v88 = load i64, ptr %p88
  store volatile i64 %v88, ptr %a
  %p89 = getelementptr i8, ptr %f, i64 712
  %v89 = load i64, ptr %p89
  store volatile i64 %v89, ptr %a
  %p90 = getelementptr i8, ptr %f, i64 720
  %v90 = load i64, ptr %p90
  store volatile i64 %v90, ptr %a
  %p91 = getelementptr i8, ptr %f, i64 728
  %v91 = load i64, ptr %p91
  store volatile i64 %v91, ptr %a
  %p92 = getelementptr i8, ptr %f, i64 736
  %v92 = load i64, ptr %p92
  store volatile i64 %v92, ptr %a
  %p93 = getelementptr i8, ptr %f, i64 744
  %v93 = load i64, ptr %p93
  store volatile i64 %v93, ptr %a
  %p94 = getelementptr i8, ptr %f, i64 752
  %v94 = load i64, ptr %p94
  store volatile i64 %v94, ptr %a
  %p95 = getelementptr i8, ptr %f, i64 760
  %v95 = load i64, ptr %p95
  store volatile i64 %v95, ptr %a
  %p96 = getelementptr i8, ptr %f, i64 768
  %v96 = load i64, ptr %p96
  store volatile i64 %v96, ptr %a
  %p97 = getelementptr i8, ptr %f, i64 776
  %v97 = load i64, ptr %p97
  store volatile i64 %v97, ptr %a
  %p98 = getelementptr i8, ptr %f, i64 784
  %v98 = load i64, ptr %p98
  store volatile i64 %v98, ptr %a
  %p99 = getelementptr i8, ptr %f, i64 792
  %v99 = load i64, ptr %p99
  store volatile i64 %v99, ptr %a
  %p100 = getelementptr i8, ptr %f, i64 800
  %v100 = load i64, ptr %p100
  store volatile i64 %v100, ptr %a
  %p101 = getelementptr i8, ptr %f, i64 808
  %v101 = load i64, ptr %p101
  store volatile i64 %v101, ptr %a
  %p102 = getelementptr i8, ptr %f, i64 816
  %v102 = load i64, ptr %p102
  store volatile i64 %v102, ptr %a
  %p103 = getelementptr i8, ptr %f, i64 824
  %v103 = load i64, ptr %p103
  store volatile i64 %v103, ptr %a
  %p104 = getelementptr i8, ptr %f, i64 832
  %v104 = load i64, ptr %p104
  store volatile i64 %v104, ptr %a
  %p105 = getelementptr i8, ptr %f, i64 840
  %v105 = load i64, ptr %p105
  store volatile i64 %v105, ptr %a
  %p106 = getelementptr i8, ptr %f, i64 848
  %v106 = load i64, ptr %p106
  store volatile i64 %v106, ptr %a
  %p107 = getelementptr i8, ptr %f, i64 856
  %v107 = load i64, ptr %p107
  store volatile i64 %v107, ptr %a
  %p108 = getelementptr i8, ptr %f, i64 864
  %v108 = load i64, ptr %p108
  store volatile i64 %v108, ptr %a
  %p109 = getelementptr i8, ptr %f, i64 872
  %v109 = load i64, ptr %p109
  store volatile i64 %v109, ptr %a
  %p110 = getelementptr i8, ptr %f, i64 880
  %v110 = load i64, ptr %p110
  store volatile i64 %v110, ptr %a
  %p111 = getelementptr i8, ptr %f, i64 888
  %v111 = load i64, ptr %p111
  store volatile i64 %v111, ptr %a
  %p112 = getelementptr i8, ptr %f, i64 896
  %v112 = load i64, ptr %p112
  store volatile i64 %v112, ptr %a
  %p113 = getelementptr i8, ptr %f, i64 904
  %v113 = load i64, ptr %p113
  store volatile i64 %v113, ptr %a
  %p114 = getelementptr i8, ptr %f, i64 912
  %v114 = load i64, ptr %p114
  store volatile i64 %v114, ptr %a
  %p115 = getelementptr i8, ptr %f, i64 920
  %v115 = load i64, ptr %p115
  store volatile i64 %v115, ptr %a
  %p116 = getelementptr i8, ptr %f, i64 928
  %v116 = load i64, ptr %p116
  store volatile i64 %v116, ptr %a
  %p117 = getelementptr i8, ptr %f, i64 936
  %v117 = load i64, ptr %p117
  store volatile i64 %v117, ptr %a
  %p118 = getelementptr i8, ptr %f, i64 944
  %v118 = load i64, ptr %p118
  store volatile i64 %v118, ptr %a
  %p119 = getelementptr i8, ptr %f, i64 952
  %v119 = load i64, ptr %p119
  store volatile i64 %v119, ptr %a
  %p120 = getelementptr i8, ptr %f, i64 960
  %v120 = load i64, ptr %p120
  store volatile i64 %v120, ptr %a
  %p121 = getelementptr i8, ptr %f, i64 968
  %v121 = load i64, ptr %p121
  store volatile i64 %v121, ptr %a
  %p122 = getelementptr i8, ptr %f, i64 976
  %v122 = load i64, ptr %p122
  store volatile i64 %v122, ptr %a
  %p123 = getelementptr i8, ptr %f, i64 984
  %v123 = load i64, ptr %p123
  store volatile i64 %v123, ptr %a
  %p124 = getelementptr i8, ptr %f, i64 992
  %v124 = load i64, ptr %p124
  store volatile i64 %v124, ptr %a
  %p125 = getelementptr i8, ptr %f, i64 1000
  %v125 = load i64, ptr %p125
  store volatile i64 %v125, ptr %a
  %p126 = getelementptr i8, ptr %f, i64 1008
  %v126 = load i64, ptr %p126
  store volatile i64 %v126, ptr %a
  %p127 = getelementptr i8, ptr %f, i64 1016
  %v127 = load i64, ptr %p127
  store volatile i64 %v127, ptr %a
  %p128 = getelementptr i8, ptr %f, i64 1024
  %v128 = load i64, ptr %p128
  store volatile i64 %v128, ptr %a
  %p129 = getelementptr i8, ptr %f, i64 1032
  %v129 = load i64, ptr %p129
  store volatile i64 %v129, ptr %a
  ret void
}
