// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/** Environment variables of the worker contract (spec: {@code docs/spec/worker-contract.md}). */
public final class WorkerEnvironment {
    /** Directory, written by the node only, with {@link ResourcesFile#NAME}. */
    public static final String CONTROL_DIR = "TREADLE_CONTROL_DIR";
    /** File to which the worker appends {@link ProgressLine}s. */
    public static final String PROGRESS_FILE = "TREADLE_PROGRESS_FILE";
    /** File with the current {@link WorkerCommand}, replaced atomically. */
    public static final String COMMAND_FILE = "TREADLE_COMMAND_FILE";
    /** Directory on shared storage that survives the container. */
    public static final String CHECKPOINT_DIR = "TREADLE_CHECKPOINT_DIR";
    /** GPUs of the container, by UUID. */
    public static final String CUDA_VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    private WorkerEnvironment() {}
}
