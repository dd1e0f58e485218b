"""Pictures, voices and documents in the whole house."""
