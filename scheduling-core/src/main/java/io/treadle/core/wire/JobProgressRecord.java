// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/**
 * How far a job is, at {@code /treadle/jobs/<app>/progress}; written by its ApplicationMaster every few seconds (spec:
 * {@code docs/spec/job-progress-record.md}).
 *
 * @param samples samples done, of all workers, since the first start
 * @param totalSamples samples that the job needs; 0 where unknown
 * @param samplesPerSecond speed of the whole job now
 * @param restarts how often workers were started again
 * @param note what the job is doing, one line for people ("profiling 3 vcores, step 2")
 * @param updatedMs wall-clock time, ms since the epoch
 */
public record JobProgressRecord(
        long samples, long totalSamples, double samplesPerSecond, int restarts, String note, long updatedMs) {
    private static final int SCHEMA = 1;

    public String toJson() {
        return Fields.MAPPER
                .createObjectNode()
                .put("schema", SCHEMA)
                .put("samples", samples)
                .put("totalSamples", totalSamples)
                .put("samplesPerSecond", samplesPerSecond)
                .put("restarts", restarts)
                .put("note", note)
                .put("updatedMs", updatedMs)
                .toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static JobProgressRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        return new JobProgressRecord(
                json.integer("samples", 0, Long.MAX_VALUE),
                json.integer("totalSamples", 0, Long.MAX_VALUE, 0),
                json.number("samplesPerSecond", 0, 1e12, 0),
                (int) json.integer("restarts", 0, Integer.MAX_VALUE, 0),
                json.optionalText("note").orElse(""),
                json.integer("updatedMs", 0, Long.MAX_VALUE, 0));
    }
}
