"""Tests of the desk as tools of an agent that speaks MCP."""
