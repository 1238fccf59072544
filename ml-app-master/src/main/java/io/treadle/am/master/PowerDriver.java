// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.yarn.RmGateway;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Brings the job's containers to the power that a cap of each of their GPUs makes, by YARN's container updates. What the
 * ResourceManager refuses or forgets is asked for again, what is not wanted any more is called off. Guarded by the {@link
 * JobMaster}.
 */
final class PowerDriver {
    private static final double RETRY_SECONDS = 2.5;

    private record Ask(long watts, double atSeconds) {}

    private final RmGateway rm;
    private final long ownWatts;
    private final Map<String, Ask> asks = new HashMap<>();

    /** @param ownWatts power that a container has without a cap of ours, W: what its task asks for, mostly 0 */
    PowerDriver(RmGateway rm, long ownWatts) {
        this.rm = rm;
        this.ownWatts = ownWatts;
    }

    /** @param capWatts of each GPU, W; 0 for none; empty where that is not for this ApplicationMaster to say */
    void drive(OptionalDouble capWatts, List<Member> members, double nowSeconds) {
        for (Member member : members) {
            if (capWatts.isPresent()) {
                drive(member, target(member, capWatts.getAsDouble()), nowSeconds);
            } else {
                callOff(member);
            }
        }
    }

    /** Whether every container has its own power, as its worker has seen it. */
    boolean hasOwnPower(List<Member> members) {
        return members.stream().allMatch(m -> m.versionSeen >= 0 && m.watts == ownWatts);
    }

    private long target(Member member, double capWatts) {
        int gpus = member.energy.isPresent() ? member.energy.get().gpus() : 0;
        return capWatts > 0 && gpus > 0 ? Math.round(capWatts * gpus) : ownWatts;
    }

    private void drive(Member member, long target, double nowSeconds) {
        Ask before = asks.get(member.id());
        if (member.watts == target) {
            callOff(member);
        } else if (before == null || before.watts() != target || nowSeconds - before.atSeconds() >= RETRY_SECONDS) {
            asks.put(member.id(), new Ask(target, nowSeconds));
            rm.resizePower(member.id(), member.version, member.watts, target);
        }
    }

    /** An increase may be waiting at the ResourceManager. */
    private void callOff(Member member) {
        Ask before = asks.remove(member.id());
        if (before != null && before.watts() > member.watts) {
            rm.resizePower(member.id(), member.version, member.watts, member.watts);
        }
    }
}
