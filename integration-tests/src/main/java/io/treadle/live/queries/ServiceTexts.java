// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The services' specifications (docs/spec/service-spec.md), and the models that they need. */
final class ServiceTexts {
    static final int WORKERS = 2;
    /** Workflows of one task that does nothing, and of several in a row. */
    static final String NOTHING = "nothing";

    static final String CHAIN = "chain";
    static final int CHAINED = 9;

    /** The most popular first, each as often as 1 over its rank (Zipf's law). */
    static final List<BenchWorkflow> MIX = List.of(
            new BenchWorkflow("line", 1, 1),
            new BenchWorkflow("fork", 1 / 2.0, 2),
            new BenchWorkflow("pair", 1 / 3.0, 1),
            new BenchWorkflow("steps", 1 / 4.0, 1));

    static final BenchWorkflow EMPTY = new BenchWorkflow("empty", 1, 4);
    static final int EMPTY_TASKS = 17;

    /** Of weights of each model. Loads use processors beside tasks: most of the time there must be one for them. */
    private static final int MIB = 4;
    /**
     * In words' order; each has its own length. So long that what a query costs its master and its client beside them, on the
     * same processors, is little.
     */
    private static final List<Integer> PRODUCTS = List.of(150, 225, 180, 255, 210, 135);

    private static final String NAMES = "abcdef";
    private static final int BRANCHES = 4;
    private static final int BRANCH = 4;

    private ServiceTexts() {}

    /** Six models, of which half fit a worker, in workflows that are chains and forks; and two that do nothing. */
    static Path loaded(Path directory, String policy) {
        StringBuilder models = new StringBuilder();
        for (int i = 0; i < NAMES.length(); i++) {
            char name = NAMES.charAt(i);
            BenchModels.work(directory.resolve(name + ".onnx"), PRODUCTS.get(i), MIB);
            models.append("  %s: {file: %s.onnx, memory: %dMi}\n".formatted(name, name, MIB + 1));
        }
        BenchModels.sum(directory.resolve("same.onnx"), 1);
        BenchModels.sum(directory.resolve("sum.onnx"), 2);
        String chain = IntStream.range(0, CHAINED)
                .mapToObj(i -> "      t%d: {model: same, inputs: {x0: %s}}\n"
                        .formatted(i, i == 0 ? "x" : "t" + (i - 1) + ".y"))
                .collect(Collectors.joining());
        String text =
                """
                name: loaded-%s
                policy: %s
                workers: {count: %d, vcores: 1, memory: 768Mi, modelMemory: %dMi}
                models:
                %s  same: {file: same.onnx, memory: 1Mi}
                  sum: {file: sum.onnx, memory: 1Mi}
                workflows:
                  line:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                      one: {model: a, inputs: {x: x}}
                      two: {model: b, inputs: {x: one.y}}
                    outputs: {y: two.y}
                  fork:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                      one: {model: c, inputs: {x: x}}
                      left: {model: a, inputs: {x: one.y}}
                      right: {model: d, inputs: {x: one.y}}
                      both: {model: sum, inputs: {x0: left.y, x1: right.y}}
                    outputs: {y: both.y}
                  pair:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                      one: {model: f, inputs: {x: x}}
                      two: {model: b, inputs: {x: one.y}}
                    outputs: {y: two.y}
                  steps:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                      one: {model: d, inputs: {x: x}}
                      two: {model: e, inputs: {x: one.y}}
                      three: {model: c, inputs: {x: two.y}}
                    outputs: {y: three.y}
                  nothing:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                      t0: {model: same, inputs: {x0: x}}
                    outputs: {y: t0.y}
                  chain:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                %s    outputs: {y: t%d.y}
                """
                        .formatted(
                                policy,
                                policy,
                                WORKERS,
                                NAMES.length() / 2 * (MIB + 1) + 2,
                                models,
                                chain,
                                CHAINED - 1);
        return TextFile.write(directory.resolve("loaded-" + policy + ".yaml"), text);
    }

    /** A workflow of tasks that do nothing: branches of several in a row, and one that adds them. */
    static Path empty(Path directory) {
        BenchModels.sum(directory.resolve("same.onnx"), 1);
        BenchModels.sum(directory.resolve("sum.onnx"), BRANCHES);
        StringBuilder tasks = new StringBuilder();
        for (int branch = 0; branch < BRANCHES; branch++) {
            for (int i = 0; i < BRANCH; i++) {
                tasks.append("      b%d%d: {model: same, inputs: {x0: %s}}\n"
                        .formatted(branch, i, i == 0 ? "x" : "b" + branch + (i - 1) + ".y"));
            }
        }
        String ends = IntStream.range(0, BRANCHES)
                .mapToObj(branch -> "x%d: b%d%d.y".formatted(branch, branch, BRANCH - 1))
                .collect(Collectors.joining(", "));
        String text =
                """
                name: empty
                workers: {count: %d, vcores: 1, memory: 512Mi}
                models:
                  same: {file: same.onnx, memory: 1Mi}
                  sum: {file: sum.onnx, memory: 1Mi}
                workflows:
                  empty:
                    inputs: {x: "FP32[any, 1]"}
                    tasks:
                %s      all: {model: sum, inputs: {%s}}
                    outputs: {y: all.y}
                """
                        .formatted(WORKERS, tasks, ends);
        return TextFile.write(directory.resolve("empty.yaml"), text);
    }
}
