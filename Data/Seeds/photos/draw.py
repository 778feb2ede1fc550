#!/usr/bin/env python3
# Draws the dozen photos of the sample app: clowns and parties in flat colours, 1 to 6 megapixels.
# Needs Pillow (pip install pillow). Run without arguments; the same seed draws the same pictures:
# the pixels are the same everywhere, the bytes may differ with Pillow's release.

import math
import random
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).parent
PAINT = ["#fffaf2", "#ffe9dc", "#e6f4ff", "#fff3b8", "#f1e6ff"]
BRIGHT = ["#e63946", "#f4a261", "#ffd166", "#06d6a0", "#118ab2", "#8338ec", "#ff70a6", "#3a86ff"]
NIGHT, DAY, DUSK, MINT, CREAM = "#1d2245", "#bde3f5", "#f7b5a0", "#c8efdc", "#fff4de"

# name, width, height, background, scene, EXIF orientation
PHOTOS = [
    ("01-bozo.jpg", 1600, 1200, DAY, "portrait", None),
    ("02-balloons.png", 2000, 1500, MINT, "balloons", None),
    ("03-big-top.jpg", 3000, 2000, DUSK, "big top", None),
    ("04-turned-right.jpg", 1800, 2400, DAY, "tower", 6),
    ("05-turned-left.jpg", 1500, 2000, CREAM, "tower", 8),
    ("06-cake.png", 1400, 1400, CREAM, "cake", None),
    ("07-fireworks.jpg", 2400, 1600, NIGHT, "fireworks", None),
    ("08-conga-line.png", 2600, 1100, MINT, "line", None),
    ("09-unicycle.jpg", 1200, 1800, DUSK, "unicycle", None),
    ("10-tiny-car.jpg", 2048, 1536, DAY, "car", None),
    ("11-duo.png", 1280, 960, CREAM, "duo", None),
    ("12-bunting.jpg", 2720, 2040, DAY, "bunting", None),
]


class Picture:
    """A canvas whose unit is a hundredth of its shorter side, the origin in its middle."""

    def __init__(self, width, height, background, chance):
        self.image = Image.new("RGB", (width, height), background)
        self.draw = ImageDraw.Draw(self.image)
        self.chance = chance
        self.unit = min(width, height) / 100
        self.middle = (width / 2, height / 2)
        self.reach = (width / self.unit / 2, height / self.unit / 2)

    def at(self, x, y):
        return (self.middle[0] + x * self.unit, self.middle[1] + y * self.unit)

    def disc(self, x, y, radius, colour, stretch=1.0):
        left, top = self.at(x - radius, y - radius * stretch)
        right, bottom = self.at(x + radius, y + radius * stretch)
        self.draw.ellipse((left, top, right, bottom), fill=colour)

    def box(self, x, y, width, height, colour, corner=0):
        left, top = self.at(x, y)
        right, bottom = self.at(x + width, y + height)
        self.draw.rounded_rectangle((left, top, right, bottom), corner * self.unit, fill=colour)

    def shape(self, points, colour):
        self.draw.polygon([self.at(x, y) for x, y in points], fill=colour)

    def stroke(self, points, colour, width=1.0):
        pixels = max(1, round(width * self.unit))
        self.draw.line([self.at(x, y) for x, y in points], fill=colour, width=pixels, joint="curve")

    def smile(self, x, y, radius, colour, width):
        left, top = self.at(x - radius, y - radius)
        right, bottom = self.at(x + radius, y + radius)
        self.draw.arc((left, top, right, bottom), 20, 160, fill=colour, width=round(width * self.unit))

    def ground(self, colour, height=18):
        self.box(-self.reach[0], self.reach[1] - height, 2 * self.reach[0], height + 1, colour)


def star(picture, x, y, radius, colour):
    points = []
    for corner in range(10):
        distance = radius if corner % 2 == 0 else radius * 0.42
        angle = math.pi * corner / 5 - math.pi / 2
        points.append((x + distance * math.cos(angle), y + distance * math.sin(angle)))
    picture.shape(points, colour)


def hat(picture, x, y, size, colour):
    picture.shape([(x - 9 * size, y), (x + 9 * size, y), (x, y - 22 * size)], colour)
    picture.disc(x, y - 22 * size, 3.2 * size, "#ffffff")
    picture.disc(x - 2 * size, y - 6 * size, 1.6 * size, "#ffffff")
    picture.disc(x + 2 * size, y - 11 * size, 1.3 * size, "#ffffff")


