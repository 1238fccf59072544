// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hadoop's client against a ResourceManager that takes over, or loses nodes: what is lost or refused is asked again. */
class ResourceManagerClientTest {
    private static final ContainerId ID =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 2);

    /** Answers as a ResourceManager does whose containers have this version. */
    private static final class Rm implements ApplicationMasterProtocol, Closeable {
        @Override
        public void close() {}

        private final List<UpdateContainerRequest> granted = new ArrayList<>();
        /** The count of each ask that was accepted last. */
        private final List<Integer> asked = new ArrayList<>();

        private final List<ContainerId> released = new ArrayList<>();
        private int calls;
        private int refused;
        /** Memory of the largest node that is registered, MiB. */
        private long largestMiB = 8192;

        private int version;
        private boolean forgotten;
        private int registered;

        @Override
        public RegisterApplicationMasterResponse registerApplicationMaster(RegisterApplicationMasterRequest request) {
            forgotten = false;
            registered++;
            RegisterApplicationMasterResponse response = Records.newRecord(RegisterApplicationMasterResponse.class);
            response.setContainersFromPreviousAttempts(List.of());
            response.setNMTokensFromPreviousAttempts(List.of());
            return response;
        }

        @Override
        public AllocateResponse allocate(AllocateRequest request) throws YarnException {
            if (forgotten) {
                throw new ApplicationMasterNotRegisteredException("register first");
            }
            calls++;
            for (ResourceRequest ask : request.getAskList()) {
                // As the real one: whatever the count is.
                if (ask.getCapability().getMemorySize() > largestMiB) {
                    refused++;
                    throw new InvalidResourceRequestException(
                            "org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException: Invalid resource"
                                    + " request! Cannot allocate containers: maximum allowed allocation=<memory:"
                                    + largestMiB + ">\n\tat org.apache.hadoop.yarn.server");
                }
            }
            request.getAskList().forEach(ask -> asked.add(ask.getNumContainers()));
            released.addAll(request.getReleaseList());
            AllocateResponse response = Records.newRecord(AllocateResponse.class);
            List<UpdateContainerError> errors = new ArrayList<>();
            for (UpdateContainerRequest update : request.getUpdateRequests()) {
                if (update.getContainerVersion() == version) {
                    granted.add(update);
                } else {
                    UpdateContainerError error =
                            UpdateContainerError.newInstance("INCORRECT_CONTAINER_VERSION_ERROR", update);
                    error.setCurrentContainerVersion(version);
                    errors.add(error);
                }
            }
            response.setUpdateErrors(errors);
            response.setAllocatedContainers(List.of());
            response.setCompletedContainersStatuses(List.of());
            response.setNMTokens(List.of());
            response.setUpdatedNodes(List.of());
            return response;
        }

        @Override
        public FinishApplicationMasterResponse finishApplicationMaster(FinishApplicationMasterRequest request) {
            throw new UnsupportedOperationException();
        }
    }

    private final AtomicLong nanos = new AtomicLong();
    private final Rm rm = new Rm();
    private final RmLink link = new RmLink(500, 10_000, nanos::get);
    private final YarnEvents events = new YarnEvents(() -> {});
    private final ResourceManagerClient client = new ResourceManagerClient(events, link, rm);
    private final YarnRmGateway gateway = new YarnRmGateway(
            AMRMClientAsync.createAMRMClientAsync(client, 1000, events), link, List.of(Resource.newInstance(1024, 1)));
    private final String id = ID.toString();

    ResourceManagerClientTest() throws Exception {
        client.init(new Configuration());
        client.start();
        client.registerApplicationMaster("host", 1, "");
        events.connect(gateway, new ListeningApplication(Set.of(ID.toString())));
        gateway.known(container(4, 0));
    }

    private static Container container(int vcores, int version) {
        Container container = Container.newInstance(
                ID,
                NodeId.newInstance("n1", 1),
                "n1:8042",
                Resource.newInstance(1024, vcores),
                Priority.newInstance(1),
                null);
        container.setVersion(version);
        return container;
    }

    @AfterEach
    void stop() {
        client.stop();
    }

    @Test
    void anUpdateWithAnOutdatedVersionIsAskedAgainWithTheRightOne() throws Exception {
        gateway.resize(id, 0, 4, 2);
        rm.version = 100_000;
        client.allocate(0);
        assertTrue(rm.granted.isEmpty());
        client.allocate(0);
        assertEquals(1, rm.granted.size());
        assertEquals(2, rm.granted.get(0).getCapability().getVirtualCores());
        // What the application knows is still old; the next one is right at once.
        gateway.resize(id, 0, 4, 1);
        client.allocate(0);
        assertEquals(1, rm.granted.get(1).getCapability().getVirtualCores());
    }

    /** The scheduler has given it another size, of which the ApplicationMaster hears before its own update is refused. */
    @ParameterizedTest(name = "from 4 to {0} vcores, and it has {1}")
    @CsvSource({"6, 8", "4, 8", "2, 1"})
    void anUpdateThatAnotherHasOvertakenIsNotAskedAgain(int wanted, int got) throws Exception {
        gateway.resize(id, 0, 4, wanted);
        rm.version = 1;
        gateway.updated(container(got, 1));
        client.allocate(0);
        client.allocate(0);
        assertEquals(List.of(), rm.granted);
        // Nor where it is asked for in just that moment; the next one is right at once.
        gateway.resize(id, 0, 4, wanted);
        gateway.resize(id, 1, got, 5);
        client.allocate(0);
        assertEquals(
                List.of(5),
                rm.granted.stream()
                        .map(u -> u.getCapability().getVirtualCores())
                        .toList());
    }

    /** It grows to 6 by another hand while more is asked for, and that is called off from the size that the job knows. */
    @Test
    void whatIsCalledOffFromAnOlderSizeIsNotAskedAgain() throws Exception {
        gateway.resize(id, 0, 4, 8);
        rm.version = 1;
        gateway.updated(container(6, 1));
        gateway.resize(id, 0, 4, 4);
        client.allocate(0);
        client.allocate(0);
        assertEquals(List.of(), rm.granted);
    }

    /** YARN tells of a container of an earlier attempt again when it has been made smaller, and of its size before that. */
    @Test
    void sizeBeforeADecreaseIsNotBelieved() throws Exception {
        rm.version = 1;
        events.onContainersUpdated(
                List.of(UpdatedContainer.newInstance(ContainerUpdateType.DECREASE_RESOURCE, container(2, 1))));
        events.onContainersReceivedFromPreviousAttempts(List.of(container(4, 0)));
        gateway.resize(id, 1, 2, 3);
        client.allocate(0);
        assertEquals(1, rm.granted.size());
        assertEquals(3, rm.granted.get(0).getCapability().getVirtualCores());
    }

    /** Stock YARN's after a rollback: the node reports the version that the container started with. */
    @Test
    void lowerVersionThatARefusalNamesIsTheRightOne() throws Exception {
        gateway.updated(container(4, 3));
        gateway.resize(id, 3, 4, 2);
        client.allocate(0);
        client.allocate(0);
        assertEquals(1, rm.granted.size());
        // Its own updates count on from there.
        gateway.updated(container(2, 1));
        rm.version = 1;
        gateway.resize(id, 1, 2, 1);
        client.allocate(0);
        assertEquals(2, rm.granted.size());
    }

    @Test
    void whatIsNotWantedAnyMoreIsNotAskedAgain() throws Exception {
        gateway.resize(id, 0, 4, 2);
        rm.version = 100_000;
        client.allocate(0);
        gateway.resize(id, 0, 4, 3);
        client.allocate(0);
        client.allocate(0);
        assertEquals(
                List.of(3),
                rm.granted.stream()
                        .map(u -> u.getCapability().getVirtualCores())
                        .toList());
    }

    @Test
    void anUpdateThatIsLostWithTheResourceManagerIsSentAgain() throws Exception {
        gateway.resize(id, 0, 4, 2);
        rm.forgotten = true;
        rm.version = 100_000;
        client.allocate(0);
        assertEquals(2, rm.registered);
        client.allocate(0);
        assertEquals(1, rm.granted.size());
    }

    @Test
    void nothingReachesAResourceManagerThatIsSilentOrHasJustTakenOver() throws Exception {
        client.allocate(0);
        assertTrue(gateway.hears());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertFalse(gateway.hears());
        client.allocate(0);
        assertTrue(gateway.hears());
        rm.forgotten = true;
        client.allocate(0);
        assertFalse(gateway.hears());
        for (int second = 1; second <= 14; second++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            client.allocate(0);
            assertFalse(gateway.hears(), "after " + second + " s");
        }
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        client.allocate(0);
        assertTrue(gateway.hears());
    }

    private void heartbeatsFor(int seconds) throws Exception {
        for (int second = 0; second < seconds; second++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            client.allocate(0);
        }
    }

    @Test
    void asksThatNoNodeCanHoldNowWaitAndEverythingElseGoesOn() throws Exception {
        rm.largestMiB = 512;
        gateway.ask(0, 2);
        gateway.release(id);
        client.allocate(0);
        assertEquals(List.of(ID), rm.released);
        assertEquals(
                Optional.of("YARN refuses the containers that are asked for now, and is asked again: Invalid resource"
                        + " request! Cannot allocate containers: maximum allowed allocation=<memory:512>"),
                gateway.refusal());
        // A node of that size comes back.
        rm.largestMiB = 8192;
        heartbeatsFor(1);
        assertTrue(rm.asked.isEmpty(), "not with each heartbeat");
        heartbeatsFor(1);
        assertEquals(List.of(2), rm.asked);
        assertEquals(Optional.empty(), gateway.refusal());
    }

    @Test
    void refusedAsksAreSentAgainInIntervalsThatGrowToABound() throws Exception {
        rm.largestMiB = 512;
        gateway.ask(0, 1);
        client.allocate(0);
        assertEquals(1, rm.refused);
        heartbeatsFor(2 + 4 + 8 + 16 + 30 + 30);
        assertEquals(7, rm.refused);
        assertTrue(rm.calls >= 90, "no heartbeat is left out");
    }

    @Test
    void whatChangesWhileAsksWaitIsWhatIsAskedThen() throws Exception {
        rm.largestMiB = 512;
        gateway.ask(0, 2);
        client.allocate(0);
        gateway.ask(0, 1);
        heartbeatsFor(1);
        rm.largestMiB = 8192;
        heartbeatsFor(1);
        assertEquals(List.of(3), rm.asked);
        rm.largestMiB = 512;
        gateway.askNoMore();
        client.allocate(0);
        assertTrue(gateway.refusal().isPresent(), "YARN checks what is withdrawn, too");
        rm.largestMiB = 8192;
        heartbeatsFor(2);
        assertEquals(List.of(3, 0), rm.asked);
    }

    @Test
    void aResourceManagerThatTakesOverWithSmallNodesIsAskedAgain() throws Exception {
        gateway.ask(0, 2);
        client.allocate(0);
        rm.asked.clear();
        rm.largestMiB = 512;
        rm.forgotten = true;
        client.allocate(0);
        assertEquals(2, rm.registered);
        assertTrue(gateway.refusal().isPresent());
        rm.largestMiB = 8192;
        heartbeatsFor(2);
        assertEquals(List.of(2), rm.asked);
    }
}
