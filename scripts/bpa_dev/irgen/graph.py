"""The control-flow graph under construction."""


class Block:
    """One block: its edges, and the text that the later steps put into it."""

    __slots__ = (
        "code",
        "condition",
        "ending",
        "funclet",
        "label",
        "pad",
        "pad_line",
        "phis",
        "reference",
        "succs",
        "unwinds",
    )

    def __init__(self) -> None:
        #: Successors by index, in order, with repetitions.
        self.succs: list[int] = []
        #: The kind of terminator; None until chosen.
        self.ending: str | None = None
        #: The kind of exception pad that the block starts with, if any.
        self.pad: str | None = None
        #: The text of the pad instruction.
        self.pad_line: str | None = None
        #: The pad value that the terminator leaves, resumes or (a catch switch) defines.
        self.funclet: str | None = None
        #: Whether the first successor of a catchswitch or cleanupret is where it unwinds to.
        self.unwinds = False
        #: How the block is introduced (`name:`), and how it is named as an operand (`%name`).
        self.label = ""
        self.reference = ""
        #: Lines of phis, and lines of other instructions.
        self.phis: list[str] = []
        self.code: list[str] = []
        #: The i1 operand for the branch, if a phi web has decided it.
        self.condition: str | None = None


class Graph:
    """Blocks and edges of one function. Block 0 is the entry and never gets a predecessor."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        #: Blocks that were drawn as headers of loops or of irreducible regions.
        self.headers: list[int] = []

    def __len__(self) -> int:
        return len(self.blocks)

    def add(self) -> int:
        """A new block without edges; answers its index."""
        self.blocks.append(Block())
        return len(self.blocks) - 1

    def link(self, source: int, *targets: int) -> None:
        """Edges from source to each of the targets."""
        self.blocks[source].succs.extend(targets)

    def succs(self, index: int) -> list[int]:
        """The successors of a block."""
        return self.blocks[index].succs

    def preds(self) -> list[list[int]]:
        """For every block its predecessors, an edge at a time: parallel edges count."""
        preds: list[list[int]] = [[] for _ in self.blocks]
        for index, block in enumerate(self.blocks):
            for succ in block.succs:
                preds[succ].append(index)
        return preds
