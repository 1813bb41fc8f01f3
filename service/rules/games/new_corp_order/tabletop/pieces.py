"""Agents, signs and stars: each conglomerate has its own sign on cards and tiles, and its own head for its agents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.new_corp_order.tabletop.looks import WATERMARK, of, on
from service.rules.games.new_corp_order.terms import Colour
from service.rules.svg import Look, Svg, element, group

SIGNS: Mapping[Colour, str] = {
    # A ring and a pupil.
    "red": "M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1ZM0-.72A.72 .72 0 1 0 0 .72A.72 .72 0 1 0 0-.72Z"
    "M0-.5A.5 .5 0 1 1 0 .5A.5 .5 0 1 1 0-.5ZM0-.22A.22 .22 0 1 0 0 .22A.22 .22 0 1 0 0-.22Z",
    # Four bars.
    "black": "M-.9-.9H.9V-.62H-.9ZM-.9-.4H.9V-.12H-.9ZM-.9 .12H.9V.4H-.9ZM-.9 .62H.9V.9H-.9Z",
    # Nested chevrons.
    "blue": "M0-1L1.05 .85H.66L0-.3L-.66 .85H-1.05ZM0 .0L.5 .85H-.5Z",
    # A diamond in a diamond.
    "white": "M0-1.15L1.15 0L0 1.15L-1.15 0ZM0-.72L-.72 0L0 .72L.72 0ZM0-.44L.44 0L0 .44L-.44 0Z",
}
_HEADS: Mapping[Colour, str] = {
    "red": "M0-10.6A5.6 5.6 0 1 1 0 .6A5.6 5.6 0 1 1 0-10.6Z",
    "black": "M-5.2-10.4H5.2V0H-5.2Z",
    "blue": "M0-12.2L7.2 .4H-7.2Z",
    "white": "M0-12.4L7.2-5.2L0 2L-7.2-5.2Z",
}
_BODY = "M-8.5 13V8.6A5 5 0 0 1-3.5 3.6H3.5A5 5 0 0 1 8.5 8.6V13Z"
_TIE = "M0 4.6L1.8 7.2L0 12L-1.8 7.2Z"
_STAR = "M0 -1L.26 -.36L.95 -.31L.42 .14L.59 .81L0 .45L-.59 .81L-.42 .14L-.95 -.31L-.26 -.36Z"
INK = "#15181a"
FADED = 0.28
"""How much is left of an agent that is about to leave."""


@cache
def agent(colour: Colour) -> Svg:
    """Return an agent around the origin, 17 units wide and 25 high."""
    edge = INK if colour == "white" else "#ffffff"
    line: Look = {"stroke": edge, "stroke_width": 1.5, "stroke_linejoin": "round"}
    body = element("path", d=_BODY + _HEADS[colour], **line, **of(colour))
    return group([body, element("path", d=_TIE, **on(colour))])


def agent_at(colour: Colour, x: float, y: float, faded: bool = False) -> Svg:
    """Return an agent around a point; a faded one is about to leave."""
    more: dict[str, str | float] = {"opacity": FADED} if faded else {}
    return group([agent(colour)], transform=f"translate({x:g} {y:g})", **more)


@cache
def sign(colour: Colour, x: float, y: float, radius: float, shine: bool = False) -> Svg:
    """Return a conglomerate's sign around a point, on its own colour; as a watermark with `shine`."""
    more: dict[str, str | float] = {"opacity": WATERMARK[colour]} if shine else {}
    place = f"translate({x:g} {y:g}) scale({radius:g})"
    return element("path", d=SIGNS[colour], transform=place, fill_rule="evenodd", **on(colour), **more)


@cache
def star(x: float, y: float, radius: float) -> Svg:
    """Return the star of an objective around a point."""
    place = f"translate({x:g} {y:g}) scale({radius:g})"
    looks: Look = {"class_": "star", "fill": "#f6b42c", "stroke": INK, "stroke_width": 1.4 / radius}
    return element("path", d=_STAR, transform=place, **looks)
