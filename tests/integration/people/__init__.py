"""People: strangers, joined accounts, groups, what each may do."""
