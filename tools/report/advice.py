"""The advice: one function for each rule.

A rule takes a Case and gives a list of Advice. It tells only what the counters
show, and is silent about a kernel that has nothing wrong with it. The limits
are in the rules; what each rule cannot see is in docs/report.md.
"""
from dataclasses import dataclass, field
from typing import Optional

import gain
from remarks import kernel_of as kernel_of_remark, same_file
from words import count, percent, seconds, size

WARP = 32
# Reasons of ferry-stage that say that all is well, or that nothing can be done.
NO_ADVICE = {"already-coalesced", "shared-row", "not-global", "generic-mode",
             "unsupported-target", "not-affine", "unknown-trip-count",
             "no-common-entry"}


@dataclass
class Case:
    """What the rules look at. gpu is a description of the GPU, or None;
    meanings has what the names of reasons mean."""

    run: object
    remarks: list = field(default_factory=list)
    gpu: Optional[dict] = None
    meanings: dict = field(default_factory=dict)


@dataclass
class Advice:
    """saved: seconds over all launches, predicted; None if the model cannot
    tell. kernel is its mangled name, or empty."""

    rule: str
    title: str
    reason: str
    cure: str
    kernel: str
    file: str
    line: int
    saved: Optional[float] = None


def kernel_of(run, line):
    """The one kernel that reaches a line, or None."""
    names = line["kernels"]
    return next((k for k in run.kernels if [k["name"]] == names), None)


def accesses(run):
    return [line for line in run.lines or [] if line["access"] != "branch"]


def _on_line(rule, title, reason, cure, line, kernel, saved):
    return Advice(rule, title, reason, cure, kernel["name"] if kernel else "",
                  line["file"], line["line"], saved)


def _on_kernel(rule, title, reason, cure, kernel, saved):
    return Advice(rule, title, reason, cure, kernel["name"], kernel["file"],
                  kernel["line"], saved)


# --- Global memory ---------------------------------------------------------------

def is_uncoalesced(line):
    """Whether threads of a warp each want a sector of their own. Coalesced
    accesses of 16 bytes, the longest, take half a sector for a thread."""
    if line["access"] == "branch" or not line["global_requests"]:
        return False
    threads, sectors = line["threads"], line["global_sectors"]
    if threads < 8 * line["global_requests"]:
        return False
    if sectors > 0.75 * threads:
        return True
    # A row for each thread beside what all of them read alike.
    again = sectors > 1.5 * line["least_global_sectors"]
    crowded = line["l1_wavefronts"] >= 4 * line["global_requests"]
    return sectors > 0.5 * threads and again and crowded


def uncoalesced(case):
    """Neighbouring threads access addresses that lie apart."""
    result = []
    for line in accesses(case.run):
        if line["access"] == "atomic" or not is_uncoalesced(line):
            continue
        kernel = kernel_of(case.run, line)
        sectors, least = line["global_sectors"], line["least_global_sectors"]
        # Of 8 bytes for each thread, where nothing says how many are needed.
        needed = line["threads"] / 4
        if sectors > 1.5 * least:
            needed = max(needed, least)
            cure = ("Neighbouring threads take neighbouring elements if the "
                    "array is stored the other way round (index %s), or if the "
                    "threads run over the other loop; a record's fields, if "
                    "each is an array of its own. Ferry's staging does it where "
                    "it can." % "k * n + i instead of i * m + k")
        else:
            cure = ("Of each sector of 32 bytes little is used: store what "
                    "neighbouring threads read side by side, each field of a "
                    "record as an array of its own; sort or renumber what is "
                    "reached through an index.")
        reason = ("%s sectors for %s requests: %.1f each, where 32 threads that "
                  "access 8 bytes side by side take 8; a block touches %s "
                  "different ones"
                  % (count(sectors), count(line["global_requests"]),
                     sectors / line["global_requests"], count(least)))
        result.append(_on_line(
            "uncoalesced", "Uncoalesced %s" % line["access"], reason, cure,
            line, kernel,
            gain.without_sectors(kernel, line, needed) if kernel else None))
    return result


def atomics_on_one_address(case):
    """The threads of a warp update one word, one after the other."""
    result = []
    for line in accesses(case.run):
        requests = line["global_requests"]
        if (line["access"] != "atomic" or not requests
                or line["threads"] < 4 * requests
                or line["global_sectors"] > 1.1 * requests
                or line["l1_wavefronts"] < 0.9 * line["threads"]):
            continue
        kernel = kernel_of(case.run, line)
        less = line["l1_wavefronts"] - requests
        result.append(_on_line(
            "atomics-on-one-address", "Atomics on one address",
            "%s updates in %s requests take %s passes: the threads of a warp "
            "wait for each other"
            % (count(line["threads"]), count(requests),
               count(line["l1_wavefronts"])),
            "Sum up in a variable of each thread and use a reduction clause; "
            "or give each block a copy, and add those up.", line, kernel,
            gain.without_passes(kernel, less) if kernel else None))
    return result


