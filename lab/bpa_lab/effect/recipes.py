"""Compiles the IR of the front end to objects, with different information about branches."""

import concurrent.futures
import dataclasses
import hashlib
import pathlib
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence

from bpa_dev.llvm import Llvm
from bpa_dev.shell import check

from ..profiled.recording import Module
from ..profiled.truth import mark_attributes, restore_attributes, unsplit
from ..profiled.wrapper import EARLY, INSTRUMENT
from .wrapper import OPTIMISED

#: The options with which clang only generates code from IR.
GENERATE = ("-Xclang", "-disable-llvm-passes")
LATE = "late"
THIN = ("-flto=thin",)
THIN_LINK = (*THIN, "-fuse-ld=lld", "-Wl,--thinlto-jobs=1")
DEFINITION = re.compile(r"^define .*$", re.M)
PROFILE = re.compile(r" !prof !\d+")
SUMMARY = re.compile(r'^(!\d+) = !\{i32 \d+, !"ProfileSummary", !\d+\}$', re.M)
MODULE_FLAGS = re.compile(r"^!llvm\.module\.flags = !\{.*\}$", re.M)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """A function that compiles a module. If two recipes have equal keys, they produce equal object files."""

    key: str
    compile: Callable[[Module, pathlib.Path], object]
    link_options: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name of constant length, because the length of a program's path must not differ between variants."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]


