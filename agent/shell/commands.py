"""What a command line is, before it runs: never to be run, simple enough for a word that lasts, or neither.

The list that nothing overrides is a seat belt for whoever presses Yes too fast; the wall is the sandbox.
"""

import re
import shlex
import unicodedata
from collections.abc import Iterable

_SPECIAL = re.compile(r"[;&|<>$()`\n\r\\*?\[\]{}~=#!\"'%^]")
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._+-]*")
_WORD = re.compile(r"[a-z][a-z0-9-]*")
# what runs whatever it is given, whoever allowed its name
_RUN_ANYTHING = """
sh bash dash zsh ksh fish csh tcsh busybox python python2 python3 pypy perl ruby node nodejs deno bun php lua tclsh
awk gawk mawk sed ed ex vi vim nvim emacs nano less more man gdb lldb strace ltrace env xargs find parallel time
timeout nice nohup setsid stdbuf watch script screen tmux sudo doas su runuser chroot unshare nsenter bwrap docker
podman ssh scp sftp rsync eval exec source command builtin make cmake ninja npm npx yarn pnpm pip pip3 pipx uv uvx
cargo go java scala kotlin ghc gcc cc tar zip crontab at batch systemd-run systemctl expect dd tee install
"""
INTERPRETERS = frozenset(_RUN_ANYTHING.split())
_SECRETS = (
    r"\.ssh\b|id_(?:rsa|ed25519|ecdsa|dsa)\b|\.gnupg\b|\.aws\b|\.netrc\b|\.pgpass\b|\.kube\b|\.docker/config"
    r"|\.npmrc\b|\.pypirc\b"
    r"|\.git-credentials\b|\.config/gh\b|(?:^|[\s/=])\.env\b|/etc/(?:g?shadow|sudoers)"
    r"|/proc/(?:\d+|self|thread-self|\*)/(?:environ|mem|cmdline)"
    r"|gateway\.json\b|state\.db\b|control\.sock\b|http-token\b|credentials_directory|169\.254\.169\.254|metadata\.google|fd00:ec2::254"
)
_ROOTS = (
    r"(?:/|/\*|~/?|~/\*|\$\{?home\}?/?\*?|/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var)/?\*?)"
)
_TREE = "it deletes a whole tree from its root"
_NEVER: tuple[tuple[str, str], ...] = (
    ((rf"\brm\b(?=[^;&|\n]*\s-(?:-recursive|[a-z]*r))"
      rf"[^;&|\n]*\s(?:--\s+)?{_ROOTS}(?=$|[\s;&|])"), _TREE),
    (r"--no-preserve-root", _TREE),
    (rf"\bfind\s+{_ROOTS}\s[^;|\n]*-delete\b", _TREE),
    (r"\b(?:mkfs(?:\.\w+)?|mke2fs|wipefs|blkdiscard|fdisk|sfdisk|parted|mkswap)\b", "it overwrites a disk"),
    (r"\bdd\b[^;&|\n]*\bof=/dev/(?!null\b|stdout\b|stderr\b)", "it writes to a device"),
    (r">\s*/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|mem|kmem|disk|mapper|loop)", "it writes to a device"),
    (r"\b(?:shred|tee|cp|cat)\b[^;&|\n]*\s/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper)", "it writes to a device"),
    (r"([\w:.]+)\s*\(\)\s*\{[^}]*?\1\s*\|\s*\1\s*&", "it is a fork bomb"),
    ((r"\b(?:chmod|chown|chgrp)\b(?=[^;&|\n]*\s-(?:-recursive|[a-z]*r))"
      rf"[^;&|\n]*\s{_ROOTS}(?=$|[\s;&|])"), "it changes the rights of a whole tree"),
    (r"\b(?:shutdown|reboot|halt|poweroff|init\s+[06]|telinit)\b", "it stops the machine"),
    (r"\bkill\b[^;&|\n]*\s-\S+\s+(?:--\s+)?-1\b|\bkillall5\b", "it ends every process"),
    (r"\b(?:curl|wget|fetch)\b[^;\n]*\|\s*(?:sudo\s+)?(?:\w*sh|python\d?|perl|ruby|node)\b",
     "it runs what it fetches, unseen"),
    (r"\b(?:insmod|modprobe|rmmod|kexec)\b", "it changes the kernel"),
    (_SECRETS, "it reaches for secrets"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), why) for pattern, why in _NEVER)


def never(command: str) -> str | None:
    """Say why a command is never run, whoever allows it; None for what may be asked about."""
    for text in _readings(command):
        for pattern, why in _COMPILED:
            if pattern.search(text):
                return why
    return None


def subject(command: str) -> str | None:
    """Name what a lasting word would be said to: program and sub-command of a simple command; None asks each time."""
    if _SPECIAL.search(command) or not command.isascii() or not command.isprintable():
        return None
    words = command.split()
    if not words or not _PLAIN.fullmatch(words[0]):
        return None
    base = re.sub(r"[-.]?\d[\d.]*$", "", words[0])
    if words[0] in INTERPRETERS or base in INTERPRETERS:
        return None
    if len(words) == 1:
        return words[0]
    return f"{words[0]} {words[1]}" if _WORD.fullmatch(words[1]) else None


def _readings(command: str) -> Iterable[str]:
    """Read a command as it stands, and as a shell would put it together out of quotes and escapes."""
    plain = unicodedata.normalize("NFKC", command).casefold()
    flat = re.sub(r"\\\n", "", plain)
    yield re.sub(r"[ \t]+", " ", flat)
    yield re.sub(r"[ \t]+", " ", re.sub(r"[\\'\"]", "", flat))
    yield re.sub(r"[ \t]+", " ", re.sub(r"\$\{ifs[^}]*\}|\$ifs\b(?:\$\d)?", " ", re.sub(r"[\\'\"]", "", flat)))
    try:
        yield " ".join(shlex.split(flat, comments=False))
    except ValueError:
        return
