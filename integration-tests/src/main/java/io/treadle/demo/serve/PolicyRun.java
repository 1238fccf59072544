// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What became of a load under one policy.
 *
 * @param answers in the order in which queries came
 * @param figures what the service says of that time; empty where it was not asked
 */
public record PolicyRun(String policy, List<Answered> answers, Optional<ServeFigures> figures) {
    public PolicyRun {
        answers = List.copyOf(answers);
    }

    public PolicyRun(String policy, List<Answered> answers) {
        this(policy, answers, Optional.empty());
    }

    public long failed() {
        return answers.stream().filter(answer -> !answer.succeeded()).count();
    }

    /** Answered, but not as the label says. */
    public long wrong() {
        return answers.stream()
                .filter(answer -> answer.succeeded() && !answer.correct())
                .count();
    }

    /** Of those that were answered, the part that was right; NaN where none was. */
    public double accuracy() {
        double right = answers.stream().filter(Answered::correct).count();
        return right / (answers.size() - failed());
    }

    /** Of all times that a model was run, the part in which it was there already; NaN where that is not known. */
    public double hitRate() {
        return figures.map(ServeFigures::hitRate).orElse(Double.NaN);
    }

    /** Of those that were answered, ms. */
    Percentiles latencies() {
        return latencies(Optional.empty());
    }

    Percentiles latencies(String workflow) {
        return latencies(Optional.of(workflow));
    }

    private Percentiles latencies(Optional<String> workflow) {
        return new Percentiles(answers.stream()
                .filter(Answered::succeeded)
                .filter(answer -> workflow.isEmpty() || workflow.get().equals(answer.workflow()))
                .map(Answered::latencyMs)
                .toList());
    }

    public double meanMs() {
        return latencies().mean();
    }

    /** @param percent such as 95 */
    public double percentileMs(double percent) {
        return latencies().at(percent);
    }

    Set<String> workflows() {
        Set<String> names = new LinkedHashSet<>();
        answers.forEach(answer -> names.add(answer.workflow()));
        return names;
    }
}
