# Gives a cubin the version, the toolkit and the flags of another:
#   copy_header.py FROM IN OUT
import sys

source, original, target = sys.argv[1:]
with open(source, "rb") as file:
    header = file.read(64)
with open(original, "rb") as file:
    data = bytearray(file.read())
# e_ident[EI_OSABI] and [EI_ABIVERSION], e_version, e_flags
for field in slice(7, 9), slice(20, 24), slice(48, 52):
    data[field] = header[field]
with open(target, "wb") as file:
    file.write(data)
