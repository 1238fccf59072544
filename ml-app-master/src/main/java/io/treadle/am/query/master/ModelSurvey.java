// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Message.Measured;
import io.treadle.am.query.wire.Message.ModelFile;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds out what a service's models are and take. */
final class ModelSurvey {
    private static final double KB_A_MIB = 1048.576;

    private ModelSurvey() {}

    /** @param facts of each model, in the specification's order; empty where nothing is known */
    static List<ModelFile> files(ServiceSpec spec, List<ModelFacts> facts) {
        List<ModelFile> files = new ArrayList<>();
        for (ModelSpec model : spec.models()) {
            double kb = facts.isEmpty() ? 0 : facts.get(files.size()).kb();
            files.add(new ModelFile(files.size(), model.name(), kb, model.link()));
        }
        return files;
    }

    /**
     * Has a worker load them.
     *
     * @throws IOException if the worker does not answer
     * @throws UnfitWorkerException if it cannot load one of them
     */
    static List<ModelFacts> of(ServiceSpec spec, WorkerLinks links, String host, int port) throws IOException {
        List<ModelFacts> facts = new ArrayList<>();
        for (Measured measured : links.measure(host, port, files(spec, List.of()))) {
            ModelSpec model = spec.models().get(facts.size());
            if (!measured.failure().isEmpty()) {
                throw new UnfitWorkerException(measured.failure());
            }
            double kb = model.memoryMiB().isPresent() ? model.memoryMiB().getAsLong() * KB_A_MIB : measured.kb();
            facts.add(new ModelFacts(
                    model.name(), kb, measured.ms(), measured.gpuMiB(), measured.inputs(), measured.outputs()));
        }
        return facts;
    }
}
