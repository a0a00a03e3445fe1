#!/usr/bin/env python3
"""A module for Waybar: how many requests wait for you; who asks and which kind is its tooltip."""

import json
import subprocess
from html import escape

views = {}
with subprocess.Popen(["sayso", "watch", "--json"], stdout=subprocess.PIPE) as stream:
    for line in stream.stdout or ():
        told = json.loads(line)
        if told.get("waiting") is None:
            continue
        if told["type"] in ("snapshot", "absent"):
            views = {view["id"]: view for view in told.get("snapshot", {"requests": []})["requests"]}
        else:
            views[told["request"]["id"]] = told["request"]
        views = {name: view for name, view in views.items() if view["state"] == "pending"}
        lines = [f"{view['agent']} in {view.get('project', '?')}: {view['kind']}" for view in views.values()]
        module = {
            "text": str(told["waiting"] or ""),
            "tooltip": escape("\n".join(lines)),  # Waybar takes it for markup
            "class": "waiting" if told["waiting"] else "idle",
        }
        print(json.dumps(module), flush=True)
