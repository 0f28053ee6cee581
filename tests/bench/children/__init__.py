"""Programs that are measured beside ask. Each runs in a process of its own and imports nothing of this project."""
