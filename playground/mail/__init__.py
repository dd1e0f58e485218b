"""The emulated mailbox: a real IMAP server and a real SMTP server on loopback, and people who write to them."""

from playground.mail.emulator import MailEmulator
from playground.mail.letters import File, Letter

__all__ = ["File", "Letter", "MailEmulator"]
