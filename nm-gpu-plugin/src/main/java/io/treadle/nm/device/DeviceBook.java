// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceTag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who holds which device, and how much memory of it. A slice lies on one device; a sliced device is no whole device; no
 * device is ever over its memory; a lost one is not handed out. Methods that change the book return what the caller has
 * to tell: ids of containers whose grants have changed by it. Safe for use by several threads.
 */
public final class DeviceBook {
    private final Map<String, Shelf> shelves = new LinkedHashMap<>();
    private final Map<String, List<String>> devicesOf = new HashMap<>();
    private final Set<String> dying = new HashSet<>();

    public DeviceBook(List<GpuDevice> devices) {
        devices.forEach(d -> shelves.put(d.uuid(), new Shelf(d)));
    }

    public boolean isEmpty() {
        return shelves.isEmpty();
    }

    public synchronized boolean knows(String container) {
        return devicesOf.containsKey(container);
    }

    /**
     * Gives a container its devices: the scheduler's choice, else the node's best fit. Devices that others hold yet are
     * granted as pending. Asking again changes nothing.
     *
     * @return the grants; fewer than asked for where the node has no more devices that work
     */
    public synchronized List<Grant> grant(String container, DeviceAsk ask) {
        if (!knows(container)) {
            List<DeviceTag> tags = usableChoice(ask)
                    ? inOrder(ask.chosen())
                    : new DeviceChoice(shelves.values(), dying).choose(container, ask.gpus(), ask.sliceMiB());
            tags.forEach(tag -> add(container, tag, false));
            devicesOf.putIfAbsent(container, new ArrayList<>());
        }
        return grants(container);
    }

    /** Takes over what a container held before the NodeManager restarted. Devices that are there no more are left out. */
    public synchronized List<Grant> restore(String container, List<DeviceTag> stored) {
        if (!knows(container)) {
            stored.stream().filter(tag -> shelves.containsKey(tag.uuid())).forEach(tag -> add(container, tag, true));
            devicesOf.putIfAbsent(container, new ArrayList<>());
        }
        return grants(container);
    }

    /**
     * Follows a container's resize: a slice changes its size in place where that fits, devices that are no longer asked
     * for are given back, further ones are added.
     *
     * @return ids of all containers whose grants changed, this one among them if its own did
     */
    public synchronized Set<String> update(String container, DeviceAsk ask) {
        Map<String, List<Grant>> before = snapshot();
        List<DeviceTag> wanted = usableChoice(ask) ? inOrder(ask.chosen()) : adjusted(container, ask);
        Map<String, DeviceTag> byUuid = new LinkedHashMap<>();
        wanted.forEach(tag -> byUuid.put(tag.uuid(), tag));
        for (String uuid : List.copyOf(devicesOf.getOrDefault(container, List.of()))) {
            Shelf shelf = shelf(uuid);
            DeviceTag tag = byUuid.remove(uuid);
            Shelf.Claim claim = shelf.claimOf(container).orElseThrow();
            if (tag == null || tag.sliceMiB().isEmpty() != claim.whole) {
                shelf.remove(container);
                devicesOf.getOrDefault(container, new ArrayList<>()).remove(uuid);
                if (tag != null) {
                    byUuid.put(uuid, tag);
                }
            } else if (!claim.whole) {
                shelf.resize(claim, tag.sliceMiB().orElseThrow());
            }
        }
        byUuid.values().forEach(tag -> add(container, tag, false));
        return changed(before);
    }

    /** Notes that a container is on its way out: its devices are the first to wait for. */
    public synchronized void dying(String container) {
        if (knows(container)) {
            dying.add(container);
        }
    }

    /** @return ids of other containers whose pending devices are ready by this */
    public synchronized Set<String> release(String container) {
        Map<String, List<Grant>> before = snapshot();
        List<String> uuids = devicesOf.remove(container);
        dying.remove(container);
        if (uuids != null) {
            uuids.forEach(uuid -> shelf(uuid).remove(container));
        }
        Set<String> changed = changed(before);
        changed.remove(container);
        return changed;
    }

    /** Notes which devices are lost at present; all others answer. */
    public synchronized Set<String> lost(Set<String> uuids) {
        Map<String, List<Grant>> before = snapshot();
        for (Shelf shelf : shelves.values()) {
            shelf.lost = uuids.contains(shelf.device.uuid());
            shelf.settle();
        }
        return changed(before);
    }

