"""What a change to a kernel would save, by the simulator's model of time.

A launch takes what its longest unit needs and the launch itself
(docs/simulator.md, "Caches and time"). A change makes some units' work a
fraction of what it was; the others then limit.
"""


def busy(kernel):
    """Seconds that each unit needs at its peak, over all launches."""
    time = kernel["time"]
    return {unit: fraction * time["seconds"]
            for unit, fraction in time["units"].items()}


def saved(kernel, **left):
    """Seconds that are saved over all launches if of each named unit's work
    only that fraction is left."""
    before = busy(kernel)
    after = {unit: seconds * min(1, max(0, left.get(unit, 1)))
             for unit, seconds in before.items()}
    was, now = (units.get("launch", 0)
                + max(s for u, s in units.items() if u != "launch")
                for units in (before, after))
    return kernel["time"]["seconds"] * (1 - now / was) if was else 0


def passes(kernel):
    """Passes through the first level's data stage, of both memories."""
    return kernel["l1_wavefronts"] + shared_passes(kernel)


def shared_passes(kernel):
    return kernel["shared_load_wavefronts"] + kernel["shared_store_wavefronts"]


def without_sectors(kernel, line, sectors_left):
    """Seconds that are saved if a line moves only so many sectors. What waits
    for memory is taken to wait as long as before, so it is the least."""
    less_sectors = max(0, line["global_sectors"] - sectors_left)
    # Four sectors of a line of 128 bytes go in one pass.
    passes_left = max(line["global_requests"], sectors_left / 4)
    less_passes = max(0, line["l1_wavefronts"] - passes_left)
    if line["access"] == "load":
        missed = line["l1_sectors"] - line["l1_hit_sectors"]
    else:
        missed = line["global_sectors"]
    less_missed = min(less_sectors, max(0, missed - sectors_left))
    l2 = kernel["l2_read_sectors"] + kernel["l2_write_sectors"]
    missed_left = 1 - ratio(less_missed, l2)
    return saved(kernel, l2=missed_left, dram=missed_left,
                 **_without(kernel, less_passes))


def without_passes(kernel, count, shared=False):
    """Seconds that are saved by so many passes less; of shared memory, or of
    global memory."""
    left = _without(kernel, count)
    if shared:
        left["shared"] = 1 - ratio(count, shared_passes(kernel))
    return saved(kernel, **left)


def _without(kernel, count):
    """What is left of the first level's work, and of what a warp waits: for
    its own passes, those of one of the warps that share a multiprocessor."""
    part = ratio(count, passes(kernel))
    units = busy(kernel)
    waits = units["l1"] / max(1, kernel["resident_warps"])
    return {"l1": 1 - part,
            "latency": 1 - ratio(part * waits, units["latency"])}


def ratio(part, whole):
    return part / whole if whole else 0
