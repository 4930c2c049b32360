# Configuration of the FileCheck and end-to-end tests. See docs/testing.md for
# what each substitution is for.
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import left_out  # noqa: E402

config.name = "Ferry"
config.test_format = left_out.ShTest(True)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ferry_build_dir, "lit")
config.suffixes = [".ll", ".c", ".cpp", ".test"]
# examples and unit have configurations of their own.
config.excludes = ["Inputs", "examples", "unit", "CMakeLists.txt"]

build = config.ferry_build_dir
llvm_bin = config.llvm_bin_dir


# --- Time limit ---------------------------------------------------------------
# lit can only kill a test that hangs with the help of psutil.
try:
    import psutil  # noqa: F401

    if not lit_config.maxIndividualTestTime:
        lit_config.maxIndividualTestTime = 300
except ImportError:
    lit_config.note("no time limit per test: python3-psutil is not installed")


# --- Environment --------------------------------------------------------------
# A test finds LLVM's tools, and nothing that would hide a missing path.
config.environment["PATH"] = os.pathsep.join([llvm_bin, "/usr/bin", "/bin"])
for name in ("LIBRARY_PATH", "LD_LIBRARY_PATH"):
    config.environment.pop(name, None)
# Without this a kernel that fails to launch runs on the host, and the test
# passes. A test of the host fallback says `env -u OMP_TARGET_OFFLOAD`.
config.environment["OMP_TARGET_OFFLOAD"] = "MANDATORY"

# libomptarget leaves its images behind in the temporary folder: keep them in
# the build folder, and take them away at the end.
scratch = os.path.join(build, "tmp")
os.makedirs(scratch, exist_ok=True)
scratch = tempfile.mkdtemp(dir=scratch)
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
for name in ("TMPDIR", "TMP", "TEMP", "TEMPDIR"):
    # lit makes its own temporary folder below the one of the process.
    os.environ[name] = config.environment[name] = scratch
tempfile.tempdir = scratch


# --- Features -----------------------------------------------------------------
if "NVPTX" in config.llvm_targets:
    config.available_features.add("nvptx-registered-target")
if "AMDGPU" in config.llvm_targets:
    config.available_features.add("amdgpu-registered-target")

config.available_features.add("llvm-" + config.llvm)
# That of the other version, where Debian has put it.
other_clang = "/usr/lib/llvm-%s/bin/clang" % {"19": "22"}.get(config.llvm, "19")
if os.path.exists(other_clang):
    config.available_features.add("other-llvm")
if config.device_runtime and "NVPTX" in config.llvm_targets:
    config.available_features.add("device-runtime")

cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if os.access(os.path.join(cuda, "bin", "ptxas"), os.X_OK):
    config.available_features.add("cuda-toolkit")
if shutil.which("mpicxx.openmpi") and shutil.which("mpirun.openmpi"):
    config.available_features.add("mpi")
if shutil.which("chromium"):
    config.available_features.add("chromium")
# What tools/ferry fetches with FERRY_SARIF=1.
sarif_schema = os.path.join(
    build, "sarif", "package", "lib", "schemas", "sarif-2.1.0-rtm.5.json"
)
if os.path.exists(sarif_schema):
    validator = [config.ferry_python, "-c", "import jsonschema"]
    if subprocess.call(validator, stderr=subprocess.DEVNULL) == 0:
        config.available_features.add("sarif-schema")
cpack = os.path.join(os.path.dirname(config.ferry_cmake), "cpack")
if all(map(shutil.which, [cpack, "lintian", "dpkg-shlibdeps", "file", "make"])):
    config.available_features.add("packaging")
if os.path.exists("/dev/nvidia0"):
    config.available_features.add("nvidia-gpu")


# --- Substitutions ------------------------------------------------------------
modules = config.ferry_lib_dir
offload = "-fopenmp -fopenmp-targets="
# What all but the modules and the commands lies in, and the modules.
files = os.path.join(modules, "ferry-" + config.llvm)
passes = os.path.join(modules, "libferry-" + config.llvm + ".so")
front_end = os.path.join(modules, "libferry-clang-" + config.llvm + ".so")
load = "-load-pass-plugin=" + passes


def substitute(name, value):
    # \b: %ferry_clang is also the beginning of %ferry_clangxx.
    config.substitutions.append(("%" + name + r"\b", value))


def wrapper(name):
    """The command of this name. With --param ferry_check=VALUE what it compiles
    has the checks, unless it is without Ferry, and runs with FERRY_CHECK=VALUE."""
    path = os.path.join(build, "bin", name)
    if "ferry_check" not in lit_config.params:
        return path
    config.environment["FERRY_CHECK"] = lit_config.params["ferry_check"]
    checked = os.path.join(scratch, name)
    with open(checked, "w") as file:
        file.write(
            '#!/bin/sh\nfor a; do [ "$a" != --ferry-off ] || exec %s "$@"; done\n'
            'exec %s --ferry-check "$@"\n' % (path, path)
        )
    os.chmod(checked, 0o755)
    return checked


# The wrapper, and Clang without Ferry.
substitute("ferry_clangxx", wrapper("ferry-clang++"))
substitute("ferry_clang", wrapper("ferry-clang"))
openmp = ""
if config.openmp_dir:
    flags = f"-idirafter {files}/openmp/include -L{files}/openmp"
    openmp = f" --start-no-unused-arguments {flags} --end-no-unused-arguments"
substitute("clangxx_plain", os.path.join(llvm_bin, "clang++") + openmp)
substitute("clang_path", os.path.join(llvm_bin, "clang"))
substitute("clangxx_path", os.path.join(llvm_bin, "clang++"))
substitute("other_clang", other_clang)
substitute("clang_plain", os.path.join(llvm_bin, "clang") + openmp)
# The pass plugin alone.
substitute("loadPlugin", load)
substitute("opt", os.path.join(llvm_bin, "opt") + " " + load)
# Devices: the host device, and an NVIDIA GPU.
substitute("offload", offload + "x86_64-pc-linux-gnu")
substitute(
    "nvptx",
    offload + "nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda "
    "-march=sm_90 --cuda-path=" + cuda,
)
# The simulated GPU: how to build for it, and the command.
substitute("sim_cxx", wrapper("ferry-clang++") + " -fopenmp --ferry-sim")
substitute("sim_c", wrapper("ferry-clang") + " -fopenmp --ferry-sim")
substitute("ferry_sim", os.path.join(build, "bin", "ferry-sim"))
# Its page, advice and SARIF.
substitute("ferry_report", os.path.join(build, "bin", "ferry-report"))
substitute("sarif_schema", sarif_schema)
# What a program built by plain Clang needs to start.
substitute("rpath", "-Wl,-rpath," + config.offload_libdir)
# Folders and tools.
substitute("modules", modules)
substitute("files", files)
substitute("openmp_dir", config.openmp_dir)
substitute("passes_module", passes)
substitute("front_end_module", front_end)
substitute("llvm_version", config.llvm)
substitute("source", config.ferry_source_dir)
substitute("build", build)
substitute("cmake", config.ferry_cmake)
substitute("cpack", cpack)
substitute("python", config.ferry_python)