def face(picture, x, y, size, paint, hair, topped=True):
    for side in (-1, 1):
        for dx, dy, radius in ((19, -6, 9), (23, 3, 8), (17, 8, 7)):
            picture.disc(x + side * dx * size, y + dy * size, radius * size, hair)
    picture.disc(x, y, 20 * size, paint, 1.1)
    for side in (-1, 1):
        picture.disc(x + side * 8 * size, y - 6 * size, 5.4 * size, "#ffffff", 1.25)
        picture.disc(x + side * 7.4 * size, y - 5 * size, 2.4 * size, "#22223b", 1.2)
        picture.disc(x + side * 12 * size, y + 5 * size, 3 * size, "#ff9aa2")
        brow = [(x + side * 4 * size, y - 16 * size), (x + side * 11 * size, y - 14.5 * size)]
        picture.stroke(brow, hair, size)
    picture.disc(x, y + 12 * size, 9 * size, "#ffc2c7", 0.62)
    picture.smile(x, y + 7 * size, 8 * size, "#b5172e", 1.5 * size)
    picture.disc(x, y + 2 * size, 5 * size, "#e63946")
    picture.disc(x - 1.6 * size, y + 0.4 * size, 1.3 * size, "#ff9aa2")
    if topped:
        hat(picture, x, y - 18 * size, size, hair)


def clown(picture, x, y, size, hair=None):
    """A whole clown whose head's middle is at x, y: coat, bow tie, arms up, big shoes."""
    chance = picture.chance
    coat, trousers, shoe = chance.sample(BRIGHT, 3)
    for side in (-1, 1):
        arm = [(x + side * 12 * size, y + 32 * size), (x + side * 30 * size, y + 14 * size)]
        leg = [(x + side * 6 * size, y + 58 * size), (x + side * 9 * size, y + 78 * size)]
        picture.stroke(arm, coat, 7 * size)
        picture.disc(x + side * 31 * size, y + 13 * size, 5 * size, "#ffffff")
        picture.stroke(leg, trousers, 8 * size)
        picture.disc(x + side * 14 * size, y + 81 * size, 9 * size, shoe, 0.5)
    picture.box(x - 15 * size, y + 22 * size, 30 * size, 42 * size, coat, 10 * size)
    for button in range(3):
        picture.disc(x, y + (36 + 9 * button) * size, 2.2 * size, "#ffffff")
    for side in (-1, 1):
        edge = x + side * 11 * size
        picture.shape([(x, y + 25 * size), (edge, y + 20 * size), (edge, y + 31 * size)], trousers)
    face(picture, x, y, size, chance.choice(PAINT), hair or chance.choice(BRIGHT))


def balloon(picture, x, y, size, colour):
    string = [(x, y + 9 * size), (x + 1.5 * size, y + 20 * size), (x - 1 * size, y + 32 * size)]
    picture.stroke(string, "#5c5c70", 0.4)
    picture.disc(x, y, 8 * size, colour, 1.2)
    knot = y + 11.5 * size
    picture.shape([(x - 1.6 * size, knot), (x + 1.6 * size, knot), (x, y + 9 * size)], colour)
    picture.disc(x - 2.8 * size, y - 4 * size, 1.5 * size, "#ffffff", 1.5)


def confetti(picture, count):
    across, down = picture.reach
    for _ in range(count):
        x, y = picture.chance.uniform(-across, across), picture.chance.uniform(-down, down)
        picture.disc(x, y, picture.chance.uniform(0.4, 1.0), picture.chance.choice(BRIGHT))


def portrait(picture):
    confetti(picture, 60)
    picture.disc(0, 66, 36, "#118ab2", 0.9)
    face(picture, 0, 12, 1.35, PAINT[1], "#e63946")


def balloons(picture):
    picture.ground("#7fcf9b")
    for row in range(3):
        for column in range(7):
            x = -57 + column * 19 + picture.chance.uniform(-4, 4)
            y = -34 + row * 20 + picture.chance.uniform(-4, 4)
            balloon(picture, x, y, 0.95, picture.chance.choice(BRIGHT))
    clown(picture, 4, 6, 0.46)


def big_top(picture):
    picture.ground("#d98c5f")
    colours = ["#e63946", "#fff4de"]
    for stripe in range(10):
        left, right = -50 + stripe * 10, -40 + stripe * 10
        picture.shape([(left * 0.9, 36), (right * 0.9, 36), (right, -2), (left, -2)], colours[stripe % 2])
        picture.shape([(left, -2), (right, -2), (0, -38)], colours[stripe % 2])
        picture.disc((left + right) / 2, -2, 5, colours[stripe % 2], 0.8)
    picture.shape([(-10, 36), (10, 36), (0, 4)], NIGHT)
    picture.stroke([(0, -38), (0, -47)], "#5c5c70", 0.8)
    picture.shape([(0, -47), (12, -44.5), (0, -42)], "#ffd166")
    clown(picture, -58, -2, 0.5)
    clown(picture, 58, -2, 0.5)


def tower(picture):
    """Reads only one way up: grass below, sun above, a clown between with an arrow to the sky."""
    picture.ground("#6ab187", 24)
    across, down = picture.reach
    picture.disc(across - 18, -down + 18, 11, "#ffd166")
    clown(picture, 0, -8, 0.72, "#e63946")
    picture.shape([(-38, -44), (-28, -30), (-48, -30)], "#22223b")
    picture.box(-41, -31, 6, 22, "#22223b")


