#!/usr/bin/env python3
"""A light that is on while something waits for you: it takes webhooks, and believes what is signed.

sayso webhook add http://127.0.0.1:8080/        prints the secret
SECRET=whsec_… python3 webhook_light.py 8080
"""

import base64
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
waiting = {}


def is_genuine(headers, body: bytes) -> bool:
    name, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    mac = hmac.digest(KEY, f"{name}.{sent_at}.".encode() + body, "sha256")
    ours = b"v1," + base64.b64encode(mac)
    signed = any(
        hmac.compare_digest(each.encode(), ours) for each in headers.get("webhook-signature", "").split()
    )
    return signed and abs(time.time() - int(sent_at)) < 300  # older ones may be somebody's recording


def switch(event: dict) -> None:
    request = event["data"].get("request")
    if request is None:
        return
    here = waiting.setdefault(event["boot"], set())  # what waited at a desk that is gone is over
    for boot in set(waiting) - {event["boot"]}:
        del waiting[boot]
    (here.add if request["state"] == "pending" else here.discard)(request["id"])
    print("on" if here else "off", flush=True)  # or tell your lamp


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            switch(json.loads(body))


HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
