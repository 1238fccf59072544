# SPDX-License-Identifier: Apache-2.0
"""Trains the faster the more vcores it has, from its checkpoint on, until $TRACE/finish is there."""

import json
import os
import time

RANK = os.environ["RANK"]
TRACE = os.environ["TRACE"]
RESOURCES = os.path.join(os.environ["TREADLE_CONTROL_DIR"], "resources.json")
CHECKPOINT = os.path.join(os.environ["TREADLE_CHECKPOINT_DIR"], "rank-" + RANK + ".json")

# resources.json is looked at in every third step.
LOOKS = 3


def replace(path, content):
    with open(path + ".tmp", "w", encoding="utf-8") as draft:
        json.dump(content, draft)
    os.replace(path + ".tmp", path)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def vcores_now(last):
    try:
        return load(RESOURCES)["vcores"]
    except FileNotFoundError:
        return last  # While the file is missing its last content holds.


def main():
    state = load(CHECKPOINT) if os.path.exists(CHECKPOINT) else {"step": 0, "samples": 0}
    replace(
        os.path.join(TRACE, "rank-" + RANK + ".json"),
        {
            "pid": os.getpid(),
            "samples": state["samples"],
            "container": os.environ["CONTAINER_ID"],
            "resources": RESOURCES,
            "devices": os.environ["CUDA_VISIBLE_DEVICES"],
        },
    )
    vcores = vcores_now(1)
    with open(os.environ["TREADLE_PROGRESS_FILE"], "a", buffering=1, encoding="utf-8") as progress:
        while not os.path.exists(os.path.join(TRACE, "finish")):
            time.sleep(0.2)
            if state["step"] % LOOKS == 0:
                vcores = vcores_now(vcores)
            state["step"] += 1
            state["samples"] += vcores
            state["vcores"] = vcores
            replace(CHECKPOINT, state)
            progress.write(json.dumps({"ts": time.time(), **state}) + "\n")


if __name__ == "__main__":
    main()
