// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DeviceTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random histories of a book, each checked after every step; a failure names its seed. */
class DeviceBookRandomTest {
    private static final int SEEDS = 2_000;
    private static final int STEPS = 60;

    @Test
    void bookHoldsItsPromises() {
        for (long seed = 0; seed < SEEDS; seed++) {
            new History(seed).run();
        }
    }

    private static final class History {
        private final long seed;
        private final Random random;
        private final List<GpuDevice> devices = new ArrayList<>();
        private final DeviceBook book;
        private final Set<String> live = new HashSet<>();
        private final Set<String> lost = new HashSet<>();
        private int next;

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                devices.add(new GpuDevice(
                        "G" + i, i, random.nextBoolean() ? "big" : "small", 10L * (1 + random.nextInt(8)), 100));
            }
            this.book = new DeviceBook(devices);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                Map<String, List<Grant>> before = grants();
                Set<String> told = new HashSet<>();
                String self = act(told);
                check(step, before, told, self);
            }
            live.forEach(book::release);
            lost.clear();
            book.lost(lost);
            assertTrue(
                    book.holders().isEmpty() && book.containers().isEmpty(), () -> "seed " + seed + ": something left");
            int all = book.grant("last", new DeviceAsk(devices.size(), 0, List.of()))
                    .size();
            assertEquals(devices.size(), all, () -> "seed " + seed + ": devices leaked");
        }

        private String act(Set<String> told) {
            String some = live.isEmpty() ? "" : List.copyOf(live).get(random.nextInt(live.size()));
            switch (random.nextInt(some.isEmpty() ? 2 : 7)) {
                case 0 -> {
                    String id = "c" + next++;
                    live.add(id);
                    book.grant(id, ask());
                    return id;
                }
                case 1 -> {
                    String uuid = devices.get(random.nextInt(devices.size())).uuid();
                    if (!lost.remove(uuid)) {
                        lost.add(uuid);
                    }
                    told.addAll(book.lost(Set.copyOf(lost)));
                    return "";
                }
                case 2, 3 -> {
                    live.remove(some);
                    told.addAll(book.release(some));
                    return some;
                }
                case 4 -> {
                    told.addAll(book.update(some, ask()));
                    return "";
                }
                case 5 -> {
                    String id = "r" + next++;
                    live.add(id);
                    book.restore(id, tags());
                    return id;
                }
                default -> {
                    book.dying(some);
                    return "";
                }
            }
        }

        private DeviceAsk ask() {
            boolean whole = random.nextBoolean();
            return new DeviceAsk(
                    whole ? random.nextInt(3) : 0,
                    whole ? 0 : random.nextInt(50),
                    random.nextInt(3) == 0 ? tags() : List.of());
        }

        private List<DeviceTag> tags() {
            List<DeviceTag> tags = new ArrayList<>();
            for (GpuDevice device : devices) {
                if (random.nextInt(3) == 0) {
                    tags.add(
                            random.nextBoolean()
                                    ? DeviceTag.whole(device.uuid())
                                    : DeviceTag.slice(device.uuid(), 1 + random.nextInt((int) device.memoryMiB())));
                }
            }
            return tags;
        }

        private Map<String, List<Grant>> grants() {
            Map<String, List<Grant>> grants = new HashMap<>();
            live.forEach(id -> grants.put(id, book.grants(id)));
            return grants;
        }

        private void check(int step, Map<String, List<Grant>> before, Set<String> told, String self) {
            String where = "seed " + seed + ", step " + step;
            Map<String, List<Grant>> now = grants();
            for (GpuDevice device : devices) {
                List<Grant> ready = new ArrayList<>();
                now.values().forEach(list -> list.stream()
                        .filter(g -> g.uuid().equals(device.uuid()) && g.state() == Grant.State.READY)
                        .forEach(ready::add));
                long memory = ready.stream().mapToLong(Grant::memoryMiB).sum();
                assertTrue(memory <= device.memoryMiB(), where + ": " + device + " over its memory: " + ready);
                assertTrue(
                        ready.size() <= 1 || ready.stream().noneMatch(Grant::whole),
                        where + ": whole device shared: " + ready);
                assertTrue(
                        ready.isEmpty() || !lost.contains(device.uuid()), where + ": lost device handed out: " + ready);
            }
            now.forEach((id, grants) -> {
                assertEquals(
                        grants.size(),
                        grants.stream().map(Grant::uuid).distinct().count(),
                        where + ": " + id + " holds a device twice");
                if (!grants.equals(before.get(id)) && !id.equals(self)) {
                    assertTrue(told.contains(id), where + ": nobody told of the change of " + id);
                }
            });
        }
    }
}
