"""The command `bpa`, run on small programs in a folder of their own."""

import pathlib
import subprocess

from .messages import Failure
from .tools import Tools


class Tried:
    """The command, with the tools that it is to use."""

    def __init__(self, tools: Tools, command: str, folder: pathlib.Path) -> None:
        self.tools, self.command, self.folder = tools, command, folder

    def file(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return name

    def run(self, subcommand: str, *words: str, fails: bool = False) -> str:
        """What it prints on stdout; on stderr, where it is to fail."""
        out, said = self.run_both(subcommand, *words, fails=fails)
        return said if fails else out

    def run_both(self, subcommand: str, *words: str, fails: bool = False) -> tuple[str, str]:
        """What it prints on stdout and on stderr."""
        tools = ["--llvm", str(self.tools.llvm.version), "--plugin", str(self.tools.plugin)]
        done = subprocess.run([self.command, subcommand, *tools, *words], cwd=self.folder, capture_output=True)
        # Ends of lines are as they are.
        out, said = done.stdout.decode(), done.stderr.decode()
        if (done.returncode != 0) != fails:
            raise Failure(f"bpa {subcommand} {' '.join(words)}: exit status {done.returncode}\n{said}")
        return out, said

    def expect(self, text: str, *parts: str) -> None:
        for part in parts:
            if part not in text:
                raise Failure(f"no {part!r} in\n{text}")
