#!/usr/bin/env python3
"""For the status line of tmux: how many requests wait for you, and nothing when none does."""

import json
import subprocess

with subprocess.Popen(["sayso", "watch", "--json"], stdout=subprocess.PIPE) as stream:
    for line in stream.stdout or ():
        waiting = json.loads(line).get("waiting")
        if waiting is not None:  # other lines tell of something else
            print(f"[{waiting} waiting]" if waiting else "", flush=True)
