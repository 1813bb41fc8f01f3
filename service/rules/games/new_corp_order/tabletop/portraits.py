"""Portraits of the consultants, told apart by their outlines, and of ODS: 48 units wide and high."""

from __future__ import annotations

from service.rules.games.new_corp_order.terms import Consultant
from service.rules.svg import Svg

PORTRAITS: dict[Consultant, Svg] = {
    "media-advisor": Svg(
        '<rect width="48" height="48" rx="8" class="c5" fill="#d9783a"/>'
        '<path d="M6 48V44C6 36 14 33 24 33S42 36 42 44V48Z" fill="#15181a"/>'
        '<path d="M18 30H30V36H18Z" fill="#15181a"/>'
        '<circle cx="24" cy="20" r="11" fill="#f0d3b4"/>'
        '<path d="M12 19C11 8 19 5 25 6C33 6 37 12 36 20C34 15 31 13 24 13C17 13 14 15 12 19Z" fill="#7a3d1d"/>'
        '<g fill="#fff" fill-opacity=".75" stroke="#15181a" stroke-width="2">'
        '<circle cx="19" cy="21" r="4.6"/>'
        '<circle cx="29" cy="21" r="4.6"/>'
        "</g>"
    ),
    "dealmaker": Svg(
        '<rect width="48" height="48" rx="8" class="c6" fill="#3f7f73"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#e9e4d4"/>'
        '<path d="M19 33L24 40L29 33L26 31H22Z" fill="#fff"/>'
        '<path d="M24 37L27 41L24 48L21 41Z" fill="#be1e2d"/>'
        '<circle cx="24" cy="20" r="11" fill="#f0d3b4"/>'
        '<path d="M13 18C13 9 18 6 25 6S36 10 35 17C30 17 27 12 22 12C19 14 15 15 13 18Z" fill="#15181a"/>'
        '<path d="M35 13C40 14 41 28 36 30L33 28L34 24L36 23C37 21 37 20 36 19L34 18L33 14Z" fill="#15181a"/>'
        '<path d="M20 26Q24 29 28 26" stroke="#15181a" stroke-width="2" fill="none"/>'
    ),
    "corporate-lawyer": Svg(
        '<rect width="48" height="48" rx="8" class="c7" fill="#6f5c93"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#23293a"/>'
        '<path d="M17 33L24 44L31 33Z" fill="#fff"/>'
        '<path d="M17.5 34L24 37.5L30.5 34V41L24 37.5L17.5 41Z" fill="#f6b42c"/>'
        '<circle cx="24" cy="20" r="11" fill="#a8754f"/>'
        '<path d="M12 26C9 12 15 5 24 5S39 12 36 26C36 20 34 15 31 13C26 16 18 15 15 13C13 17 12 21 12 26Z"'
        ' fill="#d8d4c8"/>'
        '<path d="M19 26H29" stroke="#15181a" stroke-width="2"/>'
    ),
    "military-contractor": Svg(
        '<rect width="48" height="48" rx="8" class="c8" fill="#6b7240"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#3d4424"/>'
        '<path d="M9 38H15V41H9ZM33 38H39V41H33Z" fill="#f6b42c"/>'
        '<path d="M20 33L24 39L28 33Z" fill="#d9d4b8"/>'
        '<circle cx="24" cy="21" r="11" fill="#f0d3b4"/>'
        '<path d="M9 13C11 5 18 3 24 3S37 5 39 13L35 16H13Z" fill="#2a3018"/>'
        '<path d="M12 15H36L37 18.5H11Z" fill="#15181a"/>'
        '<path d="M24 6L25.5 9.5L29 10L26 12H22L19 10L22.5 9.5Z" fill="#f6b42c"/>'
        '<path d="M14 20H34V24C34 27 26 27 24.5 22H23.5C22 27 14 27 14 24Z" fill="#15181a"/>'
        '<path d="M20 29H28" stroke="#15181a" stroke-width="2"/>'
    ),
}
PORTRAITS_OF_HOUSE: dict[Consultant, Svg] = {
    "corporate-accountant": Svg(
        '<rect width="48" height="48" rx="8" fill="#4d6a8f"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#8b8f86"/>'
        '<path d="M18 33L24 41L30 33Z" fill="#fff"/>'
        '<path d="M22 37H26L27 48H21Z" fill="#15181a"/>'
        '<circle cx="24" cy="22" r="11" fill="#f0d3b4"/>'
        '<path d="M12 24C11 20 12 18 14 17L15 24ZM36 24C37 20 36 18 34 17L33 24Z" fill="#8b8f86"/>'
        '<path d="M7 15H41L37 11C33 8 15 8 11 11Z" fill="#2f7a4f" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M15 21H22V25H15ZM26 21H33V25H26ZM22 22H26" fill="#fff" stroke="#15181a" stroke-width="1.800"/>'
        '<path d="M20 29.500H28" stroke="#15181a" stroke-width="2"/>'
    ),
    "spin-doctor": Svg(
        '<rect width="48" height="48" rx="8" fill="#a6486c"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#fff"/>'
        '<path d="M19 33L24 48L29 33Z" fill="#3f7f73"/>'
        '<circle cx="24" cy="21" r="11" fill="#c79a6f"/>'
        '<path d="M13 19C12 9 18 5 25 5S37 9 35 19C33 13 30 11 24 11S15 13 13 19Z" fill="#3b2416"/>'
        '<circle cx="24" cy="9" r="6" fill="#d9d9d4" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M24 5.500A3.500 3.500 0 1 1 20.500 9" fill="none" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M19 27Q24 32 29 27Z" fill="#fff"/>'
        '<path d="M18 21H21M27 21H30" stroke="#15181a" stroke-width="2.200"/>'
    ),
    "headhunter": Svg(
        '<rect width="48" height="48" rx="8" fill="#8a6a2f"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#5a3b22"/>'
        '<path d="M18 33L24 39L30 33L27 48H21Z" fill="#e9e4d4"/>'
        '<circle cx="24" cy="22" r="11" fill="#f0d3b4"/>'
        '<path d="M3 17C9 12 39 12 45 17C38 20 10 20 3 17Z" fill="#6b4a25"/>'
        '<path d="M13 15C13 4 18 6 24 5S35 4 35 15C30 17 18 17 13 15Z" fill="#8c6536"/>'
        '<path d="M13 14.500C18 17 30 17 35 14.500V12C30 14 18 14 13 12Z" fill="#2a1a0c"/>'
        '<path d="M18 22H21M27 22H30" stroke="#15181a" stroke-width="2.200"/>'
        '<path d="M17 28C20 26 22 27 24 28C26 27 28 26 31 28C28 31 26 30 24 29C22 30 20 31 17 28Z" fill="#2a1a0c"/>'
    ),
}
"""Those of the house rules (R-71, R-77)."""
ODS = Svg(
    '<rect width="48" height="48" rx="8" fill="#5f6664"/>'
    '<rect x="7" y="8" width="34" height="27" rx="6" fill="#cfd2cb"/>'
    '<rect x="11" y="12" width="26" height="19" rx="4" fill="#15181a"/>'
    '<ellipse cx="24" cy="21.5" rx="9" ry="6" fill="#fff"/>'
    '<circle cx="24" cy="21.5" r="4.300" fill="#be1e2d"/>'
    '<circle cx="25.5" cy="20" r="1.300" fill="#fff"/>'
    '<path d="M14 39H34M18 43H30" stroke="#cfd2cb" stroke-width="3"/>'
)
