"""Generates inputs of solvers: formulas in DIMACS format, linear and integer programs in CPLEX format."""

import random

Clause = list[int]


def dimacs(variables: int, clauses: list[Clause]) -> bytes:
    lines = [f"p cnf {variables} {len(clauses)}"]
    return ("\n".join(lines + [" ".join(map(str, [*clause, 0])) for clause in clauses]) + "\n").encode()


def three_literals(variables: int, count: int, seed: int) -> list[Clause]:
    draw = random.Random(seed)
    return [[draw.choice((-1, 1)) * name for name in draw.sample(range(1, variables + 1), 3)] for _ in range(count)]


def random_formula() -> bytes:
    """Generates a random 3-SAT formula. With slightly more clauses, most such formulas are unsatisfiable."""
    return dimacs(230, three_literals(230, 950, 21))


def random_unsatisfiable() -> bytes:
    """Generates a random 3-SAT formula that is unsatisfiable because of its many clauses."""
    return dimacs(170, three_literals(170, 850, 22))


def colouring() -> bytes:
    """Encodes the 4-colouring of a random graph."""
    draw = random.Random(23)
    nodes, colours = 260, 4
    clauses = [[node * colours + colour + 1 for colour in range(colours)] for node in range(nodes)]
    edges = {tuple(sorted(draw.sample(range(nodes), 2))) for _ in range(1_090)}
    for one, other in sorted(edges):
        clauses += [[-(one * colours + colour + 1), -(other * colours + colour + 1)] for colour in range(colours)]
    return dimacs(nodes * colours, clauses)


def multiplier() -> bytes:
    """Encodes the factorisation of a product of two primes as a multiplier circuit."""
    bits, product = 14, 9_973 * 10_007
    clauses: list[Clause] = []
    count = 0

    def new() -> int:
        nonlocal count
        count += 1
        return count

    def conjunction(a: int, b: int) -> int:
        out = new()
        clauses.extend([[-a, -b, out], [a, -out], [b, -out]])
        return out

    def exclusive(a: int, b: int) -> int:
        out = new()
        clauses.extend([[-a, -b, -out], [a, b, -out], [a, -b, out], [-a, b, out]])
        return out

    def either(a: int, b: int) -> int:
        return -conjunction(-a, -b)

    one, other = ([new() for _ in range(bits)] for _ in range(2))
    zero = new()
    clauses.append([-zero])
    total = [zero] * (2 * bits)
    for shift, digit in enumerate(other):
        carry = zero
        for position in range(bits):
            partial = conjunction(one[position], digit)
            before = total[shift + position]
            half = exclusive(partial, before)
            total[shift + position] = exclusive(half, carry)
            carry = either(conjunction(partial, before), conjunction(half, carry))
        total[shift + bits] = carry
    clauses += [[out if product >> position & 1 else -out] for position, out in enumerate(total)]
    # Both factors are at least 2.
    clauses += [one[1:], other[1:]]
    return dimacs(count, clauses)


def transport() -> bytes:
    """Generates a transportation problem as a linear program."""
    draw = random.Random(24)
    stores, towns = 40, 90
    cost = [[draw.randint(3, 90) for _ in range(towns)] for _ in range(stores)]
    wanted = [draw.randint(5, 60) for _ in range(towns)]
    stock = [sum(wanted) // stores + draw.randint(1, 60) for _ in range(stores)]
    lines = ["Minimize", " cost:"]
    lines += [f" + {cost[store][town]} x{store}_{town}" for store in range(stores) for town in range(towns)]
    lines.append("Subject To")
    for store in range(stores):
        terms = " ".join(f"\n + x{store}_{town}" for town in range(towns))
        lines.append(f" s{store}: {terms} <= {stock[store]}")
    for town in range(towns):
        terms = " ".join(f"\n + x{store}_{town}" for store in range(stores))
        lines.append(f" t{town}: {terms} >= {wanted[town]}")
    return ("\n".join([*lines, "End"]) + "\n").encode()


def knapsack() -> bytes:
    """Generates a knapsack problem with several weight limits as an integer program."""
    draw = random.Random(25)
    things, bags = 40, 4
    value = [draw.randint(10, 99) for _ in range(things)]
    lines = ["Maximize", " worth:"]
    lines += [f" + {value[thing]} x{thing}" for thing in range(things)]
    lines.append("Subject To")
    for bag in range(bags):
        terms = " ".join(f"\n + {draw.randint(5, 60)} x{thing}" for thing in range(things))
        lines.append(f" b{bag}: {terms} <= {things * 8}")
    return ("\n".join([*lines, "Binary", *(f" x{thing}" for thing in range(things)), "End"]) + "\n").encode()
