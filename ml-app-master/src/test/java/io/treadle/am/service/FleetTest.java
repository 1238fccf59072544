// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.service.FakeYarn.FakeLink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetTest {
    private static final FleetSettings SETTINGS = new FleetSettings(1, 5, 60_000, 10_000, 30_000, 30_000, 3);

    private final FakeYarn yarn = new FakeYarn();
    private final Fleet fleet = new Fleet(SETTINGS, yarn, yarn, yarn, Runnable::run, () -> yarn.nowMs);

    private void ready(int count) throws Exception {
        fleet.start(count, List.of(), List.of());
        yarn.grant(fleet, count);
        yarn.registerAll(fleet);
        fleet.tick();
        assertEquals(count, fleet.ready());
    }

    @Test
    void asksForItsWorkersAndConnectsThoseThatRegister() throws Exception {
        fleet.start(3, List.of(), List.of());
        assertEquals(3, yarn.asked);
        yarn.grant(fleet, 2);
        assertEquals(List.of("c1", "c2"), yarn.started);
        assertTrue(fleet.registered("c2", "c2", 7000));
        assertFalse(fleet.registered("c9", "n1", 7000));
        fleet.tick();
        assertEquals(1, fleet.ready());
        assertEquals(List.of(new SavedWorker("c1", "", 0), new SavedWorker("c2", "c2", 7000)), fleet.saved());
        assertEquals(1, yarn.asked);
    }

    @Test
    void asksForAnotherWhereOneIsLost() throws Exception {
        ready(2);
        yarn.lose(fleet, "c1", true);
        assertEquals(1, yarn.asked);
        assertTrue(yarn.link("c1").isClosed);
        assertEquals(1, fleet.ready());
    }

    @Test
    void whoIsTooManyWorksOffWhatItHas() throws Exception {
        ready(3);
        yarn.link("c3").isBusy = true;
        fleet.want(2);
        assertTrue(yarn.link("c3").isRetired);
        fleet.tick();
        assertEquals(List.of(), yarn.released);
        assertEquals(2, fleet.ready());
        yarn.link("c3").isBusy = false;
        fleet.tick();
        assertEquals(List.of("c3"), yarn.released);
        assertTrue(yarn.link("c3").isClosed);
        assertEquals(0, yarn.asked);
    }

    @Test
    void whoDoesNotGetDoneWhileItLeavesIsGivenBackAllTheSame() throws Exception {
        ready(2);
        yarn.link("c2").isBusy = true;
        fleet.want(1);
        yarn.nowMs += SETTINGS.drainMs();
        fleet.tick();
        assertEquals(List.of("c2"), yarn.released);
    }

    @Test
    void asksAreTakenBackBeforeWorkersGo() throws Exception {
        fleet.start(2, List.of(), List.of());
        yarn.grant(fleet, 1);
        fleet.want(4);
        assertEquals(3, yarn.asked);
        fleet.want(2);
        assertEquals(1, yarn.asked);
        fleet.want(1);
        assertEquals(0, yarn.asked);
        assertEquals(List.of(), yarn.released);
    }

    @Test
    void whatCameAfterItsAskWasTakenBackIsReleased() throws Exception {
        fleet.start(2, List.of(), List.of());
        fleet.want(1);
        yarn.grant(fleet, 2);
        assertEquals(List.of("c1"), yarn.started);
        assertEquals(List.of("c2"), yarn.released);
    }

    @Test
    void keepsToWhatTheServiceMayHave() throws Exception {
        fleet.start(100, List.of(), List.of());
        assertEquals(5, yarn.asked);
        fleet.want(0);
        assertEquals(1, yarn.asked);
        assertEquals(1, fleet.wanted());
    }

    @Test
    void theWorkersOfAnEarlierMasterAreConnectedWhereTheyWere() throws Exception {
        fleet.start(
                2,
                List.of(yarn.fresh(), yarn.fresh()),
                List.of(new SavedWorker("c1", "c1", 7000), new SavedWorker("c2", "", 0)));
        fleet.tick();
        assertEquals(1, fleet.ready());
        // Nobody knows where the other one is, and it does not know the new master.
        assertEquals(List.of("c2"), yarn.released);
        assertEquals(1, yarn.asked);
        assertFalse(fleet.registered("c2", "c2", 7001));
        assertEquals(List.of(), yarn.started);
    }

    @Test
    void whoWaitsWhileAnotherIsConnectedIsNotGivenBack() throws Exception {
        List<Runnable> later = new ArrayList<>();
        Fleet slow = new Fleet(SETTINGS, yarn, yarn, yarn, later::add, () -> yarn.nowMs);
        slow.start(5, List.of(), List.of());
        yarn.grant(slow, 5);
        yarn.registerAll(slow);
        slow.tick();
        yarn.nowMs += 10 * SETTINGS.reconnectMs();
        slow.tick();
        assertEquals(5, later.size());
        later.forEach(Runnable::run);
        assertEquals(5, slow.ready());
        assertEquals(List.of(), yarn.released);
        assertEquals(Optional.empty(), slow.failure());
    }

    @Test
    void aModelThatTwoWorkersCannotLoadIsTheModelsFault() throws Exception {
        yarn.unfit = "model 'm': none.onnx is no model";
        fleet.start(1, List.of(), List.of());
        yarn.grant(fleet, 1);
        yarn.registerAll(fleet);
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        assertEquals(Optional.empty(), fleet.failure());
        yarn.grant(fleet, 1);
        yarn.registerAll(fleet);
        fleet.tick();
        assertEquals(Optional.of("model 'm': none.onnx is no model"), fleet.failure());
    }

    @Test
    void aWorkerThatCannotLoadItsModelsAnyMoreIsReplaced() throws Exception {
        ready(2);
        yarn.link("c1").isFit = false;
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        assertTrue(yarn.link("c1").isClosed);
        assertEquals(1, yarn.asked);
    }

    @Test
    void theLastOneThatWorksStaysWhileItMayUntilAnotherIsThere() throws Exception {
        ready(1);
        fleet.onPreemptionMessage(Set.of("c1"));
        fleet.tick();
        assertEquals(List.of(), yarn.released);
        assertEquals(1, yarn.asked);
        yarn.grant(fleet, 1);
        yarn.registerAll(fleet);
        fleet.tick();
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        assertEquals(1, fleet.ready());
    }

    @Test
    void aWorkerOutOfReachIsTriedAgainForAWhile() throws Exception {
        ready(1);
        yarn.link("c1").isConnected = false;
        yarn.answers = false;
        fleet.tick();
        fleet.tick();
        assertEquals(0, fleet.ready());
        yarn.answers = true;
        fleet.tick();
        assertEquals(1, fleet.ready());
        yarn.link("c1").isConnected = false;
        yarn.answers = false;
        fleet.tick();
        yarn.nowMs += SETTINGS.reconnectMs();
        // However long it has been away: it is tried once more.
        fleet.tick();
        assertEquals(List.of(), yarn.released);
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        assertEquals(1, yarn.asked);
    }

    @Test
    void aWorkerThatDoesNotRegisterIsReplaced() throws Exception {
        fleet.start(1, List.of(), List.of());
        yarn.grant(fleet, 1);
        yarn.nowMs += SETTINGS.registerMs();
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        assertEquals(1, yarn.asked);
    }

    @Test
    void givesUpWhenWorkersFailInARow() throws Exception {
        fleet.start(1, List.of(), List.of());
        yarn.grant(fleet, 1);
        yarn.lose(fleet, "c1", false);
        yarn.grant(fleet, 1);
        fleet.onStartFailed("c2", "no such jar");
        assertEquals(Optional.empty(), fleet.failure());
        // What the cluster takes is nobody's fault.
        yarn.grant(fleet, 1);
        yarn.lose(fleet, "c3", true);
        // It comes to work, and dies of it.
        yarn.grant(fleet, 1);
        yarn.registerAll(fleet);
        fleet.tick();
        yarn.lose(fleet, "c4", false);
        assertEquals(
                "3 workers in a row have failed, the last: container c4 was lost (exit status 1): killed",
                fleet.failure().orElseThrow());
    }

    @Test
    void aWorkerThatStaysIsAnEndOfFailures() throws Exception {
        fleet.start(1, List.of(), List.of());
        for (int i = 1; i <= 10; i++) {
            yarn.grant(fleet, 1);
            yarn.registerAll(fleet);
            fleet.tick();
            yarn.nowMs += SETTINGS.reconnectMs();
            fleet.tick();
            yarn.lose(fleet, "c" + i, false);
        }
        assertEquals(Optional.empty(), fleet.failure());
    }

    @Test
    void whatYarnWantsBackGoesOnceItIsDoneAndIsAskedForAnew() throws Exception {
        ready(2);
        yarn.link("c1").isBusy = true;
        fleet.onPreemptionMessage(Set.of("c1", "c9"));
        fleet.onPreemptionMessage(Set.of("c1"));
        fleet.tick();
        assertEquals(List.of(), yarn.released);
        yarn.link("c1").isBusy = false;
        fleet.tick();
        assertEquals(List.of("c1"), yarn.released);
        // Who is entitled to it comes first.
        assertEquals(0, yarn.asked);
        yarn.nowMs += SETTINGS.backOffMs();
        fleet.tick();
        assertEquals(1, yarn.asked);
    }

    @Test
    void whatYarnHasTakenIsNotAskedForAtOnce() throws Exception {
        ready(3);
        yarn.preempt(fleet, "c1");
        assertEquals(0, yarn.asked);
        assertEquals(1, fleet.heldBack());
        // Of all that there were one is always wanted.
        yarn.preempt(fleet, "c2");
        yarn.preempt(fleet, "c3");
        assertEquals(1, yarn.asked);
        yarn.nowMs += SETTINGS.backOffMs();
        fleet.tick();
        assertEquals(3, yarn.asked);
        assertEquals(Optional.empty(), fleet.failure());
    }

    @Test
    void boundsThatCannotBeAreRefused() throws Exception {
        assertEquals(
                "3 to 2 workers: must be 1 or more, in this order",
                assertThrows(IllegalArgumentException.class, () -> new FleetSettings(3, 2, 1, 1, 1, 1, 1))
                        .getMessage());
    }

    /** Whatever happens: what is asked for and what stays are what is wanted, and no container is forgotten. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void keepsItsBooks(long seed) throws Exception {
        Random random = new Random(seed);
        fleet.start(3, List.of(), List.of());
        for (int step = 0; step < 2_000; step++) {
            happens(random);
            String at = "seed " + seed + ", step " + step;
            Set<String> known = new HashSet<>();
            fleet.saved().forEach(worker -> known.add(worker.containerId()));
            assertEquals(new HashSet<>(yarn.containers), known, at);
            long leaving = yarn.containers.stream()
                    .filter(id -> yarn.links.containsKey(id) && yarn.link(id).isRetired)
                    .count();
            long there = yarn.asked + yarn.containers.size() - leaving;
            assertTrue(there <= fleet.wanted() && there >= fleet.wanted() - fleet.heldBack(), at);
            yarn.links.forEach(
                    (id, link) -> assertTrue(yarn.containers.contains(id) || link.isClosed, () -> at + ": " + id));
        }
        yarn.answers = true;
        yarn.links.values().forEach(link -> link.isBusy = false);
        yarn.nowMs += SETTINGS.backOffMs();
        for (int i = 0; i < 3; i++) {
            fleet.tick();
            yarn.grant(fleet, yarn.asked);
            yarn.registerAll(fleet);
            fleet.tick();
        }
        assertEquals(fleet.wanted(), fleet.ready(), "seed " + seed);
    }

    private void happens(Random random) throws Exception {
        Optional<String> one = yarn.containers.isEmpty()
                ? Optional.empty()
                : Optional.of(yarn.containers.get(random.nextInt(yarn.containers.size())));
        switch (random.nextInt(10)) {
            case 0 -> fleet.want(random.nextInt(8));
            case 1 -> yarn.grant(fleet, random.nextInt(yarn.asked + 1));
            case 2 -> one.ifPresent(id -> yarn.lose(fleet, id, random.nextBoolean()));
            case 3 -> one.ifPresent(id -> fleet.onStartFailed(id, "refused"));
            case 4 -> yarn.registerAll(fleet);
            case 5 -> one.ifPresent(id -> fleet.onPreemptionMessage(Set.of(id)));
            case 6 -> yarn.answers = random.nextInt(4) > 0;
            case 7 ->
                one.filter(yarn.links::containsKey).ifPresent(id -> {
                    FakeLink link = yarn.link(id);
                    link.isBusy = random.nextBoolean();
                    link.isConnected = link.isConnected && random.nextInt(4) > 0;
                });
            default -> {
                yarn.nowMs += random.nextInt(20_000);
                fleet.tick();
            }
        }
    }
}
