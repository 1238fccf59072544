// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.ContainerProcesses;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Kills one worker of a job, once, when it is measured and half done, as a failing machine would. */
final class WorkerKiller implements Consumer<List<JobTrace>> {
    private final Screen screen;
    private final Path workDirectory;
    private final String script;
    private boolean killed;

    /**
     * @param workDirectory the cluster's: only processes that were started from it are touched
     * @param script name of the script that the worker runs
     */
    WorkerKiller(Screen screen, Path workDirectory, String script) {
        this.screen = screen;
        this.workDirectory = workDirectory;
        this.script = script;
    }

    boolean killed() {
        return killed;
    }

    @Override
    public void accept(List<JobTrace> traces) {
        JobTrace trace = traces.get(0);
        JobStatus status = trace.status();
        if (killed
                || !status.phase().equals("ready")
                || status.samples() < trace.job().samples() / 2) {
            return;
        }
        worker().ifPresent(process -> {
            killed = process.destroyForcibly();
            screen.line(
                    " kill -9 " + process.pid() + ": one worker dies on purpose; the job goes on from its checkpoint");
        });
    }

    private Optional<ProcessHandle> worker() {
        return ContainerProcesses.under(workDirectory).stream()
                .filter(process -> runsScript(process.info()))
                .max(Comparator.comparingLong(ProcessHandle::pid));
    }

    /** The interpreter itself, not a shell that waits for it. */
    private boolean runsScript(ProcessHandle.Info info) {
        return info.command().filter(command -> command.contains("python")).isPresent()
                && info.arguments()
                        .filter(arguments -> List.of(arguments).contains(script))
                        .isPresent();
    }
}
