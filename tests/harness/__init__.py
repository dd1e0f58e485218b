"""What integration and acceptance tests stand on: the house in one process, and the daemon as a real one."""
