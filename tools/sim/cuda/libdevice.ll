; Stands where Clang looks for the mathematical functions of a CUDA toolkit.
target triple = "nvptx64-nvidia-gpulibs"
