// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import java.nio.file.Path;

/** What runs models. */
public interface ModelRuntime {
    /** Memory of the GPU that it has all of, MiB; 0 where it has none, or a part of one. */
    default long gpuMiB() {
        return 0;
    }

    /**
     * @param name for messages
     * @throws ModelException if there is no such file, or it is no model that this runs; a {@link NoMemoryException} if there
     *     is no room for it
     */
    LoadedModel load(String name, Path file) throws ModelException;
}
