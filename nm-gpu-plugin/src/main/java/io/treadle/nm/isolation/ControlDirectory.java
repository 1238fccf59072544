// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.ResourcesFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code <base>/<container id>/resources.json} as the containers' sizes change, and {@code energy.json} beside it as
 * their GPUs spend energy (specs: {@code docs/spec/resources-json.md}, {@code docs/spec/energy-json.md}). Directories are 0755 and files 0644: the NodeManager writes, every container's user
 * reads. Used by one thread.
 */
public final class ControlDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(ControlDirectory.class);
    private static final String CONTAINER_PREFIX = "container_";

    private final Path base;
    private final Map<String, String> written = new HashMap<>();
    private final Map<String, EnergyFile> energies = new HashMap<>();

    public ControlDirectory(Path base) {
        this.base = base;
    }

    /** The directory of one container, whether or not it is there yet. */
    public Path of(String container) {
        return base.resolve(container);
    }

    /**
     * Makes the container's directory before it is launched: YARN mounts only what is there. Callable from any thread.
     */
    public void make(String container) {
        try {
            makeDirectory(of(container));
        } catch (IOException e) {
            LOG.error("cannot make {}: {}.\nMaybe the disk is full or read-only", of(container), e.toString());
        }
    }

    private void makeDirectory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Replaces the container's file by one rename, so that readers see the old text or the new, never a part. */
    public void write(String container, ResourcesFile resources) {
        written.put(container, resources.toJson());
        put(container, ResourcesFile.NAME, resources.toJson());
    }

    /** The same of the energy; nothing where it says what is there already, or the container has no directory here. */
    public void write(String container, EnergyFile energy) {
        EnergyFile before = energies.get(container);
        if (written.containsKey(container) && (before == null || !energy.saysWhat(before))) {
            energies.put(container, energy);
            put(container, EnergyFile.NAME, energy.toJson());
        }
    }

    /** Writes every file again that somebody has removed. */
    public void mend() {
        written.forEach((container, json) -> {
            if (!Files.exists(of(container).resolve(ResourcesFile.NAME))) {
                LOG.warn("{} of {} is gone; writing it again", ResourcesFile.NAME, container);
                put(container, ResourcesFile.NAME, json);
            }
        });
    }

    /** Removes a container's directory. */
    public void delete(String container) {
        written.remove(container);
        energies.remove(container);
        Path directory = of(container);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            // Never written, or removed by somebody: nothing to do.
        } catch (IOException e) {
            LOG.warn("cannot remove control directory {}", directory, e);
        }
    }

    /**
     * Removes directories of containers that ended while the NodeManager was not running.
     *
     * @return ids of those containers
     */
    public Set<String> sweep(Set<String> live) {
        Set<String> swept = new TreeSet<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, CONTAINER_PREFIX + "*")) {
            for (Path directory : directories) {
                String container = String.valueOf(directory.getFileName());
                if (!live.contains(container)) {
                    delete(container);
                    swept.add(container);
                }
            }
        } catch (NoSuchFileException e) {
            // No container has run here yet.
        } catch (IOException e) {
            LOG.warn("cannot list control directories in {}", base, e);
        }
        return swept;
    }

    private void put(String container, String name, String json) {
        Path directory = of(container);
        try {
            makeDirectory(directory);
            Path temporary = directory.resolve("." + name + ".tmp");
            Files.writeString(temporary, json + "\n");
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(
                    temporary,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.error(
                    "cannot write {} in {}: {}.\nMaybe the disk is full or read-only; the worker keeps what it read last",
                    name,
                    directory,
                    e.toString());
        }
    }
}
