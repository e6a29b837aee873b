"""The MCP server: memory as tools, resources and prompts for any agent that speaks MCP."""
