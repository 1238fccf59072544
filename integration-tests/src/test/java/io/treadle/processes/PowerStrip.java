// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A command that ends and starts NodeManagers as if it switched their machines, and keeps what it was called with. */
final class PowerStrip {
    private final Path directory;

    PowerStrip(Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(
                command(),
                """
                #!/bin/sh
                cd %s
                echo "$1 $2" >> calls
                if [ -e refuses-$1 ]; then echo no such machine; exit 3; fi
                while [ ! -e $1-$2 ]; do sleep 0.1; done
                exec sh ./$1-$2
                """
                        .formatted(directory));
        Files.setPosixFilePermissions(command(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path command() {
        return directory.resolve("switch");
    }

    /** The host's NodeManager, which runs now. */
    void plug(String host, JavaProcess manager) throws IOException {
        Files.writeString(pidFile(host), manager.pid() + "\n");
        Files.writeString(directory.resolve("off-" + host), "kill -9 $(cat pid-" + host + ") 2>/dev/null\nexit 0\n");
        Files.writeString(
                directory.resolve("on-" + host),
                "kill -9 $(cat '" + pidFile(host) + "') 2>/dev/null\n" + manager.inShell() + "\necho $! > '"
                        + pidFile(host) + "'\n");
    }

    private Path pidFile(String host) {
        return directory.resolve("pid-" + host);
    }

    long pid(String host) throws IOException {
        return Long.parseLong(Files.readString(pidFile(host)).trim());
    }

    /** From now on it cannot switch off. */
    void refuseOff() throws IOException {
        Files.createFile(directory.resolve("refuses-off"));
    }

    /** Such as {@code off n1}, in the order of the calls. */
    List<String> calls() throws IOException {
        Path calls = directory.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }
}