    public synchronized List<Grant> grants(String container) {
        List<Grant> grants = new ArrayList<>();
        for (String uuid : devicesOf.getOrDefault(container, List.of())) {
            Shelf shelf = shelf(uuid);
            Shelf.Claim claim = shelf.claimOf(container).orElseThrow();
            Grant.State state = shelf.lost ? Grant.State.LOST : claim.held ? Grant.State.READY : Grant.State.PENDING;
            grants.add(new Grant(uuid, claim.memoryMiB, claim.whole, state));
        }
        return List.copyOf(grants);
    }

    public synchronized Set<String> containers() {
        return Set.copyOf(devicesOf.keySet());
    }

    /** Ids of the containers that hold each device; devices that none holds are left out. */
    public synchronized Map<String, List<String>> holders() {
        Map<String, List<String>> holders = new LinkedHashMap<>();
        for (Shelf shelf : shelves.values()) {
            List<String> held = shelf.claims().stream()
                    .filter(c -> c.held)
                    .map(c -> c.container)
                    .toList();
            if (!held.isEmpty()) {
                holders.put(shelf.device.uuid(), held);
            }
        }
        return holders;
    }

    public synchronized Set<String> lostDevices() {
        Set<String> lost = new TreeSet<>();
        shelves.values().stream().filter(s -> s.lost).forEach(s -> lost.add(s.device.uuid()));
        return lost;
    }

    /** True if the scheduler's choice can be followed: its devices exist, once each, are as many as the container has, and can hold what it puts there. */
    private boolean usableChoice(DeviceAsk ask) {
        Set<String> seen = new HashSet<>();
        for (DeviceTag tag : ask.chosen()) {
            Shelf shelf = shelves.get(tag.uuid());
            if (shelf == null || !seen.add(tag.uuid()) || tag.sliceMiB().orElse(0) > shelf.device.memoryMiB()) {
                return false;
            }
        }
        long whole =
                ask.chosen().stream().filter(tag -> tag.sliceMiB().isEmpty()).count();
        return !ask.chosen().isEmpty() && whole == ask.gpus();
    }

    /** Tags come from the token as a set; frameworks number the devices as they are listed. */
    private List<DeviceTag> inOrder(List<DeviceTag> tags) {
        return tags.stream()
                .sorted(Comparator.comparingInt(tag -> shelf(tag.uuid()).device.index()))
                .toList();
    }

    /** What a container holds, made larger or smaller to what it asks for now. */
    private List<DeviceTag> adjusted(String container, DeviceAsk ask) {
        List<DeviceTag> tags = new ArrayList<>();
        for (Grant grant : grants(container)) {
            if (ask.gpus() > 0 ? grant.whole() && tags.size() < ask.gpus() : !grant.whole() && ask.sliceMiB() > 0) {
                tags.add(grant.whole() ? grant.tag() : DeviceTag.slice(grant.uuid(), ask.sliceMiB()));
            }
        }
        int missing = ask.gpus() - tags.size();
        if (ask.gpus() > 0 ? missing > 0 : tags.isEmpty()) {
            tags.addAll(new DeviceChoice(shelves.values(), dying).choose(container, missing, ask.sliceMiB()));
        }
        return tags;
    }

    private void add(String container, DeviceTag tag, boolean restored) {
        Shelf shelf = shelf(tag.uuid());
        boolean whole = tag.sliceMiB().isEmpty();
        if (restored) {
            shelf.restore(container, whole, tag.sliceMiB().orElse(0));
        } else {
            shelf.add(container, whole, tag.sliceMiB().orElse(0));
        }
        devicesOf.computeIfAbsent(container, c -> new ArrayList<>()).add(tag.uuid());
    }

    private Shelf shelf(String uuid) {
        Shelf shelf = shelves.get(uuid);
        if (shelf == null) {
            throw new IllegalStateException("device " + uuid + " is not in the book; it has " + shelves.keySet());
        }
        return shelf;
    }

    private Map<String, List<Grant>> snapshot() {
        Map<String, List<Grant>> grants = new HashMap<>();
        devicesOf.keySet().forEach(container -> grants.put(container, grants(container)));
        return grants;
    }

    private Set<String> changed(Map<String, List<Grant>> before) {
        Set<String> changed = new TreeSet<>();
        devicesOf.keySet().forEach(container -> {
            if (!grants(container).equals(before.get(container))) {
                changed.add(container);
            }
        });
        return changed;
    }
}
