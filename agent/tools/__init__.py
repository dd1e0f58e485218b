"""Built-in tools: a table from each name to the function that makes it."""

TOOLS = {"current_time": "agent.tools.clock:current_time_tool"}
