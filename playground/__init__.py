"""Emulated platforms, a stand-in model and a page: dragoman without key, account or network."""
