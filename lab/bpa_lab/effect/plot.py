"""Draws how the gain from weights depends on the share of wrong weights."""

from collections.abc import Mapping, Sequence

#: The size of the area of the lines, and the space around it for text.
WIDTH, HEIGHT, SPACE = 400, 240, 50
COLOURS = ("#0072b2", "#d55e00")


def svg(shares: Sequence[int], lines: Mapping[str, Sequence[float]]) -> str:
    """`shares` has percentages of wrong weights. Each line has the relative changes of a count at these percentages."""
    values = [value for line in lines.values() for value in line] + [0.0]
    low, high = min(values), max(values)

    def x(share: float) -> float:
        return SPACE + WIDTH * share / max(shares)

    def y(value: float) -> float:
        return SPACE / 2 + HEIGHT * (high - value) / (high - low or 1)

    parts = [f'<line x1="{x(0)}" x2="{x(max(shares))}" y1="{y(0):.1f}" y2="{y(0):.1f}" stroke="#999"/>']
    parts += [text(x(share), SPACE / 2 + HEIGHT + 18, f"{share}%") for share in shares]
    parts += [
        text(x(0) - 26, y(value) + 4, f"{value:+.0%}") for value in (low, 0, high) if value in (low, 0) or value > 0.02
    ]
    parts.append(text(SPACE + WIDTH / 2, HEIGHT + SPACE / 2 + 36, "branches with exchanged weights"))
    for place, ((name, line), colour) in enumerate(zip(lines.items(), COLOURS, strict=True)):
        points = " ".join(f"{x(share):.1f},{y(value):.1f}" for share, value in zip(shares, line, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(SPACE + WIDTH / 2, SPACE / 2 + 20 * place, name, colour))
    size = f'width="{WIDTH + 2 * SPACE}" height="{HEIGHT + 2 * SPACE}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'


def text(x: float, y: float, content: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{colour}">{content}</text>'
