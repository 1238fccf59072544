// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Models that have been written, and the workflows that are made of them.
 *
 * @param directory where they are
 * @param mix the workflows, and how often each is asked
 */
public record DemoModels(Path directory, List<ModelFile> files, List<WorkflowMix> mix) {
    public DemoModels {
        files = List.copyOf(files);
        mix = List.copyOf(mix);
    }

    /**
     * Writes {@code service-POLICY.yaml} beside the models.
     *
     * @return that file
     */
    public Path service(ServiceShape shape) {
        Path file = directory.resolve("service-" + shape.policy() + ".yaml");
        try {
            return Files.writeString(file, ServiceText.of(files, shape));
        } catch (IOException e) {
            throw new DemoException(file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
