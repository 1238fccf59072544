// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec.AppMaster;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpec.Profiling;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SizingSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class JobSpecParserTest {
    private static final String FULL =
            """
            version: 1
            name: resnet-50 on imagenet
            queue: root.research
            modelTag: resnet-50
            batchSize: 256
            totalSamples: 1281167
            elastic: true
            minRuntime: 10min
            maxRestarts: 5
            maxAmAttempts: 3
            env:
              OMP_NUM_THREADS: 1
              GREETING: "hello: world"
              FLAG: true
            files: [train.py, hdfs:///data/labels.csv#labels]
            archives: [code.tar.gz#src]
            checkpointDir: hdfs:///user/ada/checkpoints
            appMaster: {vcores: 2, memory: 1Gi}
            profiling: {enabled: false, maxSeconds: 300}
            tasks:
              worker:
                count: 4
                min: 2
                gpusPerWorker: 2
                gpuModel: [A100-SXM4-80GB, "Tesla V100"]
                vcores: 6
                memory: 1.5Gi
                storageBandwidth: 0.2GB/s
                power: 0.5kW
                command: |
                  set -e
                  python3 train.py
                env: {NCCL_DEBUG: INFO}
              evaluator:
                gpuMemory: 4Gi
                gpuModel: T4
                command: [python3, eval.py, "two words", "it's"]
            """;

    @Test
    void readsEveryField() {
        JobSpec expected = new JobSpec(
                "resnet-50 on imagenet",
                "root.research",
                "resnet-50",
                256,
                1281167,
                true,
                600,
                5,
                3,
                Map.of("OMP_NUM_THREADS", "1", "GREETING", "hello: world", "FLAG", "true"),
                List.of(new FileSpec("train.py", "train.py"), new FileSpec("hdfs:///data/labels.csv", "labels")),
                List.of(new FileSpec("code.tar.gz", "src")),
                Optional.of("hdfs:///user/ada/checkpoints"),
                new AppMaster(2, 1024),
                new Profiling(false, 300),
                List.of(
                        new TaskGroup(
                                "worker",
                                4,
                                2,
                                2,
                                0,
                                List.of("A100-SXM4-80GB", "Tesla V100"),
                                6,
                                1536,
                                200,
                                500,
                                "set -e\npython3 train.py\n",
                                Map.of("NCCL_DEBUG", "INFO")),
                        new TaskGroup(
                                "evaluator",
                                1,
                                1,
                                0,
                                4096,
                                List.of("T4"),
                                1,
                                2048,
                                0,
                                0,
                                "python3 eval.py 'two words' 'it'\\''s'",
                                Map.of())));
        assertEquals(expected, JobSpecParser.fromYaml("job.yaml", FULL));
    }

    @Test
    void writesWhatItReads() {
        JobSpec spec = JobSpecParser.fromYaml("job.yaml", FULL);
        assertEquals(spec, JobSpecParser.fromJson(JobSpecParser.toJson(spec)));
    }

    @Test
    void fillsInDefaults() {
        JobSpec spec = JobSpecParser.fromYaml("/home/ada/mnist.yaml", "tasks: {worker: {command: ./train}}");
        JobSpec expected = new JobSpec(
                "mnist",
                "",
                "",
                0,
                0,
                false,
                0,
                3,
                2,
                Map.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                new AppMaster(1, 512),
                new Profiling(true, 600),
                List.of(new TaskGroup("worker", 1, 1, 0, 0, List.of(), 1, 2048, 0, 0, "./train", Map.of())));
        assertEquals(expected, spec);
    }

    @Test
    void readsWhatItsEndIsWorthAndWhatItMayHold() {
        JobSpec spec = JobSpecParser.fromYaml(
                "job.yaml",
                """
                utility: {weight: 50, decayPerHour: 2.5e-3, targetHours: 0}
                cap: {gpus: 8, memory: 64Gi, power: 2kW}
                tasks: {w: {count: 9, min: 2, gpusPerWorker: 1, command: x}}
                """);
        assertEquals(
                new SizingSpec(
                        OptionalDouble.of(50),
                        0.0025,
                        OptionalDouble.of(0),
                        new ResourceVector(8, 0, 65_536, 0, 0, 2000)),
                spec.sizing());
        assertEquals(spec, JobSpecParser.fromJson(JobSpecParser.toJson(spec)));
    }

    @Test
    void readsJsonWithTabsAndNoSpaces() {
        JobSpec spec = JobSpecParser.fromYaml(
                "job.json", "\uFEFF{\n\t\"tasks\":{\"worker\":{\"count\":2,\"command\":\"a\\tb \\u00e9\"}}\n}");
        assertEquals("a\tb é", spec.groups().get(0).command());
        assertEquals(2, spec.groups().get(0).count());
    }

    @Test
    void oddTextSurvivesTheRoundTrip() {
        String odd = "a\\u0001\\x7f\\x80\\ud83d\\ude00\\u2028\\\" # : {\\n\\t\\r$HOME";
        JobSpec spec =
                JobSpecParser.fromYaml("job.yaml", "env: {A: \"" + odd + "\"}\ntasks: {w: {command: \"" + odd + "\"}}");
        assertTrue(spec.groups().get(0).command().contains("\u007f"));
        assertEquals(spec, JobSpecParser.fromJson(JobSpecParser.toJson(spec)));
    }

    @Test
    void aSmallerMinMakesTheJobElastic() {
        assertTrue(JobSpecParser.fromYaml("j", "tasks: {w: {count: 3, min: 1, command: x}}")
                .elastic());
        assertFalse(JobSpecParser.fromYaml("j", "tasks: {w: {count: 3, command: x}}")
                .elastic());
    }

    @Test
    void anchorsWork() {
        JobSpec spec =
                JobSpecParser.fromYaml("j", "tasks: {a: {command: x, env: &e {K: v}}, b: {command: y, env: *e}}");
        assertEquals(Map.of("K", "v"), spec.groups().get(1).env());
    }
}
