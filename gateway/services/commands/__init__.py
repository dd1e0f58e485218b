"""Chat commands: one table drives parsing, help and the platforms' menus."""
