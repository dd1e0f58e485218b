"""The store inside the whole house, and in processes that end badly."""
