// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.engine.Reference;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that say which model they train; six nodes of 8 GPUs. */
class ModelTracesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static SimCluster drawing() {
        return Fixtures.eights().with(ClusterPower.A100);
    }

    private static TraceJob job(List<TraceJob> jobs, String id) {
        return jobs.stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
    }

    @Test
    void aModelHasAProfileWhereThePowerIsKnown() {
        List<TraceJob> jobs = Traces.read("auto", Fixtures.trace("treadle_model.csv"), drawing());
        assertEquals(
                List.of("scales", "one"),
                jobs.stream()
                        .filter(job -> job.energy().isPresent())
                        .map(TraceJob::id)
                        .toList());
        TraceJob scales = job(jobs, "scales");
        EnergyProfile energy = scales.energy().orElseThrow();
        // Up to 32 of the 48 GPUs, and the batch of 128.
        assertEquals(32, energy.gpus(energy.sizes() - 1));
        assertEquals(1000, scales.work().seconds());
        assertEquals(
                1000,
                scales.training().orElseThrow().iterations() * energy.seconds(energy.sizeOf(4), energy.caps() - 1),
                1e-9);
        assertEquals(4, scales.gpus());
        // For whoever chooses GPUs it is the same work, of single ones.
        TraceJob scalable = scales.scalable();
        assertEquals(1, scalable.gpus());
        assertEquals(
                1000 * energy.seconds(0, energy.caps() - 1) / energy.seconds(energy.sizeOf(4), energy.caps() - 1),
                scalable.work().seconds(),
                1e-6);
    }

    @Test
    void withoutPowerJobsKeepTheirModelAndNothingElse() {
        List<TraceJob> jobs = Traces.read("auto", Fixtures.trace("treadle_model.csv"), Fixtures.eights());
        assertTrue(jobs.stream().allMatch(job -> job.energy().isEmpty()));
        assertEquals("bert", job(jobs, "one").training().orElseThrow().model());
        assertEquals(64, job(jobs, "one").training().orElseThrow().batch());
        assertTrue(job(jobs, "plain").training().isEmpty());
    }

    /** A job's speed at its default limit is 1 whatever the limit is. */
    @Test
    void capsCountAsPartsOfTheDefaultLimit() {
        List<TraceJob> small = Traces.read(
                "auto", Fixtures.trace("treadle_model.csv"), Fixtures.eights().with(ClusterPower.V100));
        EnergyProfile v100 = job(small, "scales").energy().orElseThrow();
        EnergyProfile a100 = job(Traces.read("auto", Fixtures.trace("treadle_model.csv"), drawing()), "scales")
                .energy()
                .orElseThrow();
        // 125 of 250 W is 200 of 400 W.
        assertEquals(a100.seconds(2, a100.capOf(200)), v100.seconds(2, v100.capOf(125)), 1e-12);
        assertEquals(a100.seconds(2, a100.caps() - 1), v100.seconds(2, v100.caps() - 1), 1e-12);
        assertTrue(v100.watts(0, v100.caps() - 1) <= 250);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resnet51,64 | column 'model': is 'resnet51', must be one of bert, deepspeech2, gpt2, inception3,",
                "resnet50, | column 'batch': is '', must be there where model is",
                ",64 | column 'model': is '', must be there where batch is",
                "resnet50,0 | column 'batch': is '0', must be a whole number from 1 to 1000000",
                "resnet50,1.5 | column 'batch': is '1.5', must be a whole number from 1 to 1000000",
            })
    void refusesWhatItDoesNotKnow(String values, String why) throws IOException {
        Path file = Files.writeString(
                directory.resolve("jobs.csv"),
                "job_id,submit_s,gpus,duration_s,model,batch\na,0,4,10," + values + "\n");
        String message = String.valueOf(assertThrows(InputException.class, () -> Traces.read("auto", file, drawing()))
                .getMessage());
        assertTrue(message.contains(why), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max_tasks|8", "dataset_mib|1000", "vcore_speeds|1:1"})
    void aModelTellsItAll(String other) throws IOException {
        List<String> column = Splitter.on('|').splitToList(other);
        Path file = Files.writeString(
                directory.resolve("jobs.csv"),
                "job_id,submit_s,gpus,duration_s,model,batch," + column.get(0) + "\na,0,1,10,bert,64," + column.get(1)
                        + "\n");
        String message = String.valueOf(assertThrows(InputException.class, () -> Traces.read("auto", file, drawing()))
                .getMessage());
        assertTrue(message.contains("column 'model': is 'bert', must be empty beside"), message);
    }

    @Test
    void elasticFlow() {
        Trace trace = Traces.read("auto", Fixtures.trace("elasticflow.csv"), drawing(), false);
        assertEquals("elasticflow", trace.format());
        assertEquals(2, profiled(trace));
        TraceJob first = trace.jobs().get(0);
        assertEquals(300, first.work().seconds());
        // Since the trace's zero: 2000 s, it came at 1000 s.
        assertEquals(1_000_000, first.attributes().deadlineMs().getAsLong());
        assertEquals(64, first.training().orElseThrow().batch());
    }

    private static long profiled(Trace trace) {
        return trace.jobs().stream().filter(job -> job.energy().isPresent()).count();
    }

    @Test
    void elasticFlowRefusesModelsThatItDoesNotKnow() throws IOException {
        Path file = Files.writeString(
                directory.resolve("jobs.csv"),
                "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration\ne0,0,10,net,2000,64,4,300\n");
        String message = String.valueOf(assertThrows(InputException.class, () -> Traces.read("auto", file, drawing()))
                .getMessage());
        assertTrue(message.contains("column 'model_name': is 'net', must be one of bert"), message);
    }

    /** Deadlines of the published list are 0.5 to 1.5 run times after the submission: {@code ddl} counts from the zero. */
    @Test
    void publishedListOfElasticFlow() {
        Trace trace = Traces.read("auto", Reference.file("energy/elasticflow_philly_103959.csv"), drawing(), false);
        assertEquals("elasticflow", trace.format());
        assertEquals(876, trace.jobs().size());
        assertEquals(876, profiled(trace));
        assertEquals(
                6,
                trace.jobs().stream()
                        .map(job -> job.training().orElseThrow().model())
                        .distinct()
                        .count());
        for (TraceJob job : trace.jobs()) {
            double allowed = job.attributes().deadlineMs().getAsLong()
                    / 1000.0
                    / job.work().seconds();
            assertTrue(allowed > 0.5 && allowed < 1.5, job.id() + " has " + allowed + " run times");
        }
    }
}
