// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import java.nio.file.Path;

/** What runs models. */
public interface ModelRuntime {
    /**
     * @param name for messages
     * @throws ModelException if there is no such file, or it is no model that this runs; a {@link NoMemoryException} if there
     *     is no room for it
     */
    LoadedModel load(String name, Path file) throws ModelException;
}
