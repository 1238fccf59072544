// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.ingress.Callers;
import io.treadle.am.query.ingress.IngressLimits;
import io.treadle.am.query.ingress.QueryIngress;
import io.treadle.am.query.ingress.QueryService;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load through a service's real ingress to real models, which all run in this process. */
class LoadOnIngressTest {
    private static final String SECRET = "0123456789abcdef";

    /** Runs each query where it is asked. */
    private record Here(LoadedWorkflows loaded) implements QueryService {
        @Override
        public List<WorkflowSpec> workflows() {
            return loaded.service().workflows();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public CompletableFuture<Map<String, Tensor>> ask(
                WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
            try {
                return CompletableFuture.completedFuture(loaded.run(workflow, inputs));
            } catch (ModelException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    @Test
    void drawnDigitsAreReadOverHttp(@TempDir Path directory) throws Exception {
        DemoModels models = DigitsModels.write(directory, DrawnDigits.of(300, 1), new ModelSizes(300, 40, 200, 30), 7);
        Digits heldOut = DrawnDigits.of(100, 2);
        List<Arrival> arrivals = Arrivals.poisson(models.mix(), 400, 200, heldOut.count(), 3);
        try (LoadedWorkflows loaded =
                        new LoadedWorkflows(models.service(ServiceShape.half(models.files(), "compass", 1)));
                QueryIngress ingress = QueryIngress.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "digits",
                        new Callers(Map.of("demo", SECRET)),
                        IngressLimits.DEFAULT,
                        new Here(loaded))) {
            URI service =
                    URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + ingress.port());
            PolicyRun run = new PolicyRun("compass", QueryLoad.run(service, SECRET, arrivals, heldOut, progress -> {}));
            assertEquals(200, run.answers().size());
            assertEquals(0, run.failed());
            assertTrue(run.accuracy() >= 0.95, "accuracy " + run.accuracy());
            assertEquals(4, run.workflows().size());
        }
    }
}
