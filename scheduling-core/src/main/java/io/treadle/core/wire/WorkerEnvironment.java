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
    /** File with the {@link MemoryLimit}, replaced atomically; absent before the first. */
    public static final String MEMORY_FILE = "TREADLE_MEMORY_FILE";
    /** Directory on shared storage that survives the container. */
    public static final String CHECKPOINT_DIR = "TREADLE_CHECKPOINT_DIR";
    /** Of a task that joins others who train already, samples that its place had done before; else unset. */
    public static final String JOINED_AFTER = "TREADLE_JOINED_AFTER";
    /** Names of the variables that tell the container's devices, joined by commas; unset on a node without devices. */
    public static final String DEVICE_VARIABLES = "TREADLE_DEVICE_VARIABLES";
    /**
     * Set to {@code true} by an application that wants its control directory where a container runtime hides the node's
     * files: the node then mounts it, read-only, at the same path.
     */
    public static final String WANTS_CONTROL_DIR = "TREADLE_WANTS_CONTROL_DIR";
    /** Set to {@code true} by a node that knows no images, where the launch asks for one. */
    public static final String IMAGE_IGNORED = "TREADLE_IMAGE_IGNORED";

    /** CPU cgroup that the node made for the container, a directory; unset where the node made none. */
    public static final String CPU_CGROUP = "TREADLE_CPU_CGROUP";
    /** Share of a real core that one vcore stands for, as in {@code 0.03}; unset where a vcore is what YARN says. */
    public static final String VCORE_CORES = "TREADLE_VCORE_CORES";

    private WorkerEnvironment() {}
}
