// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import io.treadle.core.query.Model;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import java.util.List;

/**
 * The four workflows by which Compass' authors measured it: times and sizes as their public simulator states them
 * (aliciayuting/NavigatorSimulator, 2023). Models that bear the same name are the same.
 */
public final class PublishedWorkflows {
    /** What stands for them where a file is asked for. */
    public static final String NAME = "navigator";

    private static final Model OPT = new Model(0, "OPT", 5_720_000);
    private static final Model MARIAN = new Model(1, "marian", 800_000);
    private static final Model MT5 = new Model(2, "mt5", 2_000_000);
    private static final Model NLI = new Model(3, "NLI", 2_140_000);
    private static final Model VIT = new Model(4, "vit", 1_700_000);
    private static final Model SPEECH = new Model(5, "txt2speech", 2_700_000);
    private static final Model DETR = new Model(8, "DETR", 1_800_000);
    private static final Model DEPTH = new Model(9, "Depth", 3_900_000);

    /** An image, kB. */
    private static final double IMAGE = 3000;

    private PublishedWorkflows() {}

    public static List<WorkflowGraph> all() {
        return List.of(
                new WorkflowGraph(
                        "translation",
                        List.of(
                                task(0, OPT, 561, 1, 2),
                                task(1, MARIAN, 441, 2, 2, 0),
                                task(2, MT5, 778, 2, 2, 0),
                                task(3, MT5, 803, 2, 2, 0),
                                plain(4, "aggregate", 1, 2, 2, 1, 2, 3))),
                new WorkflowGraph("question_answer", List.of(task(0, OPT, 560, 1, 2), task(1, NLI, 27, 1, 1, 0))),
                new WorkflowGraph(
                        "img_to_sound",
                        List.of(
                                task(0, VIT, 283, IMAGE, 20),
                                task(1, NLI, 26, 20, 10, 0),
                                task(2, SPEECH, 76, 20, IMAGE, 0),
                                plain(3, "aggregate", 0.2, IMAGE, IMAGE, 1, 2))),
                new WorkflowGraph(
                        "ImageObjDetect",
                        List.of(
                                plain(0, "entry", 0.6, IMAGE, IMAGE),
                                task(1, DETR, 178, IMAGE, IMAGE, 0),
                                task(2, DEPTH, 147, IMAGE, IMAGE, 0),
                                plain(3, "aggregate", 104, IMAGE, IMAGE, 1, 2))));
    }

    private static QueryTask task(int id, Model model, double ms, double inKb, double outKb, Integer... after) {
        return new QueryTask(id, model.name(), List.of(model), ms, inKb, outKb, List.of(after));
    }

    /** One without a model. */
    private static QueryTask plain(int id, String name, double ms, double inKb, double outKb, Integer... after) {
        return new QueryTask(id, name, List.of(), ms, inKb, outKb, List.of(after));
    }
}
