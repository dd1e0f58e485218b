"""Built-in tools: a table from each toolset to the function that makes its tools."""

TOOLS = {
    "current_time": "agent.tools.clock:current_time_tools",
    "files": "agent.tools.files:files_tools",
    "web": "agent.tools.web:web_tools",
}
