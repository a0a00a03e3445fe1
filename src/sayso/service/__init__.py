"""The desk as a service of the user's session: a systemd user unit, a launchd agent on macOS.

`units` makes texts and knows no machine, `command` writes them and speaks to the service manager.
"""
