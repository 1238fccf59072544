// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.List;
import java.util.OptionalLong;

/**
 * How many vcores each parameter server of a job can use, by what they do with those that they have. More is asked for soon, as
 * it is only given where it is idle, and given up late, so that a lull of the training takes nothing away. Not thread-safe.
 */
public final class ServerNeed {
    /** Between two looks, s: what a server uses is known over windows of this length. */
    static final double LOOK_SECONDS = 10;
    /** Who uses more of what it has could use more than that. */
    private static final double FULL = 0.85;
    /** Who uses less of what it has has too much. */
    private static final double IDLE = 0.5;
    /** Beyond what was used, where that was little. */
    private static final double MARGIN = 4.0 / 3;

    /** Looks in a row that are no chance. */
    static final int FULL_LOOKS = 2;

    static final int CALM_LOOKS = 6;

    private final long asked;
    private long need;
    private double lookSeconds = Double.NEGATIVE_INFINITY;
    private int fullLooks;
    private int calmLooks;
    /** The most that a server has used in the calm looks. */
    private double mostUsed;

    private boolean allIdle = true;

    /**
     * A server's last window.
     *
     * @param vcores that it has
     * @param used vcores, on average
     */
    public record Use(long vcores, double used) {
        private double part() {
            return used / vcores;
        }
    }

    /** @param asked vcores that each server asks for */
    public ServerNeed(long asked) {
        this.asked = asked;
        this.need = asked;
    }

    /** Looks at all servers; call it as often as there is something to see. */
    public void look(double seconds, List<Use> servers) {
        if (servers.isEmpty() || servers.stream().anyMatch(server -> server.vcores() < 1)) {
            pause();
        } else if (seconds - lookSeconds >= LOOK_SECONDS) {
            lookSeconds = seconds;
            if (servers.stream().anyMatch(server -> server.part() > FULL)) {
                full(servers);
            } else {
                calm(servers);
            }
        }
    }

    private void full(List<Use> servers) {
        beCalmAnew();
        fullLooks++;
        if (fullLooks >= FULL_LOOKS) {
            servers.stream()
                    .filter(server -> server.part() > FULL)
                    .forEach(server -> need = Math.max(need, 2 * server.vcores()));
        }
    }

    private void calm(List<Use> servers) {
        fullLooks = 0;
        calmLooks++;
        mostUsed =
                Math.max(mostUsed, servers.stream().mapToDouble(Use::used).max().orElseThrow());
        allIdle &= servers.stream().allMatch(server -> server.part() < IDLE);
        if (calmLooks >= CALM_LOOKS) {
            long held = servers.stream().mapToLong(Use::vcores).max().orElseThrow();
            long enough = allIdle ? (long) Math.ceil(MARGIN * mostUsed) : held;
            need = Math.max(asked, Math.min(need, enough));
            beCalmAnew();
        }
    }

    private void beCalmAnew() {
        calmLooks = 0;
        mostUsed = 0;
        allIdle = true;
    }

    /** What comes next has nothing to do with what was seen so far; what they can use is what it was. */
    public void pause() {
        fullLooks = 0;
        beCalmAnew();
    }

    /** Servers are new, or are not to have more now. */
    public void forget() {
        pause();
        need = asked;
    }

    /** What an earlier ApplicationMaster of the job has found out. */
    public void resume(OptionalLong found) {
        need = Math.max(asked, found.orElse(asked));
    }

    /** What each can use; empty where that is what it asks for. */
    public OptionalLong vcores() {
        return need > asked ? OptionalLong.of(need) : OptionalLong.empty();
    }
}
