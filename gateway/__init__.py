"""The daemon: the one door in, the two queues, the command line."""
