// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which of several processes does what, by files that only one of them can make.
 *
 * @param directory where they lie; shared by the processes, and by them alone
 */
public record Claims(Path directory) {
    /**
     * @return whether it is the caller's now; false where another has it
     * @throws InputException if the directory cannot be written to
     */
    boolean take(String name) {
        try {
            Files.createDirectories(directory);
            Files.createFile(directory.resolve(name));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }
}
