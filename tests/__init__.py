"""How dragoman is proved: unit, contract, integration and acceptance tests, and the rules of the house."""
