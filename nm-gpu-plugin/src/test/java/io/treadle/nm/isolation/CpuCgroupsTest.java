// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treadle.nm.TestConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuCgroupsTest {
    private static final Path REAL = Path.of("/sys/fs/cgroup/cpu");
    private static final String C1 = "container_1_0001_01_000001";

    private final Path root;

    CpuCgroupsTest(@TempDir Path root) {
        this.root = root;
    }

    @Test
    void offByDefault() {
        assertEquals(Optional.empty(), CpuCgroups.open(TestConf.of("cgroup-root", root.toString())));
    }

    @Test
    void versionOneGetsPeriodAndQuota() throws IOException {
        Files.writeString(root.resolve("cpu.shares"), "1024");
        CpuCgroups cgroups = open(root, "0.03", "n1");
        Path cgroup = cgroups.limit(C1, 7).orElseThrow();
        assertEquals(root.resolve("treadle/n1").resolve(C1), cgroup);
        assertEquals("100000", Files.readString(cgroup.resolve("cpu.cfs_period_us")));
        assertEquals("21000", Files.readString(cgroup.resolve("cpu.cfs_quota_us")));
        cgroups.limit(C1, 8);
        assertEquals("24000", Files.readString(cgroup.resolve("cpu.cfs_quota_us")));
    }

    @Test
    void versionTwoGetsMax() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");
        Files.writeString(root.resolve("cgroup.subtree_control"), "memory cpu io\n");
        CpuCgroups cgroups = open(root, "0.5", "n1");
        assertEquals(
                "memory cpu io\n",
                Files.readString(root.resolve("cgroup.subtree_control")),
                "an administrator's file, which says it already");
        assertEquals("+cpu", Files.readString(root.resolve("treadle/n1/cgroup.subtree_control")));
        Path cgroup = cgroups.limit(C1, 3).orElseThrow();
        assertEquals("150000 100000", Files.readString(cgroup.resolve("cpu.max")));
    }

    @Test
    void ownLevelsGetTheHighestSharesAndContainersNone() throws IOException {
        likeTheKernel("cpu.shares", "1024");
        CpuCgroups cgroups = open(root, "0.5", "n1");
        cgroups.limit(C1, 2);
        assertEquals("1024", Files.readString(root.resolve("cpu.shares")), "not ours");
        assertEquals("262144", Files.readString(root.resolve("treadle/cpu.shares")));
        assertEquals("262144", Files.readString(root.resolve("treadle/n1/cpu.shares")));
        assertEquals(
                "1024", Files.readString(root.resolve("treadle/n1").resolve(C1).resolve("cpu.shares")));
    }

    @Test
    void ownLevelsGetTheHighestWeightOnVersionTwo() throws IOException {
        likeTheKernel("cpu.weight", "100");
        Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");
        open(root, "0.5", "n1").limit(C1, 2);
        assertEquals("100", Files.readString(root.resolve("cpu.weight")), "not ours");
        assertEquals("10000", Files.readString(root.resolve("treadle/cpu.weight")));
        assertEquals("10000", Files.readString(root.resolve("treadle/n1/cpu.weight")));
        assertEquals(
                "100", Files.readString(root.resolve("treadle/n1").resolve(C1).resolve("cpu.weight")));
    }

    @Test
    void levelsThatAnotherNodeManagerRemovedAreMadeAgain() throws IOException {
        likeTheKernel("cpu.shares", "1024");
        CpuCgroups cgroups = open(root, "0.5", "n1");
        org.apache.hadoop.fs.FileUtil.fullyDelete(root.resolve("treadle").toFile());
        assertTrue(cgroups.limit(C1, 2).isPresent());
        assertTrue(Files.exists(root.resolve("treadle/n1").resolve(C1).resolve("cpu.cfs_quota_us")));
    }

    /** A stand-in for the kernel, which puts such a file into every cgroup that is made. */
    private void likeTheKernel(String file, String value) throws IOException {
        for (String level : new String[] {"", "treadle", "treadle/n1", "treadle/n1/" + C1}) {
            Files.createDirectories(root.resolve(level));
            Files.writeString(root.resolve(level).resolve(file), value);
        }
    }

    @Test
    void quotaIsNeverBelowWhatTheKernelTakes() throws IOException {
        Files.writeString(root.resolve("cpu.shares"), "1024");
        // The longest period is a second: half a thousandth of a core would be half a millisecond of it.
        assertEquals(1000, open(root, "0.0005", "n1").quotaMicros(1));
    }

    @Test
    void smallQuotasGetLongPeriods() throws IOException {
        Files.writeString(root.resolve("cpu.shares"), "1024");
        CpuCgroups cgroups = open(root, "0.03", "n1");
        Path cgroup = cgroups.limit(C1, 2).orElseThrow();
        // 6 % of a core are 20 ms of a third of a second.
        assertEquals("333333", Files.readString(cgroup.resolve("cpu.cfs_period_us")));
        assertEquals("20000", Files.readString(cgroup.resolve("cpu.cfs_quota_us")));
        cgroups.limit(C1, 1);
        assertEquals("666667", Files.readString(cgroup.resolve("cpu.cfs_period_us")));
        assertEquals("20000", Files.readString(cgroup.resolve("cpu.cfs_quota_us")));
    }

    @Test
    void notPermittedMeansNone() throws IOException {
        Files.writeString(root.resolve("cpu.shares"), "1024");
        Files.writeString(root.resolve("treadle"), "a file where the directory should be");
        assertEquals(
                Optional.empty(), CpuCgroups.open(TestConf.of("vcore-cores", "0.1", "cgroup-root", root.toString())));
        assertEquals(Optional.empty(), CpuCgroups.open(TestConf.of("vcore-cores", "0.1", "cgroup-root", "/nowhere")));
    }

    @Test
    void realCgroupLimitsIsKeptWhileInUseAndGoesAfterwards() throws IOException {
        assumeTrue(Files.isWritable(REAL), "no writable cgroup v1 cpu controller at " + REAL);
        CpuCgroups cgroups = open(REAL, "0.1", "test-" + ProcessHandle.current().pid());
        Path cgroup = cgroups.limit(C1, 2).orElseThrow();
        assertEquals(
                "20000", Files.readString(cgroup.resolve("cpu.cfs_quota_us")).trim());
        assertEquals(
                "262144",
                Files.readString(cgroup.resolveSibling("cpu.shares")).trim(),
                "the node's own level beside other processes");
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(cgroup.resolve("cgroup.procs"), Long.toString(sleeper.pid()));
            cgroups.limit(C1, 4);
            assertEquals(
                    "40000",
                    Files.readString(cgroup.resolve("cpu.cfs_quota_us")).trim());
            cgroups.remove(C1);
            assertTrue(Files.exists(cgroup), "a process is in it");
        } finally {
            sleeper.destroyForcibly();
        }
        eventually("removal of " + cgroup, () -> {
            cgroups.retry();
            return !Files.exists(cgroup);
        });
        cgroups.close();
        assertFalse(Files.exists(cgroup.getParent()));
    }

    private static CpuCgroups open(Path root, String share, String node) {
        return CpuCgroups.open(TestConf.of("vcore-cores", share, "cgroup-root", root.toString(), "node-name", node))
                .orElseThrow();
    }
}
