# Runs a Python peer: a line of JSON with messages in, a line with the changed messages and the milliseconds out.
import json
import sys
import time


def headroom():
    from headroom import compress

    return lambda messages: compress(messages, model="gpt-4o").messages


def litellm():
    from litellm import compress

    # Its default only begins at 200,000 tokens.
    return lambda messages: compress(messages, model="gpt-4o", compression_trigger=10_000)["messages"]


run = {"headroom": headroom, "litellm": litellm}[sys.argv[1]]()
for line in sys.stdin:
    messages = json.loads(line)
    start = time.perf_counter()
    changed = run(messages)
    milliseconds = (time.perf_counter() - start) * 1000
    print(json.dumps({"milliseconds": milliseconds, "messages": changed}), flush=True)
