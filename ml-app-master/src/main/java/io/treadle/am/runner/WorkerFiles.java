// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.framework.ServerVariables;
import io.treadle.am.framework.TensorFlowVariables;
import io.treadle.am.framework.TorchVariables;
import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.core.wire.DeviceVendor;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerEnvironment;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files and variables that a worker finds, fresh for each start. */
final class WorkerFiles {
    private static final List<String> HELPERS = List.of("treadle_worker.py", "treadle_cache.py", "treadle_batches.py");

    private final Path workDir;
    private final Path controlDir;
    private final Optional<Path> python;

    private WorkerFiles(Path workDir, Path controlDir, Optional<Path> python) {
        this.workDir = workDir;
        this.controlDir = controlDir;
        this.python = python;
    }

    /** Unpacks the Python helpers; a jar without them only means that workers cannot import them. */
    static WorkerFiles in(Path workDir, Path controlDir) throws IOException {
        Path directory = workDir.resolve("treadle-python");
        for (String name : HELPERS) {
            try (InputStream helper = WorkerFiles.class.getClassLoader().getResourceAsStream(name)) {
                if (helper == null) {
                    return new WorkerFiles(workDir, controlDir, Optional.empty());
                }
                Files.createDirectories(directory);
                Files.copy(helper, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return new WorkerFiles(workDir, controlDir, Optional.of(directory));
    }

    Path progressFile(int epoch) {
        return workDir.resolve("treadle-progress-" + epoch + ".jsonl");
    }

    Path commandFile(int epoch) {
        return workDir.resolve("treadle-command-" + epoch + ".json");
    }

    Path memoryFile() {
        return workDir.resolve("treadle-memory.json");
    }

    /** The user's variables win over the container's, Treadle's over both. */
    Map<String, String> environment(
            Map<String, String> container, int epoch, Assignment assignment, Optional<ResourcesFile> sizes) {
        Map<String, String> variables = new LinkedHashMap<>(container);
        variables.remove(RunnerProtocol.ENV_AM_ADDRESS);
        variables.putAll(assignment.environment());
        variables.putAll(TorchVariables.of(assignment));
        variables.putAll(TensorFlowVariables.of(assignment));
        variables.putAll(ServerVariables.of(assignment));
        variables.put("TREADLE_GROUP", assignment.group());
        variables.put(WorkerEnvironment.CONTROL_DIR, controlDir.toString());
        variables.put(WorkerEnvironment.PROGRESS_FILE, progressFile(epoch).toString());
        variables.put(WorkerEnvironment.COMMAND_FILE, commandFile(epoch).toString());
        variables.put(WorkerEnvironment.MEMORY_FILE, memoryFile().toString());
        variables.put(WorkerEnvironment.CHECKPOINT_DIR, assignment.checkpointDir());
        if (assignment.joinedAfter() >= 0) {
            variables.put(WorkerEnvironment.JOINED_AFTER, Long.toString(assignment.joinedAfter()));
        }
        List<ResourcesFile.Device> devices = sizes.map(ResourcesFile::devices).orElse(List.of());
        DeviceVendor vendor = DeviceVendor.of(container);
        if (!devices.isEmpty()) {
            variables.putAll(vendor.visible(devices.stream()
                    .filter(d -> d.state() == ResourcesFile.DeviceState.READY)
                    .map(ResourcesFile.Device::uuid)
                    .toList()));
        } else {
            // The node may name variables that the reader of job files does not know to be its own.
            vendor.variables().stream()
                    .filter(container::containsKey)
                    .forEach(name -> variables.put(name, container.getOrDefault(name, "")));
        }
        python.ifPresent(directory -> variables.merge(
                "PYTHONPATH", directory.toString(), (users, ours) -> ours + File.pathSeparator + users));
        return variables;
    }
}
