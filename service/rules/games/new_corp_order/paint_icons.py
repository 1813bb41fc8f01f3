"""One drawing per company type, 24 units wide and high, filled by the even-odd rule."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.new_corp_order.paint_look import look
from service.rules.games.new_corp_order.terms import CompanyType
from service.rules.svg import Svg, element

ICON = 24

_DRAWINGS: Mapping[CompanyType, str] = {
    # A pointer.
    "online-marketing": "M5 1V20L9.7 15.7L12.9 22.8L16.3 21.3L13.2 14.4H19.6Z",
    # A spray can.
    "guerrilla-marketing": "M5 11H15V21A2 2 0 0 1 13 23H7A2 2 0 0 1 5 21ZM7 14V19H13V14ZM7 6H13V9.6H7Z"
    "M8.6 2.6H11.4V5H8.6Z"
    "M14.4 2.8H16.8V5.2H14.4ZM18.4 .6H20.8V3H18.4ZM18.4 5H20.8V7.4H18.4ZM21.4 2.8H23.8V5.2H21.4Z",
    # A mast that sends.
    "broadcast-network": "M12 11.5L16.2 23H13.6L12 17.6L10.4 23H7.8ZM12 5.8A2.4 2.4 0 1 0 12 10.6A2.4 2.4 0 1 0 12 5.8Z"
    "M4.6 .8A10.4 10.4 0 0 0 4.6 15.6L6.3 13.9A8 8 0 0 1 6.3 2.5ZM19.4 .8A10.4 10.4 0 0 1 19.4 15.6L17.7 13.9"
    "A8 8 0 0 0 17.7 2.5Z"
    "M7.8 4A6 6 0 0 0 7.8 12.4L9.2 11A4 4 0 0 1 9.2 5.4ZM16.2 4A6 6 0 0 1 16.2 12.4L14.8 11A4 4 0 0 0 14.8 5.4Z",
    # A newspaper.
    "print-media": "M2 3H18V21H4A2 2 0 0 1 2 19ZM19.4 8H22V19A2 2 0 0 1 19.4 21ZM4.6 5.6H15.4V9H4.6Z"
    "M4.6 11.2H9.2V17.6H4.6Z"
    "M11 11.2H15.4V13H11ZM11 15.8H15.4V17.6H11Z",
    # A speech bubble.
    "social-media": "M4 2H20A2.5 2.5 0 0 1 22.5 4.5V14A2.5 2.5 0 0 1 20 16.5H12L6 22.5V16.5H4A2.5 2.5 0 0 1 1.5 14V4.5"
    "A2.5 2.5 0 0 1 4 2ZM12 14L16.4 9.4A2.6 2.6 0 0 0 12 6.4A2.6 2.6 0 0 0 7.6 9.4Z",
    # A billboard.
    "ambient-advertising": "M1 2H23V15.5H1ZM3 4V13.5H21V4ZM6 15.5H8.4V23H6Z"
    "M15.6 15.5H18V23H15.6ZM4.6 12.2L9 6.4L12 10L14.4 7.6L19.4 12.2Z",
    # A virus with its spikes.
    "viral-marketing": "M12 5.6A6.4 6.4 0 1 1 12 18.4A6.4 6.4 0 1 1 12 5.6ZM10.8 .6H13.2V4.6H10.8Z"
    "M10.8 19.4H13.2V23.4H10.8ZM.6 10.8H4.6V13.2H.6ZM19.4 10.8H23.4V13.2H19.4Z"
    "M3.1 4.8L4.8 3.1L7.6 5.9L5.9 7.6ZM16.4 18.1L18.1 16.4L20.9 19.2L19.2 20.9Z"
    "M19.2 3.1L20.9 4.8L18.1 7.6L16.4 5.9ZM5.9 16.4L7.6 18.1L4.8 20.9L3.1 19.2Z"
    "M9.8 8.4A1.7 1.7 0 1 0 9.8 11.8A1.7 1.7 0 1 0 9.8 8.4ZM14.2 12.2A1.7 1.7 0 1 0 14.2 15.6A1.7 1.7 0 1 0 14.2 12.2Z",
    # A bottle with its label to the front, under a star.
    "product-placement": "M6.2 .8H10.8V6.2L13 9.4V21A2 2 0 0 1 11 23H6A2 2 0 0 1 4 21V9.4L6.2 6.2ZM5.8 12V19H11.2V12Z"
    "M18.5 2L19.6 5.1H22.8L20.2 7.1L21.2 10.3L18.5 8.4L15.8 10.3L16.8 7.1L14.2 5.1H17.4Z",
    # A thumb that points down.
    "negative-campaigning": "M1.5 2.5H6V13.5H1.5ZM7.5 3.2C9.5 2.3 11.5 1.8 14 1.8H18.6C20 1.8 21 2.9 20.8 4.2L21.6 8"
    "C22 9.4 21.4 10.6 20.4 11C20.6 12.6 19.4 13.8 18 13.8H14.4C15.2 16.4 15.2 19.2 14.2 21.4C13.4 23 11 22.6 10.8 20.8"
    "C10.4 17.4 9.2 15.2 7.5 13.6Z",
}


def drawing(kind: str) -> str:
    """Return a type's drawing as the `d` of a path."""
    return next(path for each, path in _DRAWINGS.items() if each == kind)


def icon(kind: CompanyType, x: float, y: float, colours: str, size: float = ICON) -> Svg:
    """Return a type's drawing with its upper left corner there."""
    scale = "" if size == ICON else f" scale({size / ICON:g})"
    return element(
        "path", d=_DRAWINGS[kind], transform=f"translate({x:g} {y:g}){scale}", fill_rule="evenodd", **look(colours)
    )


def star(x: float, y: float, radius: float) -> Svg:
    """Return the star of an objective around a point."""
    shape = "M0 -1L.26 -.36L.95 -.31L.42 .14L.59 .81L0 .45L-.59 .81L-.42 .14L-.95 -.31L-.26 -.36Z"
    return element("path", d=shape, transform=f"translate({x:g} {y:g}) scale({radius:g})", **look("mark"))
