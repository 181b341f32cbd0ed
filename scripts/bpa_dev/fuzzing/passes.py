"""Random pipelines: of LLVM's own passes, above all of those that change the control-flow graph, and of changes that
no pass would make."""

import os
import random

from ..comparing.runs import Ending, Run, run
from ..tools import Tools

# How a pass of each kind stands in a pipeline for modules.
SPELLINGS = {
    "function": "function({})",
    "profiled": "require<profile-summary>,function({})",
    "loop": "function(loop({}))",
    "loop-mssa": "function(loop-mssa({}))",
    "cgscc": "cgscc({})",
    "module": "{}",
}
# `|` stands between forms of one pass, which may be of different versions.
# fmt: off
OFTEN = {
    "function": [
        "simplifycfg|simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops>"
        "|simplifycfg<hoist-common-insts;sink-common-insts;bonus-inst-threshold=4>",
        "loop-unroll|loop-unroll<O3;runtime;partial>|loop-unroll<O2;full-unroll-max=8>",
        "lowerswitch|lower-switch", "lowerswitch,fix-irreducible|lower-switch,fix-irreducible",
        "lowerswitch,structurizecfg|lower-switch,structurizecfg", "lowerinvoke|lower-invoke",
        "adce", "break-crit-edges", "dfa-jump-threading", "gvn", "instcombine", "jump-threading",
        "lcssa", "loop-simplify", "mem2reg", "mergereturn", "reg2mem", "sccp", "sroa", "tailcallelim",
    ],
    "loop": ["loop-rotate", "loop-deletion", "loop-simplifycfg", "loop-flatten", "indvars"],
    "loop-mssa": ["simple-loop-unswitch|simple-loop-unswitch<nontrivial>"],
    "cgscc": ["inline"],
    "module": ["partial-inliner", "hotcoldsplit"],
}
# fmt: on
# fmt: off
SOMETIMES = {
    "function": [
        "aggressive-instcombine", "bdce", "bounds-checking", "callsite-splitting",
        "constraint-elimination", "correlated-propagation", "consthoist", "dse", "div-rem-pairs",
        "early-cse|early-cse<memssa>", "flattencfg|flatten-cfg", "gvn-hoist", "gvn-sink", "instnamer",
        "instsimplify", "irce", "libcalls-shrinkwrap", "loop-distribute", "loop-fusion",
        "loop-load-elim", "loop-sink", "loop-versioning", "loop-vectorize", "lower-constant-intrinsics",
        "memcpyopt", "mergeicmps", "mldst-motion", "newgvn", "partially-inline-libcalls",
        "reassociate", "scalarizer", "sink", "slp-vectorizer", "speculative-execution",
        "separate-const-offset-from-gep", "vector-combine",
        "lowerswitch,unify-loop-exits|lower-switch,unify-loop-exits",
    ],
    "loop": ["loop-idiom", "loop-unroll-full", "loop-reduce", "loop-bound-split", "loop-predication",
             "loop-interchange", "loop-unroll-and-jam", "loop-instsimplify"],
    "loop-mssa": ["licm", "loop-versioning-licm"],
    "profiled": ["chr"],
    "cgscc": ["argpromotion", "function-attrs"],
    "module": ["always-inline", "deadargelim", "globalopt", "ipsccp", "loop-extract", "mergefunc",
               "iroutliner", "pgo-instr-gen", "sancov-module", "asan", "strip", "metarenamer"],
}
# fmt: on
OFTENER = 4
# LLVM's answers are to come from the IR alone, not from analyses that its passes have kept.
FORGET = "invalidate<all>"

#: Passes one after the other, with no comparison between them.
Stage = list[str]


class Trouble(Exception):
    """LLVM crashed, hung or complained in passes of its own; the text says how."""

    def __init__(self, done: Run) -> None:
        super().__init__(done.trouble)
        self.ending = done.ending


class Pipelines:
    """Draws pipelines of the passes that one LLVM has."""

    def __init__(self, tools: Tools) -> None:
        #: Forms of each pass, with how often it is drawn.
        self._passes: dict[tuple[str, ...], int] = {}
        for table, weight in (OFTEN, OFTENER), (SOMETIMES, 1):
            for kind, names in table.items():
                for name in names:
                    spelled = (SPELLINGS[kind].format(form) for form in name.split("|"))
                    forms = tuple(form for form in spelled if takes(tools, form))
                    if forms:
                        self._passes[forms] = weight

    def __len__(self) -> int:
        return len(self._passes)

    def draw(self, rng: random.Random, most: int) -> list[str]:
        """A pipeline of up to `most` passes, as a list that can be joined with commas."""
        drawn = rng.choices(list(self._passes), list(self._passes.values()), k=rng.randint(1, most))
        return [rng.choice(forms) for forms in drawn]

    def of_llvm(self, rng: random.Random) -> list[Stage]:
        """Up to six stages of LLVM's passes."""
        return [self.draw(rng, 2) for _ in range(rng.randint(0, 6))]

    def mixed(self, rng: random.Random) -> list[Stage]:
        """Changes by us, then some of LLVM's passes, then again."""
        stages = mutations(rng)
        for _ in range(rng.randint(0, 2)):
            stages += [[*self.draw(rng, 2), FORGET] for _ in range(rng.randint(1, 2))]
            stages += mutations(rng)
        return stages


def mutations(rng: random.Random, *options: str) -> list[Stage]:
    """Changes by us, one after the other."""
    return [[mutation(rng, "rewire", *options)] for _ in range(rng.randint(10, 80))]


def mutation(rng: random.Random, *options: str) -> str:
    """A pass that makes random changes."""
    return f"fuzz-mutate<{';'.join([f'seed={rng.getrandbits(48)}', *options])}>"


def takes(tools: Tools, form: str) -> bool:
    """Whether `opt` takes the pass, tried on an empty module."""
    return run([*tools.opt, "-disable-output", f"-passes={form}", os.devnull], None).ending is Ending.FINE
