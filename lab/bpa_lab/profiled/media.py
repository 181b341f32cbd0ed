"""Generates sounds (WAV) and pictures (PPM)."""

import array
import io
import math
import random
import wave


def wav(samples: "array.array[int]", channels: int, rate: int) -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return stream.getvalue()


def music() -> bytes:
    """Generates twelve seconds of music in stereo at 44.1 kHz: strings, a bass, a snare drum."""
    draw = random.Random(11)
    rate, seconds = 44_100, 12
    left, right = ([0.0] * (rate * seconds) for _ in range(2))
    scale = [220 * 2 ** (step / 12) for step in (0, 2, 3, 5, 7, 8, 10, 12, 14, 15)]
    for beat in range(seconds * 4):
        start = beat * rate // 4
        add_string(left, right, start, draw.choice(scale), draw.uniform(0.2, 0.8), draw)
        if beat % 4 == 0:
            add_string(left, right, start, scale[0] / 4, 0.5, draw)
        if beat % 4 == 2:
            for offset in range(rate // 12):
                noise = draw.gauss(0, 0.12) * math.exp(-offset / 900)
                left[start + offset] += noise
                right[start + offset] += noise
    both = array.array("h")
    for pair in zip(left, right, strict=True):
        both.extend(max(-32768, min(32767, int(value * 14_000))) for value in pair)
    return wav(both, 2, rate)


def add_string(
    left: list[float], right: list[float], start: int, pitch: float, pan: float, draw: random.Random
) -> None:
    """Adds a tone by Karplus-Strong synthesis: noise in a delay loop with a low-pass filter."""
    delay = [draw.uniform(-1, 1) for _ in range(max(2, int(44_100 / pitch)))]
    position = 0
    for index in range(start, min(start + 33_000, len(left))):
        value = delay[position]
        following = (position + 1) % len(delay)
        delay[position] = 0.498 * (value + delay[following])
        position = following
        left[index] += value * pan
        right[index] += value * (1 - pan)


def speech() -> bytes:
    """Generates twenty seconds of speech-like sound in mono at 16 kHz: vowels, hisses and pauses."""
    draw = random.Random(12)
    rate, samples = 16_000, array.array("h")
    vowels = ((730, 1090, 2440), (270, 2290, 3010), (300, 870, 2240), (530, 1840, 2480), (570, 840, 2410))
    memory = [[0.0, 0.0] for _ in range(3)]
    while len(samples) < 20 * rate:
        kind = draw.choices(("vowel", "hiss", "pause"), (6, 3, 2))[0]
        formants, pitch = draw.choice(vowels), draw.uniform(90, 180)
        for index in range(int(rate * draw.uniform(0.05, 0.22))):
            voiced = kind == "vowel"
            pulse = 1.0 if voiced and index % int(rate / pitch) == 0 else 0.0
            source = 0.0 if kind == "pause" else pulse + draw.gauss(0, 0.002 if voiced else 0.05)
            value = sum(resonate(state, source, hertz, rate) for state, hertz in zip(memory, formants, strict=True))
            samples.append(max(-32768, min(32767, int(value * 2500 + draw.gauss(0, 3)))))
    return wav(samples, 1, rate)


def resonate(state: list[float], source: float, hertz: float, rate: int) -> float:
    radius = 0.97
    value = source + 2 * radius * math.cos(2 * math.pi * hertz / rate) * state[0] - radius * radius * state[1]
    state[1], state[0] = state[0], value
    return value


def ppm(width: int, height: int, pixels: bytes) -> bytes:
    return b"P6\n%d %d\n255\n" % (width, height) + pixels


def photo() -> bytes:
    """Generates a landscape of 640 x 480 pixels with noise."""
    draw = random.Random(13)
    width, height = 640, 480
    waves = [(draw.uniform(0, 7), 0.004 * 1.9**level, 90 / 1.7**level) for level in range(8)]
    ridge = [sum(tall * math.sin(phase + x * speed) for phase, speed, tall in waves) for x in range(width)]
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            depth = y - 200 - ridge[x]
            grain = draw.gauss(0, 5)
            if depth < 0:
                colour = (110 + y * 0.3, 150 + y * 0.25, 235 - y * 0.1)
            else:
                rough = 18 * math.sin(x * 0.31 + y * 0.17) * math.sin(y * 0.41 - x * 0.05)
                light = 70 + rough + 40 * math.cos(ridge[x] / 30) + depth * 0.15
                colour = (light * 0.8, light, light * 0.5)
            pixels.extend(max(0, min(255, int(part + grain))) for part in colour)
    return ppm(width, height, bytes(pixels))


def drawing() -> bytes:
    """Generates a diagram of 800 x 600 pixels in few colours: boxes, lines, and small shapes like letters."""
    draw = random.Random(14)
    width, height = 800, 600
    pixels = bytearray(b"\xff\xff\xf4" * (width * height))

    def box(x: int, y: int, wide: int, high: int, colour: bytes) -> None:
        for row in range(max(0, y), min(height, y + high)):
            start, end = max(0, x), min(width, x + wide)
            pixels[3 * (row * width + start) : 3 * (row * width + end)] = colour * (end - start)

    palette = [bytes(draw.randrange(0, 256, 51) for _ in range(3)) for _ in range(9)]
    for _ in range(40):
        box(draw.randrange(740), draw.randrange(560), draw.randint(20, 140), draw.randint(10, 80), draw.choice(palette))
    for _ in range(60):
        x, y = draw.randrange(700), draw.randrange(590)
        box(x, y, draw.choice((1, 2, 100)), draw.choice((1, 90)), b"\0\0\0")
    for line in range(30):
        for mark in range(90):
            if draw.random() < 0.8:
                for _ in range(4):
                    x, y = 30 + mark * 8 + draw.randrange(5), 20 + line * 19 + draw.randrange(8)
                    box(x, y, draw.choice((1, 3)), draw.choice((1, 4)), b"\x20\x20\x20")
    return ppm(width, height, bytes(pixels))
