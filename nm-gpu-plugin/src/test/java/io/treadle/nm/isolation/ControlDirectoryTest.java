// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.ResourcesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlDirectoryTest {
    private static final String C1 = "container_1_0001_01_000001";
    private static final String C2 = "container_1_0001_01_000002";

    private final Path base;
    private final ControlDirectory control;

    ControlDirectoryTest(@TempDir Path directory) {
        this.base = directory.resolve("control");
        this.control = new ControlDirectory(base);
    }

    @Test
    void writesAndReplaces() throws IOException {
        control.write(C1, resources(1, 2));
        control.write(C1, resources(2, 6));
        assertEquals(resources(2, 6), ResourcesFile.fromJson(Files.readString(file(C1))));
        assertEquals("rwxr-xr-x", mode(control.of(C1)));
        assertEquals("rw-r--r--", mode(file(C1)));
        try (var files = Files.list(control.of(C1))) {
            assertEquals(List.of(file(C1)), files.toList());
        }
    }

    @Test
    void removedFileIsWrittenAgain() throws IOException {
        control.write(C1, resources(1, 2));
        Files.delete(file(C1));
        Files.delete(control.of(C1));
        control.mend();
        assertEquals(resources(1, 2), ResourcesFile.fromJson(Files.readString(file(C1))));
    }

    @Test
    void deletedWithItsContainer() {
        control.write(C1, resources(1, 2));
        control.delete(C1);
        control.delete(C2);
        control.mend();
        assertFalse(Files.exists(control.of(C1)));
    }

    @Test
    void sweepTakesOnlyContainersThatAreGone() throws IOException {
        control.write(C1, resources(1, 2));
        control.write(C2, resources(1, 2));
        Files.createDirectory(base.resolve("other"));
        assertEquals(Set.of(C1), new ControlDirectory(base).sweep(Set.of(C2)));
        assertFalse(Files.exists(file(C1)));
        assertTrue(Files.exists(file(C2)));
        assertTrue(Files.exists(base.resolve("other")));
    }

    @Test
    void energyLiesBesideTheSizesAndIsWrittenWhenItChanges() throws IOException {
        Path file = control.of(C1).resolve(EnergyFile.NAME);
        control.write(C1, new EnergyFile(1, 100, 1, 250, 100, 400));
        assertFalse(Files.exists(file), "of a container that is not here");
        control.write(C1, resources(1, 2));
        control.write(C1, new EnergyFile(2, 100, 1, 250, 100, 400));
        control.write(C1, new EnergyFile(3, 100, 1, 250, 100, 400));
        assertEquals(2, EnergyFile.fromJson(Files.readString(file)).atMs(), "nothing but the time has changed");
        control.write(C1, new EnergyFile(4, 101, 1, 250, 100, 400));
        assertEquals(new EnergyFile(4, 101, 1, 250, 100, 400), EnergyFile.fromJson(Files.readString(file)));
        assertEquals("rw-r--r--", mode(file));
        control.delete(C1);
        assertFalse(Files.exists(control.of(C1)));
    }

    @Test
    void unwritableBaseIsNoFailure() throws IOException {
        Files.writeString(base, "a file where the directory should be");
        control.write(C1, resources(1, 2));
        assertFalse(Files.exists(file(C1)));
    }

    private Path file(String container) {
        return control.of(container).resolve(ResourcesFile.NAME);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static ResourcesFile resources(int version, long vcores) {
        return new ResourcesFile(version, vcores, null, 1024, 0, 0, 0, List.of());
    }
}
