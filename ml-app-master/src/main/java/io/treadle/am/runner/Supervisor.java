// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.ContainerCheck;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.ProgressLine;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerCommand;
import io.treadle.core.wire.WorkerEnvironment;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings one container's worker to what the ApplicationMaster's answers say should be so, and describes what is. Used by
 * one thread, but for {@link #shutDown}.
 */
final class Supervisor {
    private static final Duration DEVICE_PATIENCE = Duration.ofMinutes(2);
    /** The node makes the directory before it launches the container, unless its disk is slow. */
    private static final Duration DIRECTORY_PATIENCE = Duration.ofSeconds(5);

    private final RunnerEnvironment environment;
    private final Map<String, String> containerVariables;
    private ControlFile control;
    private WorkerFiles files;
    private EnergyWatch energy;
    private final CpuMeter cpu;
    private final VcoreMeter vcores = new VcoreMeter();
    private final CpuAffinity affinity = new CpuAffinity();

    private int epoch;
    private ReportMessage.State state = ReportMessage.State.WAITING;
    private int masterPort;
    private ProgressTail tail;
    private long lastCommand;
    private long memoryVersion;
    /** Of the sizes that were reported last. */
    private int reportedVersion;

    private boolean stopAsked;
    private long devicesAwaitedSinceNanos;
    /** Since when the node's control directory is known to be out of reach; empty where it is not. */
    private OptionalLong hiddenSinceNanos = OptionalLong.empty();

    private volatile @Nullable WorkerProcess worker;
    private @Nullable FinishedMessage finished;
    private boolean finishedTaken;

    Supervisor(RunnerEnvironment environment, Map<String, String> containerVariables) throws IOException {
        this.environment = environment;
        this.containerVariables = Map.copyOf(containerVariables);
        this.control = environment.controlDir().isPresent()
                ? ControlFile.writtenByNode(environment.controlDir().get())
                : ControlFile.writtenByRunner(environment.workDir());
        this.files = WorkerFiles.in(environment.workDir(), control.directory());
        this.energy = new EnergyWatch(control.directory());
        this.cpu = new CpuMeter(environment.cpuCgroup());
        this.tail = new ProgressTail(files.progressFile(0));
        this.masterPort = freePort();
    }

    /** Acts on an answer of the ApplicationMaster. Stops and starts block until done. */
    void follow(Directive directive) throws IOException, InterruptedException {
        if (directive.desired() == Directive.Desired.EXIT) {
            stopWorker();
            return;
        }
        if (directive.sizes().isPresent()) {
            control.write(directive.sizes().get());
        }
        if (directive.memory().filter(limit -> limit.version() > memoryVersion).isPresent()) {
            AtomicFile.write(files.memoryFile(), directive.memory().get().toJson());
            memoryVersion = directive.memory().get().version();
        }
        if (directive.epoch() > epoch) {
            stopWorker();
            epoch = directive.epoch();
            state = ReportMessage.State.WAITING;
            finished = null;
            finishedTaken = false;
            masterPort = freePort();
            tail = new ProgressTail(files.progressFile(epoch));
            lastCommand = 0;
            stopAsked = false;
            devicesAwaitedSinceNanos = System.nanoTime();
        }
        if (directive.epoch() < epoch) {
            return;
        }
        if (state == ReportMessage.State.WAITING) {
            lookForControlDirectory();
        }
        if (directive.desired() == Directive.Desired.RUN
                && state == ReportMessage.State.WAITING
                && directive.assignment().isPresent()) {
            try {
                startWhenDevicesAreReady(directive.assignment().get());
            } catch (IOException e) {
                fail("the worker cannot be started on " + environment.host() + ": " + e);
            }
        }
        if (directive.command().isPresent() && state == ReportMessage.State.RUNNING) {
            pass(directive.command().get());
        }
    }

    /**
     * Where the node's directory cannot be seen this is said at once, and soon the ApplicationMaster's word on sizes is
     * taken instead: the worker trains, and knows nothing of the states of its devices and of their energy.
     */
    private void lookForControlDirectory() throws IOException {
        var unused = control.read();
        if (control.reachable()) {
            return;
        }
        if (hiddenSinceNanos.isEmpty()) {
            hiddenSinceNanos = OptionalLong.of(System.nanoTime());
            RunnerLog.say("the control directory " + control.directory() + " cannot be seen from here.\nMaybe the"
                    + " container runtime does not mount it: docker.allowed.ro-mounts of the node's"
                    + " container-executor.cfg must hold it");
        } else if (System.nanoTime() - hiddenSinceNanos.getAsLong() >= DIRECTORY_PATIENCE.toNanos()) {
            control = ControlFile.writtenByRunner(environment.workDir());
            files = WorkerFiles.in(environment.workDir(), control.directory());
            energy = new EnergyWatch(control.directory());
            RunnerLog.say("the worker gets its sizes from the ApplicationMaster instead, in " + control.directory());
        }
    }

    private void startWhenDevicesAreReady(Assignment assignment) throws IOException {
        Optional<String> missing = ContainerCheck.missing(containerVariables, Path.of("/"));
        if (missing.isPresent()) {
            fail(missing.get());
            return;
        }
        Optional<ResourcesFile> sizes = control.read();
        boolean pending = sizes.isEmpty()
                || sizes.get().devices().stream().anyMatch(d -> d.state() == ResourcesFile.DeviceState.PENDING);
        if (pending && System.nanoTime() - devicesAwaitedSinceNanos < DEVICE_PATIENCE.toNanos()) {
            return;
        }
        if (pending && sizes.isPresent()) {
            fail("the node has not made the container's devices ready within " + DEVICE_PATIENCE.toSeconds() + " s: "
                    + sizes.get().toJson());
            return;
        }
        Files.deleteIfExists(files.progressFile(epoch));
        Files.createFile(files.progressFile(epoch));
        affinity.reset();
        worker = WorkerProcess.start(
                assignment.command(),
                files.environment(containerVariables, epoch, assignment, sizes),
                environment.workDir(),
                environment.logDir(),
                environment.cpuCgroup());
        state = ReportMessage.State.RUNNING;
        vcores.started(seconds(), vcoresNow());
        RunnerLog.say("start " + epoch + ": rank " + assignment.rank() + " of " + assignment.worldSize()
                + ", rank 0 at " + assignment.masterAddress() + ":" + assignment.masterPort());
    }

    private void fail(String reason) {
        RunnerLog.say(reason);
        state = ReportMessage.State.ENDED;
        finished = new FinishedMessage(environment.containerId(), epoch, 1, 0, false, -1, stopAsked, List.of(reason));
    }

    private void pass(WorkerCommand command) throws IOException {
        if (command.epoch() > lastCommand) {
            lastCommand = command.epoch();
            stopAsked |= command.command() == WorkerCommand.Command.STOP;
            AtomicFile.write(files.commandFile(epoch), command.toJson());
        }
    }

    /** Looks at the worker: progress, CPU time, its end. */
    void observe(double nowSeconds) {
        WorkerProcess current = worker;
        if (current == null) {
            return;
        }
        tail.poll(nowSeconds);
        cpu.measure(current.handle());
        vcores.looked(seconds(), vcoresNow());
        if (environment.cpuCgroup().isEmpty()) {
            affinity.apply(current.handle(), control.read());
        }
        if (current.exitCode().isPresent()) {
            tail.poll(nowSeconds);
            cpu.workerEnded();
            vcores.ended(seconds());
            worker = null;
            state = ReportMessage.State.ENDED;
            int code = current.exitCode().getAsInt();
            RunnerLog.say("start " + epoch + ": the worker ended with exit code " + code);
            finished = new FinishedMessage(
                    environment.containerId(),
                    epoch,
                    code,
                    current.ranSeconds(),
                    tail.last().isPresent(),
                    samples(),
                    stopAsked,
                    current.stderrTail());
        }
    }

    /** Whether the container has other sizes than were reported: a job that is profiled waits for them. */
    boolean hasOtherSizes() {
        return control.read().map(ResourcesFile::version).orElse(reportedVersion) != reportedVersion;
    }

    ReportMessage report(double nowSeconds) {
        Optional<ResourcesFile> sizes = control.read();
        reportedVersion = sizes.map(ResourcesFile::version).orElse(reportedVersion);
        OptionalDouble age = tail.last().isPresent()
                ? OptionalDouble.of(Math.max(0, nowSeconds - tail.last().get().ts()))
                : OptionalDouble.empty();
        return new ReportMessage(
                environment.containerId(),
                state,
                epoch,
                masterPort,
                samples(),
                tail.last().map(ProgressLine::step).orElse(0L),
                tail.batch().size(),
                tail.batch().passes(),
                age.orElse(-1),
                cpu.seconds(),
                vcores.vcoreSeconds(),
                coresPerVcore(),
                MemoryMeter.residentMiB(),
                sizes,
                control.controlled(),
                tail.checkpoint(),
                tail.answeredEpoch(),
                tail.batch().refused(),
                tail.data(),
                energy.read(Math.round(nowSeconds * 1e3)),
                problems(),
                tail.takeFresh().stream()
                        .map(line -> new ReportMessage.Reading(line.samples(), Math.max(0, nowSeconds - line.ts())))
                        .toList());
    }

    private Map<String, Long> problems() {
        Map<String, Long> problems = new HashMap<>(tail.problems());
        problems.putAll(energy.problems());
        if (hiddenSinceNanos.isPresent()) {
            problems.put(ReportMessage.CONTROL_DIRECTORY_HIDDEN, 1L);
        }
        return problems;
    }

    /** The worker's end, until the ApplicationMaster has taken it. */
    Optional<FinishedMessage> finished() {
        return finishedTaken ? Optional.empty() : Optional.ofNullable(finished);
    }

    void finishedWasTaken() {
        finishedTaken = true;
    }

    /** Another ApplicationMaster asks, who may not know of the worker's end. */
    void tellAgain() {
        finishedTaken = false;
    }

    boolean working() {
        return state == ReportMessage.State.RUNNING;
    }

    /** Ends the worker; called by the JVM's shutdown hook too. */
    void shutDown() {
        WorkerProcess current = worker;
        if (current != null && current.alive()) {
            try {
                current.stop(environment.stopGrace());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void stopWorker() throws InterruptedException {
        WorkerProcess current = worker;
        if (current != null) {
            cpu.measure(current.handle());
            current.stop(environment.stopGrace());
            cpu.workerEnded();
            vcores.ended(seconds());
            worker = null;
        }
    }

    /** One, where the node does not say. */
    private double coresPerVcore() {
        try {
            double cores = Double.parseDouble(containerVariables.getOrDefault(WorkerEnvironment.VCORE_CORES, "1"));
            return cores > 0 ? cores : 1;
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    private long vcoresNow() {
        return control.read().map(ResourcesFile::vcores).orElse(0L);
    }

    private static double seconds() {
        return System.nanoTime() / 1e9;
    }

    private long samples() {
        return tail.last().map(ProgressLine::samples).orElse(-1L);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