# --- Shared memory and branches ---------------------------------------------------

def bank_conflicts(case):
    """Threads of a warp want different words of one bank."""
    result = []
    for line in accesses(case.run):
        conflicts = line["shared_bank_conflicts"]
        if not conflicts or conflicts < 0.25 * line["shared_wavefronts"]:
            continue
        kernel = kernel_of(case.run, line)
        result.append(_on_line(
            "bank-conflicts", "Bank conflicts",
            "%s of %s passes over shared memory are due to conflicts (%s)"
            % (count(conflicts), count(line["shared_wavefronts"]),
               percent(conflicts / line["shared_wavefronts"])),
            "Make rows of the shared array longer by one element, so that a "
            "column lies in different banks ([32][33]).", line, kernel,
            gain.without_passes(kernel, conflicts, True) if kernel else None))
    return result


def divergence(case):
    """Threads of a warp go different ways, and the ways are taken in turn."""
    result = []
    # How a loop is shared among threads is decided on the construct's line, as
    # the OpenMP runtime does it: by its state, in shared memory.
    constructs = {(k["file"], k["line"]) for k in case.run.kernels} | {
        (line["file"], line["line"]) for line in accesses(case.run)
        if line["shared_requests"]}
    for line in case.run.lines or []:
        if (line["access"] != "branch" or line["divergent_branches"] < 16
                or line["divergent_branches"] <= 0.25 * line["branches"]):
            continue
        if (line["file"], line["line"]) in constructs or not line["line"]:
            continue
        result.append(_on_line(
            "divergence", "Divergent branch",
            "%s of %s times (%s) the threads of a warp go different ways"
            % (count(line["divergent_branches"]), count(line["branches"]),
               percent(line["divergent_branches"] / line["branches"])),
            "Let the 32 threads of a warp decide alike: sort the work by kind, "
            "or compute both sides and choose. The model of time does not add "
            "the second side, so no gain is predicted.",
            line, kernel_of(case.run, line), None))
    return result


# --- Launches ---------------------------------------------------------------------

def one_active_thread(case):
    """One thread of a warp does all that the lines of a kernel do."""
    result = []
    for kernel in case.run.kernels:
        # Shared memory is also the OpenMP runtime's.
        lines = [line for line in case.run.lines_of(kernel)
                 if line["access"] != "branch" and not line["shared_requests"]]
        requests = sum(line["global_requests"] for line in lines)
        threads = sum(line["threads"] for line in lines)
        known = (kernel["global_load_requests"] + kernel["global_atomics"]
                 + kernel["global_store_requests"])
        if (kernel["threads_per_block"] < WARP or requests < 8
                or requests < 0.9 * known or threads > 1.05 * requests):
            continue
        result.append(_on_kernel(
            "one-active-thread", "One active thread in a team",
            "blocks have %s threads, but in each of %s requests to global "
            "memory one of a warp's 32 takes part"
            % (count(kernel["threads_per_block"]), count(requests)),
            "Let the threads of the team share the loop: 'target teams "
            "distribute parallel for', or 'parallel for' on the loop within "
            "('teams loop' may become one thread for each block).", kernel,
            gain.saved(kernel, issue=1 / WARP, latency=1 / WARP, l1=1 / 8,
                       int=1 / WARP, fp32=1 / WARP, fp64=1 / WARP)))
    return result


def too_few_blocks(case):
    """The grid has fewer blocks than the GPU has multiprocessors."""
    result = []
    have = case.run.device["multiprocessors"]
    for kernel in case.run.kernels:
        blocks = kernel["blocks"] / max(1, kernel["launches"])
        if not 0 < blocks < have:
            continue
        part = blocks / have
        result.append(_on_kernel(
            "too-few-blocks", "Too few blocks",
            "%s blocks for each launch, %s multiprocessors: %s of the GPU has "
            "nothing to do" % (count(blocks), count(have), percent(1 - part)),
            "Share the work among more threads: 'collapse' with the loop "
            "within, several threads for each sum, or more of the problem in "
            "one launch.", kernel,
            gain.saved(kernel, l1=part, shared=part, issue=part, fp32=part,
                       fp64=part, int=part, latency=part)))
    return result


