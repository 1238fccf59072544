// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.wire.Message.Measured;
import io.treadle.am.query.wire.Message.ModelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What models are and take, found out by loading each once: its memory is by how much the process has grown meanwhile, and at
 * least what its file has, since memory that an earlier model gave back is taken again without growth.
 */
final class ModelMeter {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final double KIB_IN_KB = 1.024;
    private static final double BYTES_A_KB = 1000;
    private static final double NANOS_A_MS = 1e6;

    private final ModelRuntime runtime;

    ModelMeter(ModelRuntime runtime) {
        this.runtime = runtime;
    }

    Measured measure(ModelFile model) {
        Path file = Path.of(model.path());
        double before = residentKb();
        long began = System.nanoTime();
        try (LoadedModel loaded = runtime.load(model.name(), file)) {
            double ms = (System.nanoTime() - began) / NANOS_A_MS;
            // Where to find it is the runtime's affair: it need not be a file here.
            double fileKb = Files.exists(file) ? Files.size(file) / BYTES_A_KB : 0;
            double kb = Math.max(residentKb() - before, fileKb);
            return new Measured(model.id(), "", kb, ms, runtime.gpuMiB(), loaded.inputs(), loaded.outputs());
        } catch (ModelException e) {
            return failed(model, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException | LinkageError e) {
            return failed(model, "model '" + model.name() + "' cannot be loaded: " + e);
        }
    }

    private static Measured failed(ModelFile model, String why) {
        return new Measured(model.id(), why, 0, 0, 0, List.of(), List.of());
    }

    /** Of this process, kB; 0 where the system does not tell. */
    private static double residentKb() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(RESIDENT)) {
                    String kib =
                            line.substring(RESIDENT.length()).replace("kB", "").strip();
                    return Double.parseDouble(kib) * KIB_IN_KB;
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Then files' sizes have to do.
            return 0;
        }
        return 0;
    }
}
