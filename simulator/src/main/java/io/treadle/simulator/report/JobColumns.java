// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.trace.TraceJob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The jobs of the page, the same for all policies: all, or those of most GPU time where there are too many. In order of
 * submission; the page numbers them anew.
 */
final class JobColumns {
    private final List<TraceJob> jobs;
    /** The page's number of a job; −1 where the page has it not. */
    private final int[] numberOf;

    private final int kept;
    private final Map<String, Integer> queues = new LinkedHashMap<>();
    private final Map<String, Integer> users = new LinkedHashMap<>();

    /** @param most how many jobs the page may hold */
    JobColumns(List<TraceJob> jobs, int most) {
        this.jobs = jobs;
        numberOf = new int[jobs.size()];
        if (jobs.size() > most) {
            Arrays.fill(numberOf, -1);
            IntStream.range(0, jobs.size())
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer job) -> -weight(jobs.get(job)))
                            .thenComparingInt(job -> job))
                    .limit(most)
                    .forEach(job -> numberOf[job] = 0);
        }
        int next = 0;
        for (int job = 0; job < jobs.size(); job++) {
            if (numberOf[job] == 0) {
                numberOf[job] = next++;
            }
        }
        kept = next;
    }

    private static double weight(TraceJob job) {
        return job.work().ends() ? job.gpus() * job.work().seconds() : Double.MAX_VALUE;
    }

    int kept() {
        return kept;
    }

    int number(int job) {
        return numberOf[job];
    }

    /** Names of queues by the numbers that {@link #pack} gives them. */
    List<String> queues() {
        return List.copyOf(queues.keySet());
    }

    List<String> users() {
        return List.copyOf(users.keySet());
    }

    /**
     * Columns: bytes that the id shares with the one before, how many follow, these; submission (ms, difference), GPUs,
     * run time at the share (ms, 0 for without end), queue, user (number of its name).
     */
    String pack() {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            columns.add(new Column());
        }
        byte[] before = new byte[0];
        long beforeMs = 0;
        for (int job = 0; job < jobs.size(); job++) {
            if (numberOf[job] < 0) {
                continue;
            }
            TraceJob one = jobs.get(job);
            byte[] id = one.id().getBytes(StandardCharsets.UTF_8);
            int mismatch = Arrays.mismatch(before, id);
            int shared = mismatch < 0 ? id.length : mismatch;
            columns.get(0).add(shared);
            columns.get(1).add(id.length - shared);
            columns.get(2).addBytes(id, shared);
            columns.get(3).addSigned(one.submitMs() - beforeMs);
            columns.get(4).add(one.gpus());
            columns.get(5)
                    .add(one.work().ends() ? Math.max(1, Math.round(one.work().seconds() * 1000)) : 0);
            columns.get(6).add(queues.computeIfAbsent(one.queue(), name -> queues.size()));
            columns.get(7).add(users.computeIfAbsent(Grouping.user(one), name -> users.size()));
            before = id;
            beforeMs = one.submitMs();
        }
        return Column.pack(columns);
    }
}
