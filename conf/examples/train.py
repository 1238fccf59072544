# SPDX-License-Identifier: Apache-2.0
"""The smallest training script: it works without Treadle too, and tells it how far it is where it can."""

import json
import os
import time

STEPS = 100
BATCH = 256


def main():
    rank = os.environ.get("RANK", "0")
    progress = os.environ.get("TREADLE_PROGRESS_FILE", os.devnull)
    with open(progress, "a", buffering=1, encoding="utf-8") as lines:
        for step in range(1, STEPS + 1):
            time.sleep(0.1)  # Stands for forward, backward and update.
            lines.write(json.dumps({"ts": time.time(), "step": step, "samples": step * BATCH}) + "\n")
    print(f"worker {rank}: {STEPS * BATCH} samples")


if __name__ == "__main__":
    main()
