# SPDX-License-Identifier: Apache-2.0
"""Workers bring numbers to a server by torch.distributed.rpc, which meets by what Treadle sets and nothing else."""

import os
import sys

import torch
import torch.distributed.rpc as rpc

total = torch.zeros(1)


def add(number):
    """Runs on the server."""
    total.add_(number)


def main():
    name = os.environ["TREADLE_RPC_NAME"]
    rank = int(os.environ["RANK"])
    rpc.init_rpc(name, rank=rank, world_size=int(os.environ["WORLD_SIZE"]))
    if name.startswith("worker"):
        for server in range(len(os.environ["TREADLE_SERVERS"].split(","))):
            rpc.rpc_sync(f"ps{server}", add, args=(torch.tensor([10.0 ** rank]),))
    # Returns once all have called it and nothing is under way.
    rpc.shutdown()
    if name.startswith("ps"):
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
            file.write(str(total.item()))


if __name__ == "__main__":
    main()
