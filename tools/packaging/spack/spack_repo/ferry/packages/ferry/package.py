# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Ferry(CMakePackage):
    """A plugin for Clang and passes for LLVM: pointers inside closures work in
    OpenMP target regions, and read-only data is staged through shared memory."""

    # The sources that this file lies in.
    git = "file://" + os.path.normpath(
        os.path.join(os.path.dirname(__file__), *[".."] * 7))

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("llvm", default="llvm", values=("llvm", "llvm-amdgpu"), multi=False,
            description="The LLVM whose Clang is extended: LLVM's, or ROCm's")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-jinja2", type="run")
    depends_on("py-pyyaml", type="run")

    # What FERRY_TESTED_LLVM in tools/cmake/FerryVersions.cmake says. Ferry's
    # modules find LLVM's symbols in the shared library.
    depends_on("libllvm@19,22", type=("build", "link", "run"))
    with when("llvm=llvm"):
        depends_on("llvm +clang +lld +llvm_dylib +link_llvm_dylib +libomptarget")
    with when("llvm=llvm-amdgpu"):
        depends_on("llvm-amdgpu +llvm_dylib +link_llvm_dylib")
        depends_on("rocm-openmp-extras", type=("build", "run"))
        for release in ("6.4", "7.2"):
            depends_on(f"rocm-openmp-extras@{release}", type=("build", "run"),
                       when=f"^llvm-amdgpu@{release}")

    generator("ninja")

    def cmake_args(self):
        llvm = self.spec[self.spec.variants["llvm"].value].prefix
        # Clang's lies beside it, so it is not any that has the name.
        folders = [os.path.join(llvm, lib, "cmake", "llvm") for lib in ("lib", "lib64")]
        folders = [f for f in folders if os.path.exists(os.path.join(f, "LLVMConfig.cmake"))]
        if not folders:
            raise InstallError(f"there is no lib/cmake/llvm/LLVMConfig.cmake in {llvm}")
        args = [
            self.define("LLVM_DIR", folders[0]),
            self.define("FERRY_BUILD_TESTS", False),
        ]
        if self.spec.satisfies("llvm=llvm-amdgpu"):
            runtime = self.spec["rocm-openmp-extras"].prefix.lib
            args.append(self.define("FERRY_OFFLOAD_LIBDIR", runtime))
        return args
