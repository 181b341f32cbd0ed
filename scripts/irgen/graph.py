"""The control-flow graph under construction."""


class Block:
    """One block: its edges, and the text that the later steps put into it."""

    __slots__ = ("succs", "ending", "pad", "pad_line", "funclet", "unwinds", "label", "reference", "phis",
                 "code", "condition")

    def __init__(self):
        #: Successors by index, in order, with repetitions.
        self.succs = []
        #: The kind of terminator; None until chosen.
        self.ending = None
        #: The kind of exception pad that the block starts with, if any.
        self.pad = None
        #: The text of the pad instruction.
        self.pad_line = None
        #: The pad value that the terminator leaves, resumes or (a catch switch) defines.
        self.funclet = None
        #: Whether the first successor of a catchswitch or cleanupret is where it unwinds to.
        self.unwinds = False
        #: How the block is introduced (`name:`), and how it is named as an operand (`%name`).
        self.label = None
        self.reference = None
        #: Lines of phis, and lines of other instructions.
        self.phis = []
        self.code = []
        #: The i1 operand for the branch, if a phi web has decided it.
        self.condition = None


class Graph:
    """Blocks and edges of one function. Block 0 is the entry and never gets a predecessor."""

    def __init__(self):
        self.blocks = []
        #: Blocks that were drawn as headers of loops or of irreducible regions.
        self.headers = []

    def __len__(self):
        return len(self.blocks)

    def add(self):
        """A new block without edges; answers its index."""
        self.blocks.append(Block())
        return len(self.blocks) - 1

    def link(self, source, *targets):
        """Edges from source to each of the targets."""
        self.blocks[source].succs.extend(targets)

    def succs(self, index):
        """The successors of a block."""
        return self.blocks[index].succs

    def preds(self):
        """For every block its predecessors, an edge at a time: parallel edges count."""
        preds = [[] for _ in self.blocks]
        for index, block in enumerate(self.blocks):
            for succ in block.succs:
                preds[succ].append(index)
        return preds
