// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.query.peer.PeerIngress;
import io.treadle.am.query.worker.WorkerContainer;
import java.util.Map;

/** Main class of a service's worker, which runs its models with ONNX Runtime. */
public final class OnnxWorker {
    private OnnxWorker() {}

    public static void main(String[] args) throws InterruptedException {
        Map<String, String> env = System.getenv();
        int threads = Integer.parseInt(env.getOrDefault(ServiceProtocol.ENV_THREADS, "1"));
        System.exit(WorkerContainer.run(env, new OnnxRuntime(threads, new WorkerGpu(env)), PeerIngress::new));
    }
}
