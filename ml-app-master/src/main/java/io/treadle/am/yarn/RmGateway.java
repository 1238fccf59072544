// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.Optional;

/** What an application asks of the ResourceManager. Calls return at once; answers come as events. */
public interface RmGateway {
    /** Asks for more containers of the size at the index: a task group's of a job. */
    void ask(int group, int count);

    /** Asks for no more containers than it has. */
    void askNoMore();

    /** Gives a container back, which ends what runs in it. */
    void release(String containerId);

    /**
     * Asks for other vcores, all else staying. {@code from == to} calls an earlier increase off.
     *
     * @param version of the container's token as last seen
     */
    void resize(String containerId, int version, long from, long to);

    /** The same of power, W; 0 for no cap. */
    void resizePower(String containerId, int version, long from, long to);

    /** Whether the ResourceManager answers and can act on what is asked. It cannot in the time after a failover. */
    boolean hears();

    /** For people, why the ResourceManager refuses what it is asked for; empty while it does not. It is asked again. */
    Optional<String> refusal();
}
