// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.util.function.Consumer;

/** A file of rows whose values have names. */
public interface Rows {
    /**
     * Reads all rows in their order.
     *
     * @throws InputException if the file cannot be read, or from the consumer
     */
    void forEach(Consumer<Row> consumer);
}
