# Changes the translated code in a program's device image:
#   without_section.py [--damage] IN OUT
# renames the section that holds it, or overwrites its first bytes.
import shutil
import sys

damage = sys.argv[1] == "--damage"
source, target = sys.argv[-2:]
with open(source, "rb") as file:
    data = bytearray(file.read())
if damage:
    # The image's section is a shared object: the second ELF file in the image.
    image = data.index(b"\x7fELF", data.index(b"\x10\xff\x10\xad"))
    inner = data.index(b"\x7fELF", image + 4)
    data[inner : inner + 64] = bytes(64)
else:
    name = data.index(b"\0.ferry.sim\0")
    data[name + 1 : name + 7] = b".other"
with open(target, "wb") as file:
    file.write(data)
shutil.copymode(source, target)
