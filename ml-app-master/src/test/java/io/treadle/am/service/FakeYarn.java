// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.master.UnfitWorkerException;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.LostContainer;
import io.treadle.am.yarn.NmGateway;
import io.treadle.am.yarn.RmGateway;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/** A cluster that a test plays, and its clock. */
final class FakeYarn implements RmGateway, NmGateway, Linker {
    /** A worker as its master has it. */
    static final class FakeLink implements Link {
        boolean isConnected = true;
        boolean isBusy;
        boolean isRetired;
        boolean isClosed;
        boolean isFit = true;

        @Override
        public boolean isConnected() {
            return isConnected;
        }

        @Override
        public boolean isFit() {
            return isFit;
        }

        @Override
        public void retire() {
            isRetired = true;
        }

        @Override
        public boolean isIdle() {
            return !isBusy;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** Those that the fleet has, with their links once they have some. */
    final Map<String, FakeLink> links = new LinkedHashMap<>();

    final List<String> containers = new ArrayList<>();
    final List<String> started = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    boolean answers = true;
    /** What is wrong with each worker. */
    String unfit = "";

    int asked;
    long nowMs;
    private int next = 1;

    GrantedContainer fresh() {
        GrantedContainer container = new GrantedContainer("c" + next++, "n1", "n1:8042", 1, 1, 1024, 0);
        containers.add(container.id());
        return container;
    }

    /** The ResourceManager gives what is asked for. */
    void grant(Fleet fleet, int count) {
        List<GrantedContainer> granted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            granted.add(fresh());
        }
        asked -= count;
        fleet.onGranted(granted);
    }

    void lose(Fleet fleet, String container, boolean isBlameless) {
        containers.remove(container);
        fleet.onLost(List.of(new LostContainer(container, 1, isBlameless, "killed")));
    }

    void preempt(Fleet fleet, String container) {
        containers.remove(container);
        fleet.onLost(List.of(new LostContainer(container, ContainerExitStatus.PREEMPTED, true, "preempted")));
    }

    /** Each worker that has been started says where it listens, by its container's name. */
    void registerAll(Fleet fleet) {
        started.stream()
                .filter(containers::contains)
                .filter(id -> !links.containsKey(id))
                .toList()
                .forEach(id -> assertTrue(fleet.registered(id, id, 1)));
    }

    FakeLink link(String container) {
        FakeLink link = links.get(container);
        if (link == null) {
            throw new IllegalStateException(container + " was never connected");
        }
        return link;
    }

    @Override
    public void ask(int group, int count) {
        asked += count;
    }

    @Override
    public void askNoMore() {
        asked = 0;
    }

    @Override
    public void release(String containerId) {
        assertTrue(containers.remove(containerId), () -> containerId + " is not there to be released");
        released.add(containerId);
    }

    @Override
    public boolean hears() {
        return true;
    }

    @Override
    public Optional<String> refusal() {
        return Optional.empty();
    }

    @Override
    public void resize(String containerId, int version, long from, long to) {
        throw new UnsupportedOperationException("workers keep their size");
    }

    @Override
    public void resizePower(String containerId, int version, long from, long to) {
        throw new UnsupportedOperationException("workers keep their size");
    }

    @Override
    public void start(GrantedContainer container) {
        assertFalse(started.contains(container.id()), () -> container.id() + " is started twice");
        started.add(container.id());
    }

    @Override
    public Link connect(String host, int port) throws IOException {
        if (!unfit.isEmpty()) {
            throw new UnfitWorkerException(unfit);
        }
        if (!answers) {
            throw new IOException("connection refused");
        }
        FakeLink link = new FakeLink();
        links.put(host, link);
        return link;
    }
}
