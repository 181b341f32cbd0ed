"""Generates texts: a server log, tables, JSON and XML."""

import json
import random
from xml.sax.saxutils import escape

WORDS = (  # noqa: SIM905
    "time year people way day man thing woman life child world school state family student group country problem hand "
    "part place case week company system program question work government number night point home water mother area "
    "money story fact month lot right study book eye job word business issue side kind head house service friend power "
    "hour game line end member law car city community name president team minute idea body information back parent "
    "face others level office door health person art war history party result change morning reason research girl guy"
).split()


def words(draw: random.Random, least: int, most: int) -> str:
    # Like natural language, the text has a few frequent words and many rare words.
    count = draw.randint(least, most)
    return " ".join(WORDS[min(int(draw.expovariate(0.05)), len(WORDS) - 1)] for _ in range(count))


def log() -> bytes:
    """Generates the log of a web server with 60,000 lines."""
    draw = random.Random(1)
    hosts = [f"10.{draw.randrange(256)}.{draw.randrange(256)}.{draw.randrange(1, 255)}" for _ in range(400)]
    paths = ["/" + "/".join(words(draw, 1, 3).split()) + draw.choice((".html", ".png", "", ".css")) for _ in range(900)]
    lines = []
    second = 0
    for _ in range(60_000):
        second += int(draw.expovariate(0.4))
        status = draw.choices((200, 304, 404, 500), (80, 12, 6, 2))[0]
        size = "-" if status == 304 else str(int(draw.lognormvariate(8, 1.5)))
        path = paths[min(int(draw.expovariate(0.01)), len(paths) - 1)]
        stamp = f"{second // 86400 + 1:02}/Mar/2024:{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        verb = draw.choices(("GET", "POST"), (9, 1))[0]
        lines.append(f'{draw.choice(hosts)} - - [{stamp} +0000] "{verb} {path} HTTP/1.1" {status} {size}\n')
    return "".join(lines).encode()


def table() -> bytes:
    """Generates a CSV table of purchase orders. Some lines have a quoted remark."""
    draw = random.Random(2)
    lines = ["order,date,customer,quantity,price,remark\n"]
    for number in range(40_000):
        date = f"2023-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        remark = f'"{words(draw, 2, 8)}, {words(draw, 1, 3)}"' if draw.random() < 0.2 else ""
        price = f"{draw.lognormvariate(3, 1):.2f}"
        lines.append(f"{number},{date},{words(draw, 2, 2)},{draw.randint(1, 40)},{price},{remark}\n")
    return "".join(lines).encode()


def numbers() -> bytes:
    """Generates decimal numbers of different lengths, one per line."""
    draw = random.Random(3)
    shapes = (
        lambda: str(draw.randrange(1_000_000)),
        lambda: f"{draw.gauss(0, 1000):.3f}",
        lambda: repr(draw.random()),
        lambda: f"{draw.gauss(0, 1) * 10.0 ** draw.randint(-280, 280):.17g}",
    )
    return "".join(f"{draw.choices(shapes, (4, 3, 2, 1))[0]()}\n" for _ in range(80_000)).encode()


def json_records() -> bytes:
    """Generates a JSON list of accounts."""
    draw = random.Random(4)
    accounts = [
        {
            "id": number,
            "name": words(draw, 2, 3).title(),
            "active": draw.random() < 0.7,
            "balance": round(draw.gauss(2000, 900), 2),
            "mail": None if draw.random() < 0.1 else f"{words(draw, 1, 1)}{number}@example.org",
            "tags": words(draw, 0, 6).split(),
            "note": f'{words(draw, 3, 30)} "{words(draw, 1, 2)}"\n\u00e9\u00fc\u4e2d',
            "visits": [{"day": draw.randrange(365), "pages": draw.randint(1, 60)} for _ in range(draw.randrange(8))],
        }
        for number in range(9_000)
    ]
    return json.dumps(accounts, indent=1).encode()


def json_figures() -> bytes:
    """Generates GeoJSON polygons: nested lists of numbers, without spaces."""
    draw = random.Random(5)
    shapes = []
    for number in range(400):
        x, y = draw.uniform(-180, 180), draw.uniform(-80, 80)
        ring = [[round(x + draw.gauss(0, 1), 6), round(y + draw.gauss(0, 1), 6)] for _ in range(draw.randint(20, 300))]
        shape = {"type": "Polygon", "coordinates": [ring]}
        shapes.append({"type": "Feature", "properties": {"name": f"Stra\u00dfe {number}"}, "geometry": shape})
    collection = {"type": "FeatureCollection", "features": shapes}
    return json.dumps(collection, separators=(",", ":"), ensure_ascii=False).encode()


def xml_catalogue() -> bytes:
    """Generates an XML catalogue: many small elements with attributes."""
    draw = random.Random(6)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>\n<catalogue xmlns="urn:example:catalogue">\n']
    for number in range(20_000):
        keywords = "".join(f"<keyword>{word}</keyword>" for word in words(draw, 0, 4).split())
        price = f"{draw.lognormvariate(3, 1):.2f}"
        lines.append(
            f'  <item id="i{number}" stock="{draw.randrange(90)}"><title>{escape(words(draw, 2, 5))} &amp; more</title>'
            f'<price currency="EUR">{price}</price>{keywords}</item>\n'
        )
    return ("".join(lines) + "</catalogue>\n").encode()


def xml_article() -> bytes:
    """Generates an XML article: a document type, nested sections, long text, comments, CDATA, character references."""
    draw = random.Random(7)
    lines = [
        '<?xml version="1.0"?>\n<!DOCTYPE article [<!ENTITY who "the authors"><!ELEMENT article ANY>]>\n<article>\n'
    ]
    for chapter in range(150):
        lines.append(f'<section id="c{chapter}"><title>{words(draw, 2, 6)}</title>\n')
        for _ in range(draw.randint(3, 12)):
            lines.append(
                f"<para>{words(draw, 20, 80)} <emphasis>{words(draw, 1, 4)}</emphasis> &who; {words(draw, 5, 40)}"
            )
            lines.append(draw.choice(("&#233;&#x4e2d;", "<!-- a remark -->", "<![CDATA[if (a < b && c)]]>", "")))
            lines.append("</para>\n")
        lines.append("</section>\n")
    return ("".join(lines) + "</article>\n").encode()
