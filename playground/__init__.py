"""Emulated platforms, a stand-in model and a demo page: everything needed to try the daemon without a network."""
