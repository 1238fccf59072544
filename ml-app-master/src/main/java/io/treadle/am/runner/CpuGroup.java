// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.core.wire.WorkerEnvironment;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The CPU cgroup that the node has made for the container. Under LinuxContainerExecutor it belongs to the NodeManager's user, and
 * a worker of another user cannot enter it. Then it limits nothing and counts nothing, and all goes on as if there were none: CPU
 * time is that of the worker's processes, and the worker paces itself.
 */
final class CpuGroup {
    private static final String ENTER = "echo $$ > \"$1/cgroup.procs\"";
    private static final long PATIENCE_SECONDS = 10;

    private CpuGroup() {}

    /** The container's variables, without the group where no process of ours can enter it. */
    static Map<String, String> usable(Map<String, String> variables) throws InterruptedException {
        String group = variables.getOrDefault(WorkerEnvironment.CPU_CGROUP, "");
        if (group.isEmpty() || canBeEntered(group)) {
            return variables;
        }
        RunnerLog.say("the CPU cgroup " + group
                + " cannot be entered by this user: the worker has no CPU limit of its own and paces itself");
        Map<String, String> others = new HashMap<>(variables);
        others.remove(WorkerEnvironment.CPU_CGROUP);
        return others;
    }

    /** By a child that ends at once: a process that has entered a group cannot go back to its old one. */
    private static boolean canBeEntered(String group) throws InterruptedException {
        try {
            Process child = new ProcessBuilder("bash", "-c", ENTER, "treadle-probe", group)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            child.getOutputStream().close();
            if (child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return child.exitValue() == 0;
            }
            child.destroyForcibly();
        } catch (IOException e) {
            RunnerLog.say("no shell can be started: " + e.getMessage());
        }
        return false;
    }
}
