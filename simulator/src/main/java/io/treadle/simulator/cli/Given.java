// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;

/**
 * The value of an option.
 *
 * @param where file and line where it stands; empty on the command line
 */
record Given(String text, String where) {
    /** The same failure, with the place of this value. */
    InputException located(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        return new InputException(where.isEmpty() ? message : where + ": " + message, failure);
    }
}
