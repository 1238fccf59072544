// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The runs of one policy as the page holds them, the shortest left out where there are too many.
 *
 * @param packed the columns
 * @param kept how many runs it holds
 * @param dropped how many runs of the page's jobs it does not hold
 * @param leastSeconds the shortest run that it holds, where some are left out, s
 */
record RunColumns(String packed, int kept, int dropped, double leastSeconds) {
    private static final int COLUMNS = 10;

    /** @param mostCharacters what the text may have */
    static RunColumns of(RunLog log, Slots slots, JobColumns jobs, int mostCharacters) {
        int[] runs = IntStream.range(0, log.runs())
                .filter(run -> jobs.number(log.job(run)) >= 0)
                .toArray();
        long leastMs = 0;
        String packed = pack(log, slots, jobs, runs);
        int[] kept = runs;
        while (packed.length() > mostCharacters && kept.length > 0) {
            // A little fewer than the size asks for, lest the next try fails by a hair.
            leastMs = longer(log, kept, 0.95 * mostCharacters / packed.length());
            long least = leastMs;
            kept = Arrays.stream(kept).filter(run -> length(log, run) >= least).toArray();
            packed = pack(log, slots, jobs, kept);
        }
        return new RunColumns(packed, kept.length, runs.length - kept.length, leastMs / 1000.0);
    }

    private static long length(RunLog log, int run) {
        return log.toMs(run) == RunLog.NEVER ? RunLog.NEVER : log.toMs(run) - log.fromMs(run);
    }

    /** The length, ms, from which on there is no more than this share of the runs. */
    private static long longer(RunLog log, int[] runs, double share) {
        long[] lengths =
                Arrays.stream(runs).mapToLong(run -> length(log, run)).sorted().toArray();
        int index = Math.min(lengths.length - 1, (int) Math.ceil(lengths.length * (1 - share)));
        return lengths[index] == lengths[0] ? lengths[index] + 1 : lengths[index];
    }

    /**
     * Columns: start (in units, difference), length (units and 1; 0 for a run that goes on when the simulation is over), job
     * (difference), number of nodes; for each node its number (difference), its GPUs as a number of ranges, for each
     * range the GPUs that it skips and those that it has; thousandths that are held of the GPU, 0 for whole ones;
     * whether the run is the job's end; last the unit of times, ms.
     */
    private static String pack(RunLog log, Slots slots, JobColumns jobs, int[] runs) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            columns.add(new Column());
        }
        long unit = unitMs(log, runs);
        columns.get(9).add(unit);
        long beforeMs = 0;
        int beforeJob = 0;
        int beforeNode = 0;
        for (int run : runs) {
            int job = jobs.number(log.job(run));
            columns.get(0).addSigned((log.fromMs(run) - beforeMs) / unit);
            columns.get(1).add(log.toMs(run) == RunLog.NEVER ? 0 : (log.toMs(run) - log.fromMs(run)) / unit + 1);
            columns.get(2).addSigned(job - beforeJob);
            columns.get(8).add(log.toMs(run) == log.endMs(log.job(run)) && log.toMs(run) != RunLog.NEVER ? 1 : 0);
            beforeMs = log.fromMs(run);
            beforeJob = job;
            int nodes = 0;
            for (int piece = log.firstPiece(run); piece < log.endPiece(run); nodes++) {
                int node = log.node(piece);
                columns.get(4).addSigned(node - beforeNode);
                beforeNode = node;
                columns.get(7).add(log.parts(piece) % RunLog.CARD);
                Ints held = new Ints();
                while (piece < log.endPiece(run) && log.node(piece) == node) {
                    for (int i = 0; i < slots.count(piece); i++) {
                        held.add(slots.slot(piece, i));
                    }
                    piece++;
                }
                ranges(held, columns.get(5), columns.get(6));
            }
            columns.get(3).add(nodes);
        }
        return Column.pack(columns);
    }

    /** Most traces know whole seconds only: their times are shorter so. */
    private static long unitMs(RunLog log, int[] runs) {
        for (int run : runs) {
            if (log.fromMs(run) % 1000 != 0 || (log.toMs(run) != RunLog.NEVER && log.toMs(run) % 1000 != 0)) {
                return 1;
            }
        }
        return 1000;
    }

    private static void ranges(Ints held, Column counts, Column ranges) {
        int count = 0;
        int end = 0;
        for (int i = 0; i < held.size(); ) {
            int first = i++;
            while (i < held.size() && held.get(i) == held.get(i - 1) + 1) {
                i++;
            }
            // Devices that a policy names need not rise.
            ranges.addSigned(held.get(first) - end);
            ranges.add(i - first);
            end = held.get(first) + i - first;
            count++;
        }
        counts.add(count);
    }
}
