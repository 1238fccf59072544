// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Weights that have to be in a GPU's memory while a task runs with them.
 *
 * @param id from 0, unique in a service
 * @param name for people
 * @param kb what it takes of a GPU's memory, above 0
 */
public record Model(int id, String name, double kb) {
    public Model {
        checkArgument(id >= 0, "model '%s' has the id %s, must be 0 or above", name, id);
        checkArgument(
                kb > 0 && Double.isFinite(kb), "model '%s' takes %s kB, must be a finite number above 0", name, kb);
    }
}