def cake(picture):
    confetti(picture, 70)
    picture.disc(0, 38, 44, "#d9d9e3", 0.14)
    for tier, (width, colour) in enumerate(((68, "#ff70a6"), (50, "#fffaf0"), (32, "#8338ec"))):
        top = 18 - tier * 20
        picture.box(-width / 2, top, width, 21, colour, 2)
        for drop in range(int(width / 8)):
            picture.disc(-width / 2 + 4 + drop * 8, top + 3, 4, BRIGHT[tier + 2], 1.1)
    for candle in range(5):
        x = -12 + candle * 6
        picture.box(x - 0.8, -34, 1.6, 12, picture.chance.choice(BRIGHT))
        picture.disc(x, -36.5, 1.5, "#ffd166", 1.6)


def fireworks(picture):
    across, down = picture.reach
    for _ in range(120):
        x, y = picture.chance.uniform(-across, across), picture.chance.uniform(-down, down)
        picture.disc(x, y, 0.25, "#ffffff")
    for x, y, size in ((-44, -20, 22), (0, -28, 18), (42, -16, 25), (-18, 4, 12), (24, 8, 11)):
        colour = picture.chance.choice(BRIGHT)
        for ray in range(18):
            angle = math.pi * ray / 9
            dx, dy = math.cos(angle), math.sin(angle)
            tip = (x + dx * size, y + dy * size)
            picture.stroke([(x + dx * size * 0.3, y + dy * size * 0.3), tip], colour, 0.8)
            picture.disc(*tip, 1.1, "#ffd166")
    picture.ground("#0f1226", 14)
    for x in (-52, -30, 30, 52):
        clown(picture, x, 12, 0.36)


def line(picture):
    picture.ground("#f4a261", 14)
    for number in range(8):
        clown(picture, -98 + number * 28, -12 + (number % 2) * 5, 0.6)
    confetti(picture, 40)


def unicycle(picture):
    picture.ground("#8d6a9f", 20)
    confetti(picture, 50)
    picture.stroke([(0, 28), (0, 46)], "#5c5c70", 2)
    picture.disc(0, 46, 15, "#22223b")
    picture.disc(0, 46, 12.4, DUSK)
    for spoke in range(8):
        angle = math.pi * spoke / 4
        picture.stroke([(0, 46), (12.6 * math.cos(angle), 46 + 12.6 * math.sin(angle))], "#22223b", 0.6)
    clown(picture, 0, -20, 0.68)
    for ball in range(5):
        angle = math.pi * (0.15 + 0.175 * ball)
        picture.disc(-34 * math.cos(angle), -18 - 34 * math.sin(angle), 4, BRIGHT[ball])


def car(picture):
    picture.ground("#9aa5b1", 22)
    across, _ = picture.reach
    for dash in range(8):
        picture.box(-across + 4 + dash * 20, 39, 10, 2, "#fff4de")
    for x, y in ((-20, -8), (-2, -16), (16, -9), (32, 2)):
        face(picture, x, y, 0.55, picture.chance.choice(PAINT), picture.chance.choice(BRIGHT))
    picture.box(-34, 6, 72, 26, "#ffd166", 8)
    picture.box(-44, 16, 90, 17, "#ffd166", 6)
    for x in (-24, 26):
        picture.disc(x, 33, 10, "#22223b")
        picture.disc(x, 33, 4.5, "#ffffff")
    star(picture, 2, 20, 7, "#e63946")
    picture.disc(44, 22, 3, "#fff4de")


def duo(picture):
    confetti(picture, 80)
    picture.ground("#ffb4a2", 16)
    clown(picture, -28, -16, 0.78, "#06d6a0")
    clown(picture, 28, -10, 0.7, "#8338ec")


def bunting(picture):
    picture.ground("#6ab187", 20)
    across, _ = picture.reach
    for row in range(3):
        top = -40 + row * 13
        for flag in range(14):
            x = -across + flag * (2 * across / 13)
            sag = 5 - 5 * ((flag - 6.5) / 6.5) ** 2
            picture.shape([(x - 3.6, top + sag), (x + 3.6, top + sag), (x, top + sag + 9)],
                          BRIGHT[(flag + row) % len(BRIGHT)])
    for x, size in ((-42, 0.6), (0, 0.7), (42, 0.6)):
        clown(picture, x, 44 - 83 * size, size)


SCENES = {
    "portrait": portrait, "balloons": balloons, "big top": big_top, "tower": tower, "cake": cake,
    "fireworks": fireworks, "line": line, "unicycle": unicycle, "car": car, "duo": duo, "bunting": bunting,
}


def save(image, path, orientation):
    """Keeps the picture as a camera held sideways would: the pixels turned, the turn noted in EXIF."""
    if path.suffix == ".png":
        image.quantize(64, dither=Image.Dither.NONE).convert("RGB").save(path, optimize=True)
        return
    exif = Image.Exif()
    if orientation:
        exif[0x0112] = orientation
        turn = {6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}[orientation]
        image = image.transpose(turn)
    image.save(path, quality=82, exif=exif)


def main():
    for number, (name, width, height, background, scene, orientation) in enumerate(PHOTOS):
        picture = Picture(width, height, background, random.Random(2014 + number))
        SCENES[scene](picture)
        save(picture.image, HERE / name, orientation)
        print(f"{name}: {width * height / 1e6:.1f} megapixels, {(HERE / name).stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
