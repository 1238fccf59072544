// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Frame;

/** How the master reaches workers. */
interface WorkerGateway {
    /** Sends without waiting; a worker that cannot be reached is told to the {@link QueryDesk} as lost, later. */
    void send(int worker, Frame frame);
}
