"""How often everything occurs: what a profile is rich in, and how functions differ within it."""

from .chance import Chance

PROFILES = ("general", "irreducible", "flow", "expect", "folding")

PIECES: dict[str, dict[str, float]] = {
    "general": {"structured": 60, "random_edges": 18, "irreducible": 8, "traps": 7, "row": 3},
    "irreducible": {"irreducible": 80, "structured": 8, "random_edges": 10, "many_headers": 0.4},
    "flow": {"irreducible": 50, "random_edges": 30, "ring": 20},
    "expect": {"structured": 1},
}
DENSITIES = (0.0, 0.4, 1.0, 1.0, 2.5)


class Taste:
    """The rates of one function. Rates are probabilities, per block, edge or function as they say."""

    def __init__(self, rng: Chance, profile: str, malformed: bool) -> None:
        self._rng = rng
        irreducible = profile in ("irreducible", "flow")
        simple = profile == "expect"
        #: Nothing but blocks, edges and branch weights, in functions of all sizes.
        self.flow = flow = profile == "flow"
        self.simple = simple
        self.malformed = 0.2 if malformed else 0.0
        #: Kinds of pieces that the graph is made of, by weight, and how many at most.
        self.pieces = PIECES[profile]
        self.most_pieces = 2 if irreducible else 3
        #: Defects of the graph, per function.
        self.strays = 0.0 if simple else 0.15
        self.parallel_edges = 0.0 if simple else 0.2
        self.wild_edges = 0.0 if simple else 0.1
        self.giants = 0.0 if simple or flow else 0.006
        #: Exception handling, per function, and invokes per jump.
        self.landing_pads = 0.0 if simple or flow else 0.03 if irreducible else 0.12
        self.funclets = 0.0 if simple or flow else 0.02 if irreducible else 0.09
        self.invokes = rng.one((0.2, 0.5, 0.9))
        #: Branch weights per terminator; how much likelier than usual some of them are zero.
        self.prof = self._varied(0.1 if simple else 0.6 if flow else 0.3 if irreducible else 0.2)
        self.zeros = 8 if irreducible else 1
        #: Loop header weights, per drawn header and per other block.
        self.header_weights, self.stray_header_weights = self._header_rates(irreducible, simple or flow)
        #: Entry counts, per function.
        self.entry_count = 0.5 if irreducible else 0.25
        #: Phi webs per conditional branch, calls per block.
        self.webs = 0.0 if simple else self._varied(0.1 if irreducible else 0.6)
        self.calls = 0.0 if simple else self._varied(0.1 if irreducible else 0.15)
        #: Uses of `llvm.expect` besides branches, per block.
        self.extra_expectations = 0.1
        #: Unusual layout and names, per function.
        self.shuffled_layout = 0.25
        self.numbered_arguments = 0.15

    def _varied(self, rate: float) -> float:
        return min(0.9, rate * self._rng.one(DENSITIES))

    def _header_rates(self, irreducible: bool, simple: bool) -> tuple[float, float]:
        """All, some or none of the headers are weighted; outside the profile for it mostly none."""
        if simple or not self._rng.hit(0.75 if irreducible else 0.12):
            return 0.0, 0.0
        return self._rng.one(((1.0, 0.0), (0.5, 0.0), (0.8, 0.1), (1.0, 0.3)))