class Recipes:
    def __init__(self, llvm: Llvm, is_thin: bool) -> None:
        self._llvm = llvm
        self._clang = str(llvm.tool("clang"))
        self._thin = THIN if is_thin else ()
        self._link = THIN_LINK if is_thin else ()

    def plain(self) -> Recipe:
        return Recipe(self._key("plain"), lambda module, target: self.clang_with(module, target), self._link)

    def with_passes(self, plugin: pathlib.Path, pipeline: str, version: str) -> Recipe:
        """Compiles with passes of a plugin. `version` is a hash of the plugin."""
        environment = {"BPA_PIPELINE": pipeline}
        options = (f"-fpass-plugin={plugin}",)

        def compile_one(module: Module, target: pathlib.Path) -> None:
            self.clang_with(module, target, options, environment)

        return Recipe(self._key(pipeline, version), compile_one, self._link)

    def with_weights(self, profile: pathlib.Path, of: str, is_late: bool) -> Recipe:
        """Compiles with the branch weights of a profile, but without the function counts and the summary."""

        def compile_one(module: Module, target: pathlib.Path) -> None:
            with tempfile.TemporaryDirectory() as folder:
                after = pathlib.Path(folder, "after.ll")
                self._before(module, after, is_late)
                after.write_text(mark_attributes(after.read_text(errors="surrogateescape")), errors="surrogateescape")
                self._opt(f"{passes(is_late)}pgo-instr-use", after, after, f"-pgo-test-profile-file={profile}")
                after.write_text(weights_alone(after.read_text(errors="surrogateescape")), errors="surrogateescape")
                self.clang_with(dataclasses.replace(module, file=after), target, GENERATE if is_late else ())

        return Recipe(self._key("weights", of, *[LATE] * is_late), compile_one, self._link)

    def with_profile(self, profile: pathlib.Path, of: str) -> Recipe:
        """Compiles with clang's -fprofile-use."""
        options = (f"-fprofile-use={profile}",)
        return Recipe(self._key("profile", of), lambda m, t: self.clang_with(m, t, options), self._link)

    def with_late_counts(self, early: pathlib.Path, late: pathlib.Path | None, of: str) -> Recipe:
        """Compiles with the profile `early`. Before code generation, the counts of the profile `late` replace its
        counts. Without `late`, they stay."""

        def compile_one(module: Module, target: pathlib.Path) -> None:
            with tempfile.TemporaryDirectory() as folder:
                after = pathlib.Path(folder, "after.ll")
                self.write_late(module, after, early, late)
                self.clang_with(dataclasses.replace(module, file=after), target, GENERATE)

        return Recipe(self._key("late counts" if late else "kept counts", of), compile_one, self._link)

    def write_late(self, module: Module, target: pathlib.Path, early: pathlib.Path, late: pathlib.Path | None) -> None:
        """Writes the IR of `with_late_counts` before code generation, as text."""
        self._before(module, target, is_late=True, early=early)
        if late:
            before = target.read_text(errors="surrogateescape")
            self._opt("pgo-instr-use", target, target, f"-pgo-test-profile-file={late}")
            target.write_text(unsplit(target.read_text(errors="surrogateescape"), before), errors="surrogateescape")

    def counting_branches(self, is_late: bool, early: pathlib.Path | None = None, of: str = "") -> Recipe:
        """Adds counters that measure branch weights. The counters are added where the plugin's passes run. The late IR
        is compiled with the profile `early`. `of` is the hash of this profile."""

        def compile_one(module: Module, target: pathlib.Path) -> None:
            before, counted = target.with_suffix(".ll"), target.with_suffix(".bc")
            self._before(module, before, is_late, early)
            self._opt(f"{passes(is_late)}pgo-instr-gen,instrprof", before, counted)
            generate = GENERATE if is_late else ()
            check([self._clang, *module.options, *OPTIMISED, *generate, "-x", "ir", "-c", counted, "-o", target])
            before.unlink()
            counted.unlink()

        key = "counting branches" + (f", {LATE}" if is_late else "") + (f", after the profile {of}" if early else "")
        return Recipe(key, compile_one, ("-fprofile-generate",))

    def counting(self) -> Recipe:
        """Adds counters with clang's -fprofile-generate."""

        def compile_one(module: Module, target: pathlib.Path) -> None:
            options = [*module.options, *OPTIMISED, "-fprofile-generate"]
            check([self._clang, *options, "-x", "ir", "-c", module.file, "-o", target])

        return Recipe("counting", compile_one, ("-fprofile-generate",))

    def _key(self, *parts: str) -> str:
        return "\0".join([*parts, *self._thin])

    def clang_with(
        self,
        module: Module,
        target: pathlib.Path,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        words = [self._clang, *module.options, *OPTIMISED, *self._thin, *options]
        check([*words, "-x", "ir", "-c", module.file, "-o", target], environment=environment)

    def _before(self, module: Module, target: pathlib.Path, is_late: bool, early: pathlib.Path | None = None) -> None:
        """Writes the IR before the passes of `passes`, as text. The late IR is the IR after all passes of clang, which
        use the profile `early`."""
        if is_late:
            words = [self._clang, *module.options, *OPTIMISED, *[f"-fprofile-use={early}"] * (early is not None)]
            check([*words, "-x", "ir", "-S", "-emit-llvm", module.file, "-o", target])
        else:
            self._opt("", module.file, target)

    def _opt(self, passes: str, file: pathlib.Path, target: pathlib.Path, *options: str) -> None:
        opt, text = str(self._llvm.tool("opt")), ["-S"] if target.suffix == ".ll" else []
        check([opt, f"-passes={passes}", *INSTRUMENT, *options, *text, file, "-o", target])


def passes(is_late: bool) -> str:
    """The passes between the IR of `_before` and the pipeline point at which weights are written."""
    return "" if is_late else f"{EARLY},"


def weights_alone(ir: str) -> str:
    """Removes the function counts and the summary of a profile from IR, and keeps the branch weights."""
    ir = DEFINITION.sub(lambda line: PROFILE.sub("", line[0]), restore_attributes(ir))
    summary = SUMMARY.search(ir)
    if not summary:
        return ir
    flag = re.compile(rf", {summary[1]}(?=[,}}])")
    return MODULE_FLAGS.sub(lambda line: flag.sub("", line[0]), ir)


def compile_all(recipe: Recipe, modules: Sequence[Module], folder: pathlib.Path, jobs: int) -> dict[str, pathlib.Path]:
    """Compiles each module that has no object file in `folder` yet. Maps the name of each module to its object."""
    objects = {module.name: folder / f"{module.name}.o" for module in modules}

    def one(module: Module) -> None:
        target = objects[module.name]
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial.o")
        recipe.compile(module, partial)
        partial.rename(target)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(one, modules):
            pass
    return objects
