"""E-mail: a mailbox read by IMAP and answered by SMTP."""
