"""The budgets of the contract, measured: `python -m bench`."""
