// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ResourcesFile;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.Grant;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.UpdateContainerTokenEvent;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/**
 * Callbacks with broken states, in an order that a seed gives: each must return, and the device book must stay true. An
 * exception out of a callback would end the NodeManager.
 */
class ListenerFuzzTest {
    private static final int STEPS = 400;
    private static final int CONTAINERS = 12;
    private static final Map<String, Long> MEMORY_OF_MODELS = Map.of("0", 40960L, "1", 40960L, "2", 15360L);

    private final Path directory;

    ListenerFuzzTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyCallbackReturnsAndTheBookStaysTrue(long seed) throws IOException {
        try (Run run = new Run(seed)) {
            for (int step = 0; step < STEPS; step++) {
                String done = run.step();
                run.assertBookIsTrue("seed " + seed + ", step " + step + ": " + done);
            }
            run.endAll();
            assertEquals(Set.of(), run.book().containers(), "seed " + seed);
            assertEquals(Map.of(), run.book().holders(), "seed " + seed);
        }
    }

    /** A state store on a disk that is full every now and then. */
    private static final class FullStore extends NMNullStateStoreService {
        private final Random random;

        FullStore(Random random) {
            this.random = random;
        }

        @Override
        public void storeAssignedResources(Container container, String resourceType, List<Serializable> resources)
                throws IOException {
            failSometimes();
        }

        @Override
        public void releaseAssignedResources(ContainerId containerId, String resourceType) throws IOException {
            failSometimes();
        }

        private void failSometimes() throws IOException {
            switch (random.nextInt(6)) {
                case 0 -> throw new IOException("No space left on device");
                case 1 -> throw new IllegalStateException("the store is closed");
                default -> {}
            }
        }
    }

    /** One NodeManager with three devices, and what is done to it. */
    private final class Run implements AutoCloseable {
        private final Random random;
        private final Path control;
        private final NodeFixture node;
        private final List<ContainerImpl> containers = new ArrayList<>();
        private String hash = "";

        Run(long seed) {
            this.random = new Random(seed);
            this.control = directory.resolve("control");
            this.node = new NodeFixture(
                            NodeFixture.simulated(directory, "2xA100-SXM4-40GB:40960:400,1xT4:15360:70"),
                            new FullStore(random),
                            control)
                    .listening(4006);
            for (int number = 1; number <= CONTAINERS; number++) {
                containers.add(node.create(token(number, 0)));
            }
        }

        String step() throws IOException {
            ContainerImpl container = containers.get(random.nextInt(CONTAINERS));
            int choice = random.nextInt(14);
            switch (choice) {
                case 0, 1, 2 -> node.init(container);
                case 3 -> node.launched(container);
                case 4, 5 -> node.resize(container, token(number(container), random.nextInt(5)));
                case 6 -> node.kill(container);
                case 7 -> node.killed(container);
                case 8 -> node.exit(container, random.nextInt(2));
                case 9 -> node.cleanedUp(container);
                case 10 -> renew(container);
                case 11 -> anyCallback(container, container.getContainerId());
                case 12 -> breakFiles(container);
                default -> anyCallback(half(), container.getContainerId());
            }
            if (choice == 10 || random.nextInt(20) == 0) {
                agent().reconcile();
            }
            if (random.nextInt(10) == 0) {
                agent().lost(random.nextBoolean() ? Set.of() : Set.of(uuid(random.nextInt(3)), "GPU-foreign"));
            }
            return "choice " + choice + " on " + container.getContainerId() + " " + container.getContainerState();
        }

        /** A container that has gone from the NodeManager's map without an end, and another with its id. */
        private void renew(ContainerImpl container) {
            node.context.getContainers().remove(container.getContainerId());
            containers.set(containers.indexOf(container), node.create(token(number(container), 0)));
        }

        /** Any transition that can be told to a listener, whether or not it can happen. */
        private void anyCallback(ContainerImpl container, ContainerId id) {
            ContainerState[] states = ContainerState.values();
            ContainerState before = states[random.nextInt(states.length)];
            ContainerState after = states[random.nextInt(states.length)];
            ContainerEventType[] types = ContainerEventType.values();
            ContainerEvent event = random.nextInt(4) == 0
                    ? new UpdateContainerTokenEvent(id, token(1, 1), true, true, false)
                    : new ContainerEvent(id, types[random.nextInt(types.length)]);
            node.listener.preTransition(container, before, event);
            node.listener.postTransition(container, before, after, event);
        }

