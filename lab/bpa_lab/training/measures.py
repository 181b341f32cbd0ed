"""Computes misses and divergence of predictions. docs/src/guide/profiles.md defines these measures."""

import dataclasses

import numpy as np

from .data import Floats, Mask, Rows, SwitchEdges

LEAST = 2.0**-20


@dataclasses.dataclass(frozen=True)
class Figures:
    misses: float
    bits: float


def of_program(data: Rows, predictions: Floats, program: str) -> Figures:
    own = data.programs == program
    return figures(data.truth[own], data.executions[own], predictions[own])


def figures(truth: Floats, executions: Floats, predictions: Floats) -> Figures:
    missed = np.where(predictions == 0.5, 0.5, np.where(predictions > 0.5, 1 - truth, truth))
    predictions = np.clip(predictions, LEAST, 1 - LEAST)
    divergence = part(truth, predictions) + part(1 - truth, 1 - predictions)
    share = executions / executions.sum()
    return Figures(float((share * missed).sum()), float((share * divergence).sum()))


def of_switches(data: SwitchEdges, predictions: Floats, program: str) -> Figures:
    """Evaluates the switches of a program. If several edges share the highest prediction, the hit rate is the mean of
    their profiled probabilities."""
    own: Mask = data.programs[data.starts] == program
    best = np.repeat(np.maximum.reduceat(predictions, data.starts), data.sizes)
    is_best = (predictions == best).astype(np.float64)
    hit = np.add.reduceat(is_best * data.truth, data.starts) / np.add.reduceat(is_best, data.starts)
    bits = np.add.reduceat(part(data.truth, np.clip(predictions, LEAST, 1.0)), data.starts)
    executions = data.executions[data.starts][own]
    share = executions / executions.sum()
    return Figures(float((share * (1 - hit[own])).sum()), max(0.0, float((share * bits[own]).sum())))


def part(truth: Floats, predictions: Floats) -> Floats:
    return np.where(truth > 0, truth * np.log2(np.where(truth > 0, truth, 1) / predictions), 0.0)
