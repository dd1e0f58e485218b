"""What the agent may do with the house and the machine, and who is asked first."""
