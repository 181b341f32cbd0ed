"""Phis behind loop conditions.

A branch tests a phi, or the last of some operations with constants on one, against a constant; the blocks it branches
to feed constants back into the phi, directly or through further phis. LLVM folds such a compare for each
of those constants, to see which way through the loop cannot be followed by the same way again.
"""

from .chance import Chance, Wheel
from .conditions import Conditions
from .constants import FLOAT_TYPES, FLOATS, INTEGER_TYPES, any_constant, any_integer, width
from .dominators import Dominators
from .graph import Graph
from .values import Values

TYPES = dict(INTEGER_TYPES, ptr=10, float=5, double=5, half=3, x86_fp80=3)
INTEGER_OPERATIONS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem")
FLAGS = {"add": " nsw", "sub": " nuw", "mul": " nsw", "shl": " nuw", "lshr": " exact", "sdiv": " exact"}
FLOAT_OPERATIONS = ("fadd", "fsub", "fmul", "fdiv", "frem")
STEPS = {0: 8, 1: 6, 2: 4, 3: 2, 5: 1}

OUTSIDE_LOOPS = 0.25
MOST_PREDECESSORS = 150  # a phi after a giant switch would be all there is to the file
MOST_PHIS = 5


class PhiWebs:
    """Weaves the phi webs of one function."""

    def __init__(
        self,
        rng: Chance,
        graph: Graph,
        preds: list[list[int]],
        dominators: Dominators,
        values: Values,
        conditions: Conditions,
    ) -> None:
        self.rng = rng
        self.graph = graph
        self.preds = preds
        self.dominators = dominators
        self.values = values
        self.conditions = conditions
        self.types = Wheel(rng, TYPES)
        self.steps = Wheel(rng, STEPS)

    def weave(self, rate: float) -> None:
        """Puts webs behind conditional branches: that share of those in loops, and a few others."""
        for branch, block in enumerate(self.graph.blocks):
            if block.ending != "condbr" or not self.dominators.reachable(branch):
                continue
            cycles = self._cycles(branch)
            if cycles and self.rng.hit(rate):
                # The nearest header is that of the innermost loop, the only one that LLVM looks at.
                around = cycles[0] if self.rng.hit(0.7) else self.rng.one(cycles)
                _Web(self, branch, *around).weave()
            elif self.rng.hit(rate * OUTSIDE_LOOPS):
                joins = self._joins_above(branch)
                if joins:
                    header = self.rng.one(joins)
                    _Web(self, branch, header, header).weave()

    def can_have_phi(self, block: int) -> bool:
        """Whether the block has edges to choose among, and not too many."""
        return 2 <= len(self.preds[block]) <= MOST_PREDECESSORS

    def _joins_above(self, branch: int) -> list[int]:
        """Blocks with phis whose values reach the branch."""
        return [block for block in self.dominators.nearest(branch, 10) if self.can_have_phi(block)]

    def _cycles(self, branch: int) -> list[tuple[int, int]]:
        """Ways around a loop: (header, join), where an arm of the branch enters the join, and all that
        passes the join goes back to the header by some latch. The join may be the header itself."""
        entered = {
            join
            for arm in self.graph.succs(branch)
            for join in self.graph.succs(arm)
            if self.can_have_phi(join) and self.dominators.reachable(join)
        }
        if not entered:
            return []
        return [
            (header, join)
            for header in self._joins_above(branch)
            for join in sorted(entered)
            if header == join or self._goes_back(join, header)
        ]

    def _goes_back(self, join: int, header: int) -> bool:
        return self.dominators.dominates(header, join) and any(
            self.dominators.reachable(latch) and self.dominators.dominates(join, latch)
            for latch in self.preds[header][:8]
        )


