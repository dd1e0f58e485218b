"""Who somebody is, and what follows from it: codes, accounts that join, scopes, language, quiet hours, what is kept."""
