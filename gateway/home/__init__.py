"""HOME, the one directory that holds all state: where it is, who it belongs to, who works in it."""

from gateway.home.lock import Holder, HomeBusy, HomeLock, lock_home
from gateway.home.places import Choice, Home, NoHome, choose_home, keep_private, open_home

__all__ = [
    "Choice",
    "Holder",
    "Home",
    "HomeBusy",
    "HomeLock",
    "NoHome",
    "choose_home",
    "keep_private",
    "lock_home",
    "open_home",
]
