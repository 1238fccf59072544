// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.text.PlainText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a job tells the scheduler at its submission, as the application's scheduling properties (spec:
 * {@code docs/spec/submission-properties.md}).
 *
 * @param groups task groups that start together; group {@code i} asks at YARN priority {@code i + 1} and with that
 *     allocation request id
 * @param modelTag the user's name for the model; empty where none was given
 * @param batchSize samples in a step of one worker; 0 where unknown. Profiles of other sizes are not used for the job
 * @param totalSamples samples that the job needs; 0 where unknown
 * @param elastic whether the job can change its number of tasks while it runs
 * @param minRuntimeSeconds how long the job is left alone once it runs
 * @param zkDigest ZooKeeper ACL id ({@code user:hash}) under which the job's AM writes; empty where it has none
 * @param sizing what its end is worth, and the most that it may hold
 */
public record GangSpec(
        List<Group> groups,
        String modelTag,
        long batchSize,
        long totalSamples,
        boolean elastic,
        long minRuntimeSeconds,
        String zkDigest,
        SizingSpec sizing) {
    public static final String SPEC_VERSION = "treadle.spec-version";
    public static final String GANG = "treadle.gang";
    public static final String MODEL_TAG = "treadle.model-tag";
    public static final String BATCH_SIZE = "treadle.batch-size";
    public static final String TOTAL_SAMPLES = "treadle.total-samples";
    public static final String ELASTIC = "treadle.elastic";
    public static final String MIN_RUNTIME_SECONDS = "treadle.min-runtime-seconds";
    public static final String ZK_DIGEST = "treadle.zk-digest";

    /** YARN application type of every job that carries these properties. */
    public static final String APPLICATION_TYPE = "TREADLE";

    /** Task groups of one job. */
    public static final int MOST_GROUPS = 64;
    /** Tasks that start together, over all groups of a job. */
    public static final int MOST_TASKS = 10_000;
    /** Of the property that names the task groups: it is parsed on the scheduler's own thread. */
    public static final int MOST_CHARACTERS = 64 << 10;
    /** The longest model tag or ACL id that a submission may have, in characters. */
    public static final int MOST_IN_A_NAME = 1_000;

    /** GPU models that a task group may name. */
    public static final int MOST_MODELS = 64;
    /** The longest name of a task group or of a GPU model, in characters. */
    public static final int MOST_IN_A_WORD = 128;

    private static final int VERSION = 1;

    /**
     * Tasks that are alike.
     *
     * @param name such as {@code worker}
     * @param min tasks that must start together
     * @param max tasks that the job can use
     * @param resources what each task asks for
     * @param gpuModels GPU models that will do; empty for any
     */
    public record Group(String name, int min, int max, ResourceVector resources, List<String> gpuModels) {
        public Group {
            gpuModels = List.copyOf(gpuModels);
            checkWord("the name of a task group", name);
            if (gpuModels.size() > MOST_MODELS) {
                throw new WireFormatException("task group '" + name + "' names " + gpuModels.size()
                        + " GPU models, must name at most " + MOST_MODELS);
            }
            gpuModels.forEach(model -> checkWord("a GPU model of task group '" + name + "'", model));
            if (min < 1 || max < min) {
                throw new WireFormatException(
                        "task group '" + name + "' has min " + min + " and max " + max + ", must be 1 <= min <= max");
            }
            if (resources.gpus() > 0 && resources.gpuMemoryMiB() > 0) {
                throw new WireFormatException("task group '" + name + "' asks for " + resources.gpus()
                        + " whole GPUs and a slice of " + resources.gpuMemoryMiB()
                        + " MiB of one, must ask for whole GPUs or for a slice");
            }
        }
    }

    /** A job of unknown batch size. */
    public GangSpec(
            List<Group> groups,
            String modelTag,
            long totalSamples,
            boolean elastic,
            long minRuntimeSeconds,
            String zkDigest) {
        this(groups, modelTag, 0, totalSamples, elastic, minRuntimeSeconds, zkDigest);
    }

    /** A job that says nothing of its worth. */
    public GangSpec(
            List<Group> groups,
            String modelTag,
            long batchSize,
            long totalSamples,
            boolean elastic,
            long minRuntimeSeconds,
            String zkDigest) {
        this(groups, modelTag, batchSize, totalSamples, elastic, minRuntimeSeconds, zkDigest, SizingSpec.NONE);
    }

    public GangSpec {
        groups = List.copyOf(groups);
        if (groups.isEmpty()) {
            throw new WireFormatException(GANG + " names no task group, must name at least one");
        }
        if (groups.size() > MOST_GROUPS) {
            throw new WireFormatException(
                    GANG + " names " + groups.size() + " task groups, must name at most " + MOST_GROUPS);
        }
        long tasks = groups.stream().mapToLong(Group::min).sum();
        if (tasks > MOST_TASKS) {
            throw new WireFormatException(GANG + ": " + tasks
                    + " tasks must start together (the sum of 'min' over all task groups), must be at most "
                    + MOST_TASKS);
        }
        bounded(MODEL_TAG, modelTag);
        bounded(ZK_DIGEST, zkDigest);
        Set<String> names = new HashSet<>();
        for (Group group : groups) {
            if (!names.add(group.name())) {
                throw new WireFormatException(GANG + " names the task group '" + group.name() + "' twice");
            }
        }
        ResourceVector least = groups.stream()
                .map(g -> g.resources().times(g.min()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        if (!sizing.allows(least)) {
            throw new WireFormatException("submission property " + SizingSpec.CAP + " is "
                    + sizing.cap().describe() + ", must be at least what the gang needs: "
                    + least.where(sizing.cap()).describe());
        }
    }

    /** Both become a part of what is kept of the job in ZooKeeper. */
    private static void bounded(String property, String value) {
        if (value.length() > MOST_IN_A_NAME) {
            throw new WireFormatException("submission property " + property + " has " + value.length()
                    + " characters, must have at most " + MOST_IN_A_NAME);
        }
        if (!PlainText.isLine(value)) {
            throw new WireFormatException(
                    "submission property " + property + " is '" + value + "', must have no control characters");
        }
    }

    /** The same job, which says this of its worth. */
    public GangSpec with(SizingSpec said) {
        return new GangSpec(groups, modelTag, batchSize, totalSamples, elastic, minRuntimeSeconds, zkDigest, said);
    }

    /** The same job with other task groups. */
    public GangSpec withGroups(List<Group> others) {
        return new GangSpec(others, modelTag, batchSize, totalSamples, elastic, minRuntimeSeconds, zkDigest, sizing);
    }

    /** The most that all its tasks may hold together. */
    public ResourceVector most() {
        return sizing.within(groups.stream()
                .map(g -> g.resources().times(g.max()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus));
    }

    /** YARN priority and allocation request id of the group at {@code index}. */
    public static int requestIdOf(int index) {
        return index + 1;
    }

    public Map<String, String> toProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(SPEC_VERSION, Integer.toString(VERSION));
        ArrayNode array = Fields.MAPPER.createArrayNode();
        for (Group group : groups) {
            ObjectNode item = array.addObject();
            item.put("name", group.name()).put("min", group.min()).put("max", group.max());
            Amounts.put(item.putObject("resources"), group.resources());
            ArrayNode models = item.putArray("gpuModels");
            group.gpuModels().forEach(models::add);
        }
        properties.put(GANG, array.toString());
        properties.put(MODEL_TAG, modelTag);
        properties.put(BATCH_SIZE, Long.toString(batchSize));
        properties.put(TOTAL_SAMPLES, Long.toString(totalSamples));
        properties.put(ELASTIC, Boolean.toString(elastic));
        properties.put(MIN_RUNTIME_SECONDS, Long.toString(minRuntimeSeconds));
        properties.put(ZK_DIGEST, zkDigest);
        properties.putAll(sizing.toProperties());
        return properties;
    }

    /** @throws WireFormatException if a property is missing, wrong or of a newer version */
    public static GangSpec fromProperties(Map<String, String> properties) {
        long version = wholeNumber(properties, SPEC_VERSION, -1);
        if (version < 1 || version > VERSION) {
            throw new WireFormatException(SPEC_VERSION + " is '" + properties.get(SPEC_VERSION)
                    + "', this Treadle reads versions 1 to " + VERSION);
        }
        String gang = properties.get(GANG);
        if (gang == null) {
            throw new WireFormatException("submission property " + GANG + " is missing");
        }
        if (gang.length() > MOST_CHARACTERS) {
            throw new WireFormatException(GANG + " has " + gang.length() + " characters, must have at most "
                    + MOST_CHARACTERS + " for at most " + MOST_GROUPS + " task groups");
        }
        List<Group> groups = new ArrayList<>();
        for (Fields item : Fields.parseArray(GANG, gang)) {
            groups.add(new Group(
                    item.text("name"),
                    (int) item.integer("min", 1, 1_000_000),
                    (int) item.integer("max", 1, 1_000_000),
                    Amounts.from(item.object("resources")),
                    item.texts("gpuModels")));
        }
        return new GangSpec(
                groups,
                properties.getOrDefault(MODEL_TAG, ""),
                wholeNumber(properties, BATCH_SIZE, 0),
                wholeNumber(properties, TOTAL_SAMPLES, 0),
                Boolean.parseBoolean(properties.getOrDefault(ELASTIC, "false")),
                wholeNumber(properties, MIN_RUNTIME_SECONDS, 0),
                properties.getOrDefault(ZK_DIGEST, ""),
                SizingSpec.fromProperties(properties));
    }

    private static void checkWord(String what, String word) {
        if (word.isEmpty() || word.length() > MOST_IN_A_WORD || !PlainText.isLine(word)) {
            throw new WireFormatException(what + " is '" + word + "', must have 1 to " + MOST_IN_A_WORD
                    + " characters, none of them a control character");
        }
    }

    private static long wholeNumber(Map<String, String> properties, String name, long otherwise) {
        String value = properties.get(name);
        if (value == null || value.isEmpty()) {
            return otherwise;
        }
        if (!value.matches("[0-9]{1,18}")) {
            throw new WireFormatException(
                    "submission property " + name + " is '" + value + "', must be a whole number");
        }
        return Long.parseLong(value);
    }
}
