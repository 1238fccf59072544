// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.result.TextTable;
import io.treadle.simulator.sweep.SweepWatcher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** {@code treadle bench synergy}: the work of Synergy's experiments under its rules and ours, in one run. */
public final class SynergyBench {
    /** With which the artifact's figures were taken. */
    public static final int SEED = 42;

    private final Path out;
    private final int seed;
    private final int seeds;
    private final SynergySizes sizes;
    private final Optional<Path> deployments;

    /**
     * @param out where all goes; what an earlier run has done there is not done again
     * @param seed lists are drawn from it
     * @param seeds of how many seeds, from that one on, the sampled work is drawn
     * @param deployments where the lists of its deployments lie, {@code static32} and {@code dynamic32}
     */
    public SynergyBench(Path out, int seed, int seeds, SynergySizes sizes, Optional<Path> deployments) {
        this.deployments = deployments;
        this.out = out;
        this.seed = seed;
        this.seeds = seeds;
        this.sizes = sizes;
    }

    /**
     * What came out.
     *
     * @param tables for a terminal
     * @param wrong where figures of the artifact did not come out, a line each
     */
    public record Report(String tables, List<String> wrong) {}

    /**
     * @param threads how many simulations at the same time
     * @param again whether to run also what is done
     * @param progress is told what is done next
     * @throws io.treadle.simulator.input.InputException if something cannot be written
     */
    public Report run(int threads, boolean again, SweepWatcher watcher, Consumer<String> progress) {
        List<Work> works = sizes.some(Works.all(seed));
        List<Study> studies = new ArrayList<>(List.of(
                new GoalStudy(works),
                new MeanStudy(works, sizes.thorough()),
                new AblationStudy(Works.taken(seed, sizes.thorough())),
                new StopStudy(Works.gangs(works)),
                new CpuStudy(seed, sizes.thorough()),
                new SeedStudy(Works.sampled(seed, sizes.thorough()), seeds)));
        deployments.ifPresent(directory -> studies.add(3, DeploymentStudy.in(directory)));
        Figures figures = new Runs(out, sizes, studies).run(threads, again, watcher);
        List<Section> sections = new ArrayList<>();
        List<Compared> compared = new ArrayList<>();
        for (Study study : studies) {
            sections.addAll(study.sections(figures));
            compared.addAll(study.compared(figures));
        }
        RoundStudy rounds = new RoundStudy(sizes.rounds(), out.resolve("lists"), progress);
        sections.add(rounds.section());
        compared.addAll(rounds.compared());
        boolean hasKnown = sizes.isThePapers() && seed == SEED;
        Checks checks = new Checks(hasKnown ? works : List.of(), figures);
        SynergyResult result = new SynergyResult(
                Machine.here(), seed, sections, compared, hasKnown ? checks.words() : "", checks.wrong(), figures);
        SynergyFiles.write(out, result);
        return new Report(text(result), result.wrong());
    }

    private static String text(SynergyResult result) {
        StringBuilder text = new StringBuilder();
        for (Section section : result.sections()) {
            text.append(section.heading()).append('\n');
            text.append(TextTable.of(section.rows()));
            text.append(section.text()).append("\n\n");
        }
        return text.append(Explained.of(result)).append('\n').toString();
    }
}
