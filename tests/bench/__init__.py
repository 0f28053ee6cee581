"""Measures what a person waits for: `python -m tests.bench` from the root of the tree.

Figures are medians of rounds in which the programs take turns, and what is judged is the ratio of two figures of one
round, so that a machine that is slow for a while is slow for both. docs/performance.md says what is promised.
"""
