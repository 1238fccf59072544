// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DeviceTag;
import io.treadle.nm.device.Grant.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceBookTest {
    private final DeviceBook book = new DeviceBook(List.of(
            new GpuDevice("A", 0, "A100", 40960, 400),
            new GpuDevice("B", 1, "A100", 40960, 400),
            new GpuDevice("T", 2, "T4", 15360, 70)));

    @Test
    void schedulersChoiceIsFollowed() {
        assertEquals(
                List.of(ready("B", 40960, true)), book.grant("c1", new DeviceAsk(1, 0, List.of(DeviceTag.whole("B")))));
        assertEquals(
                List.of(ready("A", 1000, false)),
                book.grant("c2", new DeviceAsk(0, 1000, List.of(DeviceTag.slice("A", 1000)))));
    }

    @Test
    void chosenDevicesAreListedInTheNodesOrder() {
        List<DeviceTag> chosen = List.of(DeviceTag.whole("T"), DeviceTag.whole("A"));
        assertEquals(List.of("A", "T"), uuids(book.grant("c1", new DeviceAsk(2, 0, chosen))));
    }

    @Test
    void askingAgainChangesNothing() {
        assertEquals(whole("c1", 2), whole("c1", 2));
        assertEquals(Map.of("A", List.of("c1"), "B", List.of("c1")), book.holders());
    }

    @Test
    void choiceThatTheNodeCannotFollowFallsBackToBestFit() {
        assertEquals(
                List.of(ready("T", 15360, true)),
                book.grant("c1", new DeviceAsk(1, 0, List.of(DeviceTag.whole("unknown")))));
        assertEquals(
                List.of(ready("A", 20000, false)),
                book.grant("c2", new DeviceAsk(0, 20000, List.of(DeviceTag.slice("T", 20000)))));
    }

    @Test
    void choiceOfMoreOrFewerDevicesThanTheContainerHasIsNotFollowed() {
        List<DeviceTag> two = List.of(DeviceTag.whole("A"), DeviceTag.whole("B"));
        assertEquals(1, book.grant("c1", new DeviceAsk(1, 0, two)).size());
        assertEquals(
                2,
                book.grant("c2", new DeviceAsk(2, 0, List.of(DeviceTag.whole("B"))))
                        .size());
        assertEquals(List.of(), book.grant("c3", new DeviceAsk(0, 0, List.of(DeviceTag.whole("T")))));
    }

    @Test
    void wholesComeFromTheSmallestModelGroupThatHolds() {
        assertEquals(List.of("T"), uuids(whole("c1", 1)));
        assertEquals(List.of("A", "B"), uuids(whole("c2", 2)));
    }

    @Test
    void slicesShareTheDeviceThatTheyFillBest() {
        assertEquals(List.of("T"), uuids(slice("c1", 8000)));
        assertEquals(List.of("T"), uuids(slice("c2", 7000)));
        assertEquals(List.of("A"), uuids(slice("c3", 7000)));
        assertEquals(List.of("B"), uuids(whole("c4", 1)));
    }

    @Test
    void slicedDeviceIsNoWholeDevice() {
        slice("c1", 1000);
        whole("c2", 2);
        List<Grant> grants = whole("c3", 1);
        assertEquals(1, grants.size());
        assertEquals(State.PENDING, grants.get(0).state());
    }

    @Test
    void pendingUntilTheDyingContainerEnds() {
        whole("old", 3);
        book.dying("old");
        assertEquals(State.PENDING, whole("new", 1).get(0).state());
        assertEquals(Set.of("new"), book.release("old"));
        assertEquals(State.READY, book.grants("new").get(0).state());
    }

    @Test
    void devicesOfDyingContainersAreWaitedForFirst() {
        whole("keeps", 1);
        whole("dies", 2);
        book.dying("dies");
        assertEquals(List.of("A"), uuids(whole("new", 1)));
    }

    @Test
    void sliceLargerThanAnyDeviceGetsNone() {
        assertEquals(List.of(), slice("c1", 50000));
    }

    @Test
    void moreDevicesThanThereAreGivesWhatThereIs() {
        assertEquals(3, whole("c1", 4).size());
    }

    @Test
    void lostDeviceIsNotHandedOutAndComesBack() {
        slice("c1", 8000);
        assertEquals(Set.of("c1"), book.lost(Set.of("T")));
        assertEquals(State.LOST, book.grants("c1").get(0).state());
        assertEquals(List.of("A"), uuids(slice("c2", 1000)));
        assertEquals(
                State.LOST,
                book.grant("c3", new DeviceAsk(0, 1000, List.of(DeviceTag.slice("T", 1000))))
                        .get(0)
                        .state());
        assertEquals(Set.of("c1", "c3"), book.lost(Set.of()));
        assertEquals(State.READY, book.grants("c3").get(0).state());
    }

    @Test
    void sliceIsResizedInPlaceWhereItFits() {
        slice("c1", 8000);
        slice("c2", 7000);
        assertEquals(Set.of("c1"), book.update("c1", new DeviceAsk(0, 8360, List.of())));
        assertEquals(8360, book.grants("c1").get(0).memoryMiB());
        assertEquals(Set.of(), book.update("c1", new DeviceAsk(0, 8361, List.of())));
        assertEquals(Set.of(), book.update("c1", new DeviceAsk(0, Long.MAX_VALUE, List.of())));
        assertEquals(8360, book.grants("c1").get(0).memoryMiB());
        slice("waits", 40000);
        assertEquals(Set.of("c2"), book.update("c2", new DeviceAsk(0, 1000, List.of())));
    }

    @Test
    void resizeOfOtherThingsLeavesDevicesAlone() {
        book.grant("c1", new DeviceAsk(1, 0, List.of(DeviceTag.whole("B"))));
        assertEquals(Set.of(), book.update("c1", new DeviceAsk(1, 0, List.of(DeviceTag.whole("B")))));
        assertEquals(Set.of(), book.update("c1", new DeviceAsk(1, 0, List.of())));
        assertEquals(List.of(ready("B", 40960, true)), book.grants("c1"));
    }

    @Test
    void countOfWholesGrowsAndShrinks() {
        whole("c1", 2);
        book.update("c1", new DeviceAsk(1, 0, List.of()));
        assertEquals(List.of("A"), uuids(book.grants("c1")));
        book.update("c1", new DeviceAsk(3, 0, List.of()));
        assertEquals(List.of("A", "B", "T"), uuids(book.grants("c1")));
        book.update("c1", DeviceAsk.NOTHING);
        assertEquals(List.of(), book.grants("c1"));
        assertTrue(book.holders().isEmpty());
    }

    @Test
    void restoredGrantsAreHeldAndUnknownDevicesDropped() {
        assertEquals(
                List.of(ready("A", 5000, false)),
                book.restore("c1", List.of(DeviceTag.slice("A", 5000), DeviceTag.whole("gone"))));
        assertEquals(Map.of("A", List.of("c1")), book.holders());
    }

    @Test
    void releaseOfAnUnknownContainerChangesNothing() {
        assertEquals(Set.of(), book.release("never seen"));
    }

    private List<Grant> whole(String container, int gpus) {
        return book.grant(container, new DeviceAsk(gpus, 0, List.of()));
    }

    private List<Grant> slice(String container, long memoryMiB) {
        return book.grant(container, new DeviceAsk(0, memoryMiB, List.of()));
    }

    private static Grant ready(String uuid, long memoryMiB, boolean whole) {
        return new Grant(uuid, memoryMiB, whole, State.READY);
    }

    private static List<String> uuids(List<Grant> grants) {
        return grants.stream().map(Grant::uuid).toList();
    }
}