def repeated_transfers(case):
    """Data are sent or brought back around every launch."""
    result = []
    for kernel in case.run.kernels:
        launches = kernel["launches"]
        if launches < 2 or not case.gpu:
            continue
        ways = [(kernel[way + "_copies"], kernel[way + "_bytes"])
                for way in ("h2d", "d2h")]
        # The few bytes that a reduction brings back are no fault.
        repeated = [(copies, sent) for copies, sent in ways
                    if copies >= launches and sent >= 64 * copies]
        link = sum(copies * case.gpu["link_us"] * 1e-6
                   + sent / (case.gpu["link_gb_s"] * 1e9)
                   for copies, sent in repeated)
        less = link * (1 - 1 / launches)
        if less < 0.05 * case.run.time["seconds"]:
            continue
        result.append(_on_kernel(
            "repeated-transfers", "Repeated transfers",
            "%s launches; %s in %s copies to the device, %s in %s back"
            % (count(launches), size(ways[0][1]), count(ways[0][0]),
               size(ways[1][1]), count(ways[1][0])),
            "If the host does not use the data between launches, map them once "
            "around all ('target data', or 'target enter data' and 'exit "
            "data').", kernel, less))
    return result


# --- Remarks ----------------------------------------------------------------------

def generic_mode(case):
    """One thread of a team runs code while the others wait."""
    result = []
    for remark in case.remarks:
        if remark.reason == "generic-mode":
            kernel = kernel_of_remark(case.run.kernels, remark)
            result.append(Advice(
                "generic-mode", "A region in generic mode", remark.text,
                "Use a combined construct ('target teams distribute parallel "
                "for'), or move what one thread does out of the region.",
                kernel["name"] if kernel else "", remark.file, remark.line))
    return result


# Why a captured object is not passed as parameters.
IN_MEMORY = {"written-object", "unknown-offsets", "too-many-words"}


def closure_in_memory(case):
    """A captured object is sent to the device, where parameters would do."""
    result = []
    for remark in case.remarks:
        kernel = kernel_of_remark(case.run.kernels, remark)
        if remark.reason not in IN_MEMORY or not kernel:
            continue
        # One copy has all objects of a launch; a mapped one needs none.
        launches, sent = kernel["launches"], kernel["h2d_copies"]
        saved = (launches * case.gpu["link_us"] * 1e-6
                 if case.gpu and sent >= launches else None)
        result.append(_on_kernel(
            "closure-in-memory", "A captured object that is not passed as "
            "parameters", remark.text, case.meanings.get(
                remark.reason, "docs/refusals.md tells what helps."),
            kernel, saved))
    return result


def _refused_loads(run, remark):
    """The uncoalesced loads that a remark of ferry-stage is about: on its line,
    or else the nearest one behind it in its kernel, since a load that moves to
    another place in the program takes that place's line."""
    loads = [line for line in accesses(run) if line["access"] == "load"
             and same_file(line["file"], remark.file) and is_uncoalesced(line)]
    here = [line for line in loads if line["line"] == remark.line]
    kernel = kernel_of_remark(run.kernels, remark)
    if here or not kernel:
        return here
    behind = [line for line in loads if line["kernels"] == [kernel["name"]]
              and 0 < line["line"] - remark.line <= 4]
    return sorted(behind, key=lambda line: line["line"])[:1]


def staging_refused(case):
    """Ferry could have staged an access that is not coalesced, but for one
    thing."""
    result = []
    for remark in case.remarks:
        if (remark.passname != "ferry-stage" or remark.kind != "Missed"
                or not remark.reason or remark.reason in NO_ADVICE):
            continue
        lines = _refused_loads(case.run, remark)
        if not lines:
            continue
        kernel = kernel_of(case.run, lines[0])
        saved = (gain.without_sectors(kernel, lines[0], lines[0]["threads"] / 4)
                 if kernel else None)
        result.append(_on_line(
            "staging-refused", "Not staged: " + remark.reason, remark.text,
            case.meanings.get(remark.reason, "docs/staging.md tells what helps."),
            lines[0], kernel, saved))
    return result


RULES = [uncoalesced, atomics_on_one_address, bank_conflicts, divergence,
         one_active_thread, too_few_blocks, repeated_transfers, generic_mode,
         closure_in_memory, staging_refused]


def advise(case):
    """All advice, that with the greatest predicted gain first."""
    found = [advice for rule in RULES for advice in rule(case)]
    return sorted(found, key=lambda a: (-(a.saved or 0), a.saved is None,
                                        a.file, a.line, a.rule))


def best(advice, most=5):
    """The first few, of each line only one."""
    chosen, places = [], set()
    for one in advice:
        if (one.file, one.line, one.kernel) not in places:
            places.add((one.file, one.line, one.kernel))
            chosen.append(one)
    return chosen[:most]


def gain_text(advice, run):
    """The predicted gain in words. The model knows it to a few percent of the
    program at best, so small ones are only called so."""
    if advice.saved is None:
        return "gain: not predicted"
    part = gain.ratio(advice.saved, run.time["seconds"])
    if part < 0.01:
        return "predicted gain: less than 1 % of the program at this size"
    return "predicted gain: %s, %s of the program" % (seconds(advice.saved),
                                                      percent(part))
