// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

/**
 * Which GPUs of its node each piece of a log holds: those that the policy chose, and where it chose only how many, the
 * lowest that are free. Runs of no length hold the first ones, whether free or not.
 */
final class Slots implements Replay.Visitor {
    private final RunLog log;
    private final NodeTable nodes;
    /** Parts of each cell that are held. */
    private final int[] held;

    private final int[] start;
    private final int[] count;
    private final Ints slots = new Ints();

    private Slots(RunLog log) {
        this.log = log;
        nodes = log.nodes();
        held = new int[nodes.cells()];
        start = new int[log.pieces()];
        count = new int[log.pieces()];
    }

    static Slots of(RunLog log) {
        Slots slots = new Slots(log);
        Replay.walk(log, slots);
        return slots;
    }

    @Override
    public void started(int run, long ms) {
        boolean holds = log.toMs(run) > ms;
        for (int piece = log.firstPiece(run); piece < log.endPiece(run); piece++) {
            start[piece] = slots.size();
            choose(piece, holds);
            count[piece] = slots.size() - start[piece];
            if (holds) {
                hold(piece, 1);
            }
        }
    }

    private void choose(int piece, boolean holds) {
        int parts = log.parts(piece);
        if (log.knownSlot(piece) >= 0) {
            slots.add(log.knownSlot(piece));
            return;
        }
        int node = log.node(piece);
        int left = (parts + RunLog.CARD - 1) / RunLog.CARD;
        int each = Math.min(parts, RunLog.CARD);
        for (int slot = 0; slot < nodes.gpus(node) && left > 0; slot++) {
            if (!holds || held[nodes.firstCell(node) + slot] + each <= RunLog.CARD) {
                slots.add(slot);
                left--;
            }
        }
    }

    private void hold(int piece, int sign) {
        for (int i = 0; i < count[piece]; i++) {
            held[nodes.firstCell(log.node(piece)) + slot(piece, i)] += sign * Math.min(log.parts(piece), RunLog.CARD);
        }
    }

    @Override
    public void stopped(int run, long ms) {
        if (log.fromMs(run) < ms) {
            for (int piece = log.firstPiece(run); piece < log.endPiece(run); piece++) {
                hold(piece, -1);
            }
        }
    }

    /** How many GPUs, or parts of one, the piece holds. */
    int count(int piece) {
        return count[piece];
    }

    /** The {@code i}-th of them; they rise. */
    int slot(int piece, int i) {
        return slots.get(start[piece] + i);
    }
}