        /** A container of which some parts are missing. */
        private ContainerImpl half() {
            ContainerImpl half = Mockito.mock(ContainerImpl.class);
            switch (random.nextInt(4)) {
                case 0 -> {} // Everything is null.
                case 1 -> Mockito.when(half.getContainerId()).thenThrow(new IllegalStateException("no id"));
                case 2 ->
                    Mockito.when(half.getContainerId())
                            .thenReturn(containers.get(0).getContainerId());
                default -> {
                    ContainerTokenIdentifier token = Mockito.mock(ContainerTokenIdentifier.class);
                    Mockito.when(token.getResource())
                            .thenReturn(random.nextBoolean() ? null : Resource.newInstance(1, 1));
                    Mockito.when(half.getContainerId())
                            .thenReturn(containers.get(1).getContainerId());
                    Mockito.when(half.getContainerTokenIdentifier()).thenReturn(token);
                }
            }
            return half;
        }

        /** The control directory is a file, or the disk under a container's file is full, or all is well again. */
        private void breakFiles(ContainerImpl container) throws IOException {
            switch (random.nextInt(3)) {
                case 0 -> {
                    FileUtil.fullyDelete(control.toFile());
                    try {
                        Files.writeString(control, "a file where the directory should be");
                    } catch (FileSystemException e) {
                        // The plugin was quicker and has made the directory again.
                    }
                }
                case 1 -> {
                    Path own = control.resolve(container.getContainerId().toString());
                    if (Files.isDirectory(own)) {
                        try {
                            // Every write there ends with ENOSPC, as on a full disk.
                            Files.createSymbolicLink(
                                    own.resolve("." + ResourcesFile.NAME + ".tmp"), Path.of("/dev/full"));
                        } catch (FileSystemException e) {
                            // The plugin is just writing there, or has removed the directory.
                        }
                    }
                }
                default -> {
                    if (Files.isRegularFile(control)) {
                        Files.delete(control);
                    }
                }
            }
        }

        private ContainerTokenIdentifier token(int number, int version) {
            Map<String, Long> types = new HashMap<>();
            switch (random.nextInt(5)) {
                case 0 -> types.put("yarn.io/gpu", 1L + random.nextInt(3));
                case 1 -> types.put("yarn.io/gpu", Long.MAX_VALUE);
                case 2 -> types.put("treadle.io/gpu-memory", 1L + random.nextInt(50_000));
                case 3 -> types.put("treadle.io/gpu-memory", Long.MAX_VALUE);
                default -> {}
            }
            return NodeFixture.tokenWithTags(number, version, NodeFixture.resource(1, types), tags());
        }

        private Set<String> tags() {
            String own = uuid(random.nextInt(3));
            return switch (random.nextInt(16)) {
                case 0 -> Set.of("treadle.dev.");
                case 1 -> Set.of("treadle.dev..all");
                case 2 -> Set.of("treadle.dev." + own);
                case 3 -> Set.of("treadle.dev." + own + ".-1");
                case 4 -> Set.of("treadle.dev." + own + ".99999999999999999999");
                case 5 -> Set.of("treadle.dev.GPU-foreign.all");
                case 6 -> Set.of("treadle.dev." + own + ".41000");
                case 7 -> Set.of("treadle.dev." + own + ".all", "treadle.dev." + own + ".100");
                case 8 -> Set.of("treadle.dev." + own + ".all", "treadle.dev.");
                case 9 -> Set.of("treadle.dev." + own + ".0");
                case 10, 11 -> Set.of("treadle.dev." + own + ".all");
                case 12 -> Set.of("treadle.dev." + own + "." + (1 + random.nextInt(15_000)));
                default -> Set.of();
            };
        }

        private String uuid(int index) {
            if (hash.isEmpty()) {
                hash = com.google.common.hash.Hashing.sha256()
                        .hashString("n1", java.nio.charset.StandardCharsets.UTF_8)
                        .toString()
                        .substring(0, 8);
            }
            return "GPU-sim-" + hash + "-" + index;
        }

        private static int number(Container container) {
            return (int) container.getContainerId().getContainerId();
        }

        private ContainerAgent agent() {
            return Objects.requireNonNull(node.listener.plugin()).agent();
        }

        DeviceBook book() {
            return agent().book();
        }

        /** No device is held for more than it has, and one that is held whole is held once. */
        void assertBookIsTrue(String when) {
            book().holders().forEach((uuid, holders) -> {
                List<Grant> held = holders.stream()
                        .flatMap(holder -> book().grants(holder).stream())
                        .filter(grant -> grant.uuid().equals(uuid))
                        .toList();
                long memory = Objects.requireNonNull(MEMORY_OF_MODELS.get(uuid.substring(uuid.length() - 1)), uuid);
                assertTrue(held.stream().mapToLong(Grant::memoryMiB).sum() <= memory, () -> when + ": " + held);
                assertTrue(held.stream().noneMatch(Grant::whole) || held.size() == 1, () -> when + ": " + held);
                assertTrue(
                        held.stream().allMatch(grant -> grant.memoryMiB() > 0 && grant.memoryMiB() <= memory),
                        () -> when + ": " + held);
            });
        }

        /** Every container goes from the NodeManager's map, with or without an end. */
        void endAll() {
            node.context.getContainers().clear();
            agent().reconcile();
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
