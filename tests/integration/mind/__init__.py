"""The mind in the whole house."""
