# SPDX-License-Identifier: Apache-2.0
"""Workers of digits_ps.py come and go while the others train: two servers, two workers, a third that joins, the first that
leaves, another in its place. No sample is lost or trained twice, and what is learnt is as good. No cluster is needed."""
import json
import os
import socket
import subprocess
import sys
import time

EPOCHS, SAMPLES = 160, 1437
PATIENCE_SECONDS = 120


def free_port():
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]


SERVERS = [f"localhost:{free_port()}" for _ in range(2)]


def start(module, rank, name, joined_after=None, *arguments):
    environment = dict(
        os.environ, TREADLE_SERVERS=",".join(SERVERS), TREADLE_WORKERS="first,second", ROLE_RANK=str(rank), ROLE_WORLD_SIZE="2",
        TREADLE_PROGRESS_FILE=os.path.abspath(name + ".progress"), TREADLE_COMMAND_FILE=os.path.abspath(name + ".command"),
        TREADLE_CHECKPOINT_DIR=os.path.abspath("checkpoints"))
    if joined_after is not None:
        environment["TREADLE_JOINED_AFTER"] = str(joined_after)
    return subprocess.Popen([sys.executable, "-B", "-m", module, *arguments], env=environment)


def work(rank, name, joined_after=None):
    return start("digits_ps", rank, name, joined_after, "--epochs", str(EPOCHS), "--batch", "480", "--result", "result.json")


def last(name):
    try:
        with open(name + ".progress", encoding="utf-8") as file:
            return json.loads(file.read().strip().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return {}


def await_step(name, step, processes):
    end = time.monotonic() + PATIENCE_SECONDS
    while last(name).get("step", 0) < step:
        assert all(process.poll() is None for process in processes), f"{name} waits for step {step}, and somebody has ended"
        assert time.monotonic() < end, f"{name} is at {last(name)}, not at step {step} after {PATIENCE_SECONDS} s"
        time.sleep(0.05)


def main():
    servers = [start("parameter_server", rank, f"server{rank}") for rank in range(2)]
    first, second = work(0, "first"), work(1, "second")
    await_step("first", 10, [first, second, *servers])
    third = work(2, "third", 0)
    await_step("third", 1, [first, second, third, *servers])
    with open("first.command", "w", encoding="utf-8") as file:
        json.dump({"epoch": 5, "command": "stop", "deadlineMs": 0}, file)
    assert first.wait(PATIENCE_SECONDS) == 0
    done = last("first")
    await_step("third", done["step"] + 5, [second, third, *servers])
    fourth = work(0, "fourth", done["samples"])
    await_step("fourth", 1, [second, third, fourth, *servers])
    assert last("fourth")["samples"] > done["samples"], "it counts on from what its rank had done"
    codes = [process.wait(PATIENCE_SECONDS) for process in (second, third, fourth, *servers)]
    assert codes == [0] * 5, codes
    samples = sum(last(name)["samples"] for name in ("second", "third", "fourth"))
    assert samples == EPOCHS * SAMPLES, f"{samples} samples were trained, of {EPOCHS * SAMPLES}"
    with open("result.json", encoding="utf-8") as file:
        result = json.load(file)
    assert result["testAccuracy"] > 0.95, result
    print(result)


if __name__ == "__main__":
    main()
