// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import java.nio.file.Path;
import java.util.Map;

/**
 * A card whose memory another process takes of as well. Its models are real ones; each has a piece of the memory, and needs
 * one more while it runs.
 */
public final class CrowdedCard implements ModelRuntime {
    private final ModelRuntime runtime;
    private int free;

    public CrowdedCard(ModelRuntime runtime, int pieces) {
        this.runtime = runtime;
        free = pieces;
    }

    /** What is free goes to another process. */
    public synchronized void fill() {
        free = 0;
    }

    /** The other process lets go. */
    public synchronized void give(int pieces) {
        free += pieces;
    }

    private synchronized void take(String model) throws NoMemoryException {
        if (free == 0) {
            throw new NoMemoryException("model '" + model + "': out of memory");
        }
        free--;
    }

    @Override
    public LoadedModel load(String name, Path file) throws ModelException {
        take(name);
        LoadedModel model = runtime.load(name, file);
        return new ForwardedModel(model) {
            @Override
            public Map<String, Tensor> run(Map<String, Tensor> inputs) throws ModelException {
                take(name);
                try {
                    return super.run(inputs);
                } finally {
                    give(1);
                }
            }

            @Override
            public void close() {
                super.close();
                give(1);
            }
        };
    }
}
