"""Misses and divergence of answers, as docs/src/guide/profiles.md has them."""

import dataclasses

import numpy as np

from .data import Floats, Mask, Rows, Sides

LEAST = 2.0**-20


@dataclasses.dataclass(frozen=True)
class Figures:
    misses: float
    bits: float


def of_program(data: Rows, answers: Floats, program: str) -> Figures:
    own = data.programs == program
    return figures(data.truth[own], data.executions[own], answers[own])


def figures(truth: Floats, executions: Floats, answers: Floats) -> Figures:
    missed = np.where(answers == 0.5, 0.5, np.where(answers > 0.5, 1 - truth, truth))
    answers = np.clip(answers, LEAST, 1 - LEAST)
    divergence = part(truth, answers) + part(1 - truth, 1 - answers)
    share = executions / executions.sum()
    return Figures(float((share * missed).sum()), float((share * divergence).sum()))


def of_switches(data: Sides, answers: Floats, program: str) -> Figures:
    """The same of the switches of a program; of sides that are alike, one is as good as another."""
    own: Mask = data.programs[data.starts] == program
    best = np.repeat(np.maximum.reduceat(answers, data.starts), data.sizes)
    is_best = (answers == best).astype(np.float64)
    hit = np.add.reduceat(is_best * data.truth, data.starts) / np.add.reduceat(is_best, data.starts)
    bits = np.add.reduceat(part(data.truth, np.clip(answers, LEAST, 1.0)), data.starts)
    executions = data.executions[data.starts][own]
    share = executions / executions.sum()
    return Figures(float((share * (1 - hit[own])).sum()), max(0.0, float((share * bits[own]).sum())))


def part(truth: Floats, answers: Floats) -> Floats:
    return np.where(truth > 0, truth * np.log2(np.where(truth > 0, truth, 1) / answers), 0.0)
