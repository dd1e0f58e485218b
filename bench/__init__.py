"""The budgets of the contract, measured: the daemon as users start it beside a floor that keeps nothing."""
