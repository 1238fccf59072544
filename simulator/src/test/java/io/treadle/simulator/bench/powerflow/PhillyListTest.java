// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhillyListTest {
    private static final String HEAD = "job_id,submit_time,model_name,ddl,batch_size,num_gpu,duration,iteration\n";
    private static final List<String> MODELS =
            List.of("resnet50", "bert", "vgg16", "gpt2", "deepspeech2", "inception3");

    private final Path directory;

    PhillyListTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** A list of the same form: forty jobs, one every 100 s, of 1, 2 and 4 GPUs for 1000 to 4900 s. */
    static Path write(Path directory) throws IOException {
        StringBuilder rows = new StringBuilder(HEAD);
        for (int i = 0; i < 40; i++) {
            rows.append(String.format(
                    "%d,%d,%s,0,64,%d,%d,1000%n",
                    i, 100 * i, MODELS.get(i % MODELS.size()), 1 << (i % 3), 1000 + 100 * i));
        }
        return Files.writeString(directory.resolve("philly.csv"), rows);
    }

    private List<PowerWork> works() throws IOException {
        return PhillyList.works(write(directory), 1, List.of(8, 64), 30);
    }

    @Test
    void jobsAskForAsMuchAsTheLoadSays() throws IOException {
        List<PowerWork> works = works();
        assertEquals(
                List.of(
                        "Philly list at load 0.7 on 64 GPUs",
                        "Philly list at load 1.1 on 64 GPUs",
                        "Philly list at load 0.7 on 512 GPUs",
                        "Philly list at load 1.1 on 512 GPUs"),
                works.stream().map(PowerWork::name).toList());
        double[] loads = {.7, 1.1, .7, 1.1};
        int[] gpus = {64, 64, 512, 512};
        for (int i = 0; i < works.size(); i++) {
            List<TraceJob> jobs = works.get(i).source().jobs(1, Rival.TRUTH);
            assertEquals(30, jobs.size());
            double asked = jobs.stream()
                    .mapToDouble(job -> job.gpus() * job.work().seconds())
                    .sum();
            double seconds = (jobs.get(29).submitMs() - jobs.get(0).submitMs()) / 1000.0;
            assertEquals(loads[i], asked / gpus[i] / seconds, 1e-3);
            assertEquals(gpus[i], works.get(i).cluster().nodes() * 8);
        }
    }

    @Test
    void noiseChangesWhatPoliciesAreToldAlone() throws IOException {
        PowerWork.Source source = works().get(0).source();
        List<TraceJob> exact = source.jobs(1, Rival.TRUTH);
        List<TraceJob> noisy = source.jobs(1, .1);
        for (int i = 0; i < exact.size(); i++) {
            assertEquals(exact.get(i).submitMs(), noisy.get(i).submitMs());
            assertEquals(exact.get(i).energy(), noisy.get(i).energy());
            assertNotEquals(exact.get(i).energy(), noisy.get(i).training().flatMap(Training::believed));
        }
    }

    @Test
    void jobOfWhichNobodyKnowsWhatItDrawsIsNamed() throws IOException {
        Path list = Files.writeString(
                directory.resolve("three.csv"), HEAD + "a,0,bert,0,64,1,100,10\nb,50,bert,0,64,3,100,10\n");
        String message =
                String.valueOf(assertThrows(InputException.class, () -> PhillyList.works(list, 1, List.of(8), 30))
                        .getMessage());
        assertTrue(message.contains("job 'b'") && message.contains("asks for 3 GPUs"), message);
    }

    @Test
    void knobsAreThinnedButForTheirEnds() {
        Rival thin = Rival.ours().thinned(3);
        List<Rival.Point> all = Rival.ours().points();
        assertEquals(List.of(all.get(0), all.get(3), all.get(6), all.get(9), all.get(11)), thin.points());
        assertEquals(Rival.ours(), Rival.ours().thinned(1));
    }
}
