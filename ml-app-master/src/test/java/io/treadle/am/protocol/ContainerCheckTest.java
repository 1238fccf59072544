// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerCheckTest {
    private static final Map<String, String> DOCKER =
            Map.of("TREADLE_CONTAINER_RUNTIME", "docker", "TREADLE_CONTAINER_IMAGE", "train:1");
    private static final Map<String, String> RUNC =
            Map.of("TREADLE_CONTAINER_RUNTIME", "runc", "TREADLE_CONTAINER_IMAGE", "train:1");

    private final Path root;

    ContainerCheckTest(@TempDir Path root) {
        this.root = root;
    }

    @Test
    void plainProcessNeedsNoImage() {
        assertEquals(Optional.empty(), ContainerCheck.missing(Map.of(), root));
    }

    @Test
    void workerOnTheHostIsFoundOut() {
        String said = ContainerCheck.missing(DOCKER, root).orElseThrow();
        assertTrue(said.startsWith("the job asks for the image train:1 by the container runtime docker, but"), said);
        assertTrue(said.contains("\nMaybe "), said);
    }

    @Test
    void dockerIsKnownByItsMark() throws IOException {
        Files.createFile(root.resolve(".dockerenv"));
        assertEquals(Optional.empty(), ContainerCheck.missing(DOCKER, root));
    }

    @Test
    void podmanInDockersPlaceIsKnownToo() throws IOException {
        Files.createFile(Files.createDirectories(root.resolve("run")).resolve(".containerenv"));
        assertEquals(Optional.empty(), ContainerCheck.missing(DOCKER, root));
    }

    /** A node that itself runs in a container has Docker's mark, too. */
    @Test
    void nodeThatIgnoresImagesIsBelieved() throws IOException {
        Files.createFile(root.resolve(".dockerenv"));
        for (Map<String, String> asked : List.of(DOCKER, RUNC)) {
            Map<String, String> ignored = new HashMap<>(asked);
            ignored.put("TREADLE_IMAGE_IGNORED", "true");
            assertTrue(ContainerCheck.missing(ignored, root).isPresent());
        }
        assertEquals(Optional.empty(), ContainerCheck.missing(RUNC, root));
    }
}
