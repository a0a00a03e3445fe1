"""The desk as tools of an agent that speaks MCP: `sayso mcp`, on standard input and output.

`tools` is what an agent is offered, `asks` the questions that are open, `words` what the
model is told, `server` the protocol. Only `server` imports the SDK, which is an extra.
"""
