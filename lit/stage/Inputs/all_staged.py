# Checks that each of so many kernels read its matrix through shared memory:
# all_staged.py REPORT KERNELS
import json
import sys

with open(sys.argv[1]) as file:
    kernels = json.load(file)["kernels"]
left = [kernel["demangled"] for kernel in kernels if not kernel["shared_load_requests"]]
if left or len(kernels) != int(sys.argv[2]):
    sys.exit("%d kernels, not staged: %s" % (len(kernels), left))
