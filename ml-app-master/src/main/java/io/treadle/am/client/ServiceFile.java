// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpec.Profiling;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import io.treadle.am.spec.ServiceSpec.Workers;
import io.treadle.am.spec.ServiceSpecParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A service as its user wrote it.
 *
 * @param directory of the file, where relative paths of models begin
 * @param text of the file
 */
record ServiceFile(ServiceSpec spec, Path directory, String text) {
    private static final String GROUP = "worker";

    /** @throws ClientException if the file cannot be read, {@link io.treadle.am.spec.JobSpecException} if it is wrong */
    static ServiceFile read(Path file) {
        String text = JobFile.text("service file", file);
        return new ServiceFile(
                ServiceSpecParser.fromYaml(file.toString(), text),
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/")),
                text);
    }

    /** Where a model is, seen from anywhere. */
    String path(ModelSpec model) {
        boolean isLocal = !model.file().contains(":/");
        return isLocal ? directory.resolve(model.file()).toString() : model.file();
    }

    /** Its containers and their files: as many as it has at least have to fit into the cluster. */
    JobSpec containers(ClientConf settings) {
        Workers workers = spec.workers();
        List<FileSpec> files = new ArrayList<>();
        files.add(new FileSpec(onnxJar(settings).toString(), ServiceProtocol.ONNX_JAR));
        for (ModelSpec model : spec.models()) {
            files.add(new FileSpec(path(model), model.link()));
        }
        return new JobSpec(
                spec.name(),
                spec.queue(),
                "",
                0,
                0,
                workers.min() < workers.max(),
                0,
                0,
                spec.maxAmAttempts(),
                Map.of(),
                files,
                List.of(),
                Optional.empty(),
                spec.appMaster(),
                new Profiling(false, 1),
                List.of(new TaskGroup(
                        GROUP,
                        workers.max(),
                        workers.min(),
                        workers.gpusPerWorker(),
                        workers.gpuMemoryMiB(),
                        List.of(),
                        workers.vcores(),
                        workers.memoryMiB(),
                        0,
                        0,
                        "serve",
                        Map.of())));
    }

    private static Path onnxJar(ClientConf settings) {
        Path beside = AmJar.find(settings).toAbsolutePath().resolveSibling(ServiceProtocol.ONNX_JAR);
        Path jar = settings.onnxJar().isEmpty() ? beside : Path.of(settings.onnxJar());
        if (!Files.isRegularFile(jar)) {
            throw new ClientException("there is no " + jar + ", from which workers run models.\nMaybe set "
                    + ClientConf.ONNX_JAR + " to the path of " + ServiceProtocol.ONNX_JAR + " on this host.");
        }
        return jar;
    }
}
