"""The line of tabs: as many around the open one as fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ask_core.frame import Hit, Role, Span, Target
from ask_core.layout.block import Block
from ask_core.screen import Screen, Tab
from ask_core.text.graphemes import clip, width
from ask_core.text.kept import is_short

_LABEL = 18
# Tabs that are looked at together, so that a line which stays as it is need not be made again.
_FEW = 12
_MARKS = {True: "✓ ", False: "○ ", None: ""}


def tab_line(screen: Screen, columns: int) -> Block:
    """The tabs on one line, the open one in brackets.

    Tabs grow from the open one to both sides while they fit; counts at the ends say how many are out of sight.
    """
    if len(screen.tabs) > _FEW:
        return _line(screen.tabs, screen.tab, columns)
    tabs = tuple(screen.tabs)
    line = _known_line if is_short(*[tab.label for tab in tabs]) else _line
    return line(tabs, screen.tab, columns)


def _line(tabs: Sequence[Tab], tab: int, columns: int) -> Block:
    count = len(tabs)
    longest = max(4, min(_LABEL, columns - 14))
    first = last = tab
    texts = [_text(tabs[first], longest)]
    used = width(texts[0]) + 2
    up, down = first > 0, last < count - 1
    while up or down:
        onwards = down and (not up or last - tab <= tab - first)
        near = last + 1 if onwards else first - 1
        text = _text(tabs[near], longest)
        ends = _end(min(first, near)) + _end(count - 1 - max(last, near))
        if used + 1 + width(text) + 2 + ends > columns:
            up, down = (up, False) if onwards else (False, down)
            continue
        used += 1 + width(text) + 2
        if onwards:
            texts.append(text)
            last, down = near, near < count - 1
        else:
            texts.insert(0, text)
            first, up = near, near > 0
    spans: list[Span] = []
    hits: list[Hit] = []
    column = 0
    if first:
        spans.append(Span(f"‹{first} ", Role.MORE))
        column = len(spans[-1].text)
        hits.append(Hit(0, 0, column, Target.TAB, first - 1))
    for index, text in enumerate(texts, first):
        if index > first:
            spans.append(Span(" ", Role.TEXT))
            column += 1
        active = index == tab
        spans.append(Span(f"[{text}]" if active else f" {text} ", Role.TAB_ACTIVE if active else Role.TAB))
        end = column + width(text) + 2
        hits.append(Hit(0, column, end, Target.TAB, index))
        column = end
    if count - 1 - last:
        spans.append(Span(f" {count - 1 - last}›", Role.MORE))
        hits.append(Hit(0, column, column + len(spans[-1].text), Target.TAB, last + 1))
    return Block((tuple(spans),), hits=tuple(hits))


_known_line = lru_cache(maxsize=16)(_line)


def _end(hidden: int) -> int:
    return len(str(hidden)) + 2 if hidden else 0


def _text(tab: Tab, longest: int) -> str:
    return _MARKS[tab.answered] + clip(tab.label, longest)