class _Web:
    """One web: the phis it has so far, and what is known about its values."""

    def __init__(self, webs: PhiWebs, branch: int, header: int, join: int) -> None:
        """The branch tests a phi in `header`; constants from its arms come in through `join`."""
        self._webs = webs
        self._rng = webs.rng
        self._branch = branch
        self._arms = webs.graph.succs(branch)
        self._header = header
        self._join = join
        self._word = webs.types.pick()
        # Few different constants, so that the compare often meets the very constant of a phi.
        self._pool = [self._constant() for _ in range(self._rng.between(2, 3))]
        self._phis: dict[int, str] = {}
        self._unfilled: list[int] = []
        self._result: tuple[int, str] | None = None  # block and value

    def weave(self) -> None:
        first = self._phi(self._header)
        place = self._operations_place()
        code = self._webs.graph.blocks[place].code
        value = self._operations(code, first)
        self._result = (place, value)
        compare_code = code if self._rng.hit(0.3) else self._webs.graph.blocks[self._branch].code
        self._webs.graph.blocks[self._branch].condition = self._compare(compare_code, value)
        while self._unfilled:
            self._fill(self._unfilled.pop())

    def _constant(self) -> str:
        rng = self._rng
        if self._word == "ptr" and rng.hit(0.1):
            number = rng.between(1, 3) * 8
            return f"inttoptr (i64 {number} to {self._webs.values.spell.type('ptr')})"
        return any_constant(rng, self._word)

    def _pooled(self) -> str:
        return self._rng.one(self._pool) if self._rng.hit(0.8) else self._constant()

    def _operations_place(self) -> int:
        """Operations stand beside the phi or beside the branch; a catch switch takes neither."""
        if self._rng.hit(0.4) and self._webs.graph.blocks[self._header].ending != "catchswitch":
            return self._header
        return self._branch

    def _operations(self, code: list[str], value: str) -> str:
        if self._word == "ptr":
            return value
        for _ in range(self._webs.steps.pick()):
            value = self._operation(code, value)
        return value

    def _operation(self, code: list[str], value: str) -> str:
        rng, word = self._rng, self._word
        if word in FLOAT_TYPES:
            constant = rng.one(FLOATS[word])
            operation = rng.one(FLOAT_OPERATIONS)
        else:
            operation, constant = self._integer_operation()
        pair = (value, constant) if rng.hit(0.92) else (constant, value)
        return self._webs.values.define(code, f"{operation} {word} {pair[0]}, {pair[1]}")

    def _integer_operation(self) -> tuple[str, str]:
        """Any operation; shifts are mostly in range, and division by zero does come up."""
        rng, bits = self._rng, width(self._word)
        operation = rng.one(INTEGER_OPERATIONS)
        if operation in ("shl", "lshr", "ashr") and bits > 1 and rng.hit(0.85):
            constant = str(rng.below(min(bits, 1 << (bits - 1))))
        else:
            constant = any_integer(rng, bits)
        return operation + (FLAGS.get(operation, "") if rng.hit(0.1) else ""), constant

    def _compare(self, code: list[str], value: str) -> str:
        constant = self._pooled() if self._rng.hit(0.95) else self._variable()
        pair = (value, constant) if self._rng.hit(0.93) else (constant, value)
        predicate = self._webs.conditions.predicate(self._word)
        return self._webs.values.define(code, f"{predicate} {pair[0]}, {pair[1]}")

    def _variable(self) -> str:
        return self._webs.values.argument_or_constant(self._word)

    def _phi(self, block: int) -> str:
        """The web's phi in that block, made if need be."""
        if block not in self._phis:
            self._phis[block] = self._webs.values.fresh()
            self._unfilled.append(block)
        return self._phis[block]

    def _fill(self, block: int) -> None:
        incoming: dict[int, str] = {}
        for pred in self._webs.preds[block]:
            if pred not in incoming:
                incoming[pred] = self._incoming(pred)
        blocks = self._webs.graph.blocks
        pairs = ", ".join(f"[ {incoming[pred]}, {blocks[pred].reference} ]" for pred in self._webs.preds[block])
        type_ = self._webs.values.spell.type(self._word)
        blocks[block].phis.append(f"{self._phis[block]} = phi {type_} {pairs}")

    def _incoming(self, pred: int) -> str:
        """What the phi gets along edges from `pred`: most interesting where `pred` is an arm."""
        rng = self._rng
        if pred in self._arms and rng.hit(0.85):
            return self._pooled()
        if rng.hit(0.8) and self._dominated_by(self._join, pred):
            return self._phi(self._join)
        choice = rng.random()
        if choice < 0.4 and len(self._phis) < MOST_PHIS:
            merge = self._merge_above(pred)
            if merge is not None:
                return self._phi(merge)
        if choice < 0.6 and self._result and self._dominated_by(self._result[0], pred):
            return self._result[1]
        return self._pooled() if choice < 0.85 else self._variable()

    def _merge_above(self, pred: int) -> int | None:
        """The nearest block on the way to `pred` that can have a phi of its own."""
        for block in self._webs.dominators.nearest(pred, 4):
            if self._webs.can_have_phi(block):
                return block
        return None

    def _dominated_by(self, upper: int, block: int) -> bool:
        dominators = self._webs.dominators
        return dominators.reachable(block) and dominators.dominates(upper, block)
