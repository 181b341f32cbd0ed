"""The tools of the chosen LLVM and the plugin, found as `scripts/parity` finds them."""

import argparse
import importlib.machinery
import importlib.util
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent


def load_script(name):
    """A script beside this folder, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


parity = load_script("parity")


def find_tools(llvm, plugin, flags=()):
    """`opt` with `flags`, `llvm-as`, the plugin (built if none is named) and a folder for files."""
    return parity.find_tools(argparse.Namespace(
        llvm=llvm, plugin=plugin, opt_flag=list(flags), disable_verify=False))
