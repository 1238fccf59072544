// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.InParallel;
import io.treadle.simulator.replay.PolicyRuns;
import io.treadle.simulator.replay.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * One of several processes that do a sweep's runs. It runs in a directory of its own and delivers what is done to the
 * sweep's, so that a process that is killed, or taken for dead, spoils nothing.
 */
public final class SweepWorker {
    private final Path out;
    private final Path own;
    private final List<SweepPoint> points;
    private final List<String> policies;
    private final boolean pages;

    /**
     * @param out the sweep's directory, which all processes share
     * @param own a directory of this process
     * @param pages whether what reports need is kept too
     */
    public SweepWorker(Path out, Path own, List<SweepPoint> points, List<String> policies, boolean pages) {
        this.out = out;
        this.own = own;
        this.points = Sweep.byTrace(points);
        this.policies = List.copyOf(policies);
        this.pages = pages;
    }

    /**
     * Returns when all runs are done or claimed by others.
     *
     * @param threads how many runs go on at the same time
     * @throws InputException if a trace cannot be read, or results cannot be written
     */
    public void work(int threads, Claims claims) {
        SharedReplays replays = new SharedReplays(points, point -> policies.size());
        List<Runnable> work = new ArrayList<>();
        for (SweepPoint point : points) {
            for (String policy : policies) {
                work.add(() -> {
                    if (!Sweep.isDone(out, point, policy, pages) && claims.take(point.name() + "," + policy)) {
                        run(point, policy, replays);
                    }
                    replays.release(point);
                });
            }
        }
        InParallel.run(threads, work);
    }

    private void run(SweepPoint point, String policy, SharedReplays replays) {
        Path from = Sweep.directory(own, point);
        new PolicyRuns(from, replays.replay(point), point.options(), Watcher.NONE)
                .runAhead(policy, pages, false, Watcher.NONE);
        Path to = Sweep.directory(out, point);
        try {
            // The last of them says that the run is done.
            for (String name : PolicyRuns.files(policy, point.options(), pages)) {
                deliver(from.resolve(name), to.resolve(name));
            }
        } catch (IOException e) {
            throw new InputException("cannot write to " + to + ": " + e.getMessage() + ".", e);
        }
    }

    private void deliver(Path from, Path to) throws IOException {
        Path directory = Files.createDirectories(to.resolveSibling("."));
        Path draft = Files.createTempFile(directory, "." + to.getFileName(), ".new");
        try {
            Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(from);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
