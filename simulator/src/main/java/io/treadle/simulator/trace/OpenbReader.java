// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Pods of Alibaba's openb lists: they come one after the other, in the order of the file, and never end. CPU counts in
 * thousandths of a core, a card as 1,000 parts.
 */
final class OpenbReader implements TraceReader {
    private static final long CARD = 1000;

    @Override
    public String format() {
        return "openb";
    }

    @Override
    public boolean recognises(Head head) {
        return head.names("cpu_milli", "num_gpu");
    }

    @Override
    public void read(Path file, Intake intake) {
        Table table = Table.withHeader(file);
        String name = table.has("pod") ? "pod" : "name";
        intake.rows(
                table,
                row -> intake.add(
                        row,
                        name,
                        TraceJob.of(
                                row.text(name),
                                "",
                                intake.size() * 1000L,
                                List.of(new TaskGroup("pod", 1, 1, ask(row), models(row))),
                                Work.NEVER_ENDS)));
    }

    private static ResourceVector ask(Row row) {
        long gpus = row.whole("num_gpu", 0, 1024);
        long part = gpus == 0 ? 0 : row.whole("gpu_milli", 0, CARD);
        if (gpus > 1 && part < CARD) {
            throw row.wrong("gpu_milli", String.valueOf(part), CARD + " where num_gpu is above 1");
        }
        boolean slice = gpus == 1 && part < CARD;
        return ResourceVector.of(
                        slice ? 0 : gpus, row.whole("cpu_milli", 0, 1L << 40), row.whole("memory_mib", 0, 1L << 50))
                .withGpuMemoryMiB(slice ? part : 0);
    }

    private static Set<String> models(Row row) {
        return row.optional("gpu_spec")
                .map(spec -> Set.copyOf(List.of(spec.split("\\|"))))
                .orElse(Set.of());
    }
}
