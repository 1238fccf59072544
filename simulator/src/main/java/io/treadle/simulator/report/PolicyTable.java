// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SummaryTable;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The table of policies, the best figure of each column in bold. */
final class PolicyTable {
    private record Figure(
            String name,
            boolean moreIsBetter,
            Function<PolicyFigures, OptionalDouble> of,
            DoubleFunction<String> text,
            Predicate<PolicyFigures> tells) {
        Figure(
                String name,
                boolean moreIsBetter,
                Function<PolicyFigures, OptionalDouble> of,
                DoubleFunction<String> text) {
            this(name, moreIsBetter, of, text, policy -> true);
        }

        Figure whereAny() {
            return new Figure(
                    name, moreIsBetter, of, text, policy -> of.apply(policy).orElse(0) > 0);
        }

        String shown(PolicyFigures policy) {
            OptionalDouble value = of.apply(policy);
            return value.isPresent() ? text.apply(value.getAsDouble()) : "–";
        }

        static Figure time(String name, Function<PolicyFigures, OptionalDouble> of) {
            return new Figure(name, false, of, SummaryTable::time);
        }

        static Figure mark(String name, Function<Summary, @Nullable Double> of) {
            return time(name, policy -> optional(of.apply(policy.summary())));
        }

        static Figure share(String name, boolean moreIsBetter, ToDoubleFunction<Summary> of) {
            return new Figure(
                    name, moreIsBetter, policy -> OptionalDouble.of(of.applyAsDouble(policy.summary())), Html::percent);
        }

        static Figure known(
                String name,
                boolean moreIsBetter,
                Function<Summary, @Nullable Double> of,
                DoubleFunction<String> text) {
            return new Figure(
                    name,
                    moreIsBetter,
                    policy -> optional(of.apply(policy.summary())),
                    text,
                    policy -> of.apply(policy.summary()) != null);
        }

        static Figure count(String name, ToDoubleFunction<Summary> of) {
            return new Figure(
                    name,
                    false,
                    policy -> OptionalDouble.of(of.applyAsDouble(policy.summary())),
                    value -> Html.count(Math.round(value)));
        }
    }

    /** Columns under one head. */
    private record Block(String head, List<Figure> figures) {
        /** Without columns in which no policy has anything to tell. */
        Block shown(List<PolicyFigures> policies) {
            return new Block(
                    head,
                    figures.stream()
                            .filter(figure -> policies.stream().anyMatch(figure.tells()))
                            .toList());
        }
    }

    private static final List<Block> BLOCKS = List.of(
            new Block(
                    "completion time (JCT)",
                    List.of(
                            Figure.mark("mean", Summary::avgJctSeconds),
                            Figure.mark("p50", Summary::p50JctSeconds),
                            Figure.mark("p95", Summary::p95JctSeconds),
                            Figure.mark("p99", Summary::p99JctSeconds))),
            new Block(
                    "wait",
                    List.of(
                            Figure.mark("mean", Summary::avgQueueSeconds),
                            Figure.time("p95", PolicyFigures::p95WaitSeconds),
                            Figure.time("p99", PolicyFigures::p99WaitSeconds))),
            new Block(
                    "cluster",
                    List.of(
                            Figure.mark("makespan", Summary::makespanSeconds),
                            Figure.share("GPU use", true, Summary::gpuUtilization),
                            Figure.known("effec\u00adtive", true, Summary::effectiveGpuUtilization, Html::percent),
                            Figure.share("fragmen\u00adtation", false, Summary::fragmentation))),
            new Block(
                    "fairness ρ",
                    List.of(
                            Figure.known("mean", false, Summary::avgFinishTimeFairness, Html::figure),
                            Figure.known("worst", false, Summary::maxFinishTimeFairness, Html::figure))),
            new Block("worth", List.of(Figure.known("total", true, Summary::totalUtility, Html::figure))),
            new Block("deadlines", List.of(Figure.known("missed", false, Summary::deadlineMisses, Html::percent))),
            new Block(
                    "interruptions",
                    List.of(
                            Figure.count("pre\u00ademptions", Summary::preemptions),
                            Figure.count("migra\u00adtions", Summary::migrations),
                            Figure.count("lost GPU-h", summary -> summary.lostGpuSeconds() / 3600)
                                    .whereAny())));

    private PolicyTable() {}

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    static String html(List<PolicyFigures> policies) {
        List<Block> blocks = BLOCKS.stream()
                .map(block -> block.shown(policies))
                .filter(block -> !block.figures().isEmpty())
                .toList();
        StringBuilder html = new StringBuilder("<div class=\"scroll\" role=\"region\" tabindex=\"0\""
                + " aria-label=\"Table of policies\"><table id=\"policies\"><thead><tr class=\"span\"><th></th>");
        blocks.forEach(block -> html.append("<th scope=\"colgroup\" colspan=\"")
                .append(block.figures().size())
                .append("\">")
                .append(block.head())
                .append("</th>"));
        html.append("</tr><tr><th scope=\"col\">policy</th>");
        blocks.forEach(block -> block.figures().forEach(figure -> html.append("<th scope=\"col\"")
                .append(split(block, figure))
                .append(figure.name())
                .append("</th>")));
        html.append("</tr></thead><tbody>\n");
        for (PolicyFigures policy : policies) {
            html.append("<tr><th scope=\"row\">")
                    .append(Html.escape(policy.summary().policy()))
                    .append("</th>");
            blocks.forEach(block -> block.figures().forEach(figure -> html.append("<td")
                    .append(split(block, figure))
                    .append(
                            isBest(figure, policy, policies)
                                    ? "<b>" + figure.shown(policy) + "</b>"
                                    : figure.shown(policy))
                    .append("</td>")));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static String split(Block block, Figure figure) {
        return figure.equals(block.figures().get(0)) ? " class=\"split\">" : ">";
    }

    /** By what people see; where all look the same, or there is but one, none is best. */
    private static boolean isBest(Figure figure, PolicyFigures policy, List<PolicyFigures> policies) {
        Comparator<PolicyFigures> byValue =
                Comparator.comparingDouble(each -> figure.of().apply(each).orElseThrow());
        List<PolicyFigures> known = policies.stream()
                .filter(each -> figure.of().apply(each).isPresent())
                .sorted(figure.moreIsBetter() ? byValue.reversed() : byValue)
                .toList();
        if (known.isEmpty()) {
            return false;
        }
        String best = figure.shown(known.get(0));
        return figure.shown(policy).equals(best)
                && !figure.shown(known.get(known.size() - 1)).equals(best);
    }
}
