// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;

/** Whoever may see a job's logs or the machine's processes must not learn the secret that rules its workers. */
final class JobSecrets {
    private JobSecrets() {}

    static void assertPrivate(ProcessCluster cluster, List<TrainingJob.Worker> workers) throws IOException {
        Path file = Path.of("/proc", Long.toString(workers.get(0).pid()), "cwd")
                .toRealPath()
                .resolve("container_tokens");
        String secret = new String(
                Credentials.readTokenStorageFile(new File(file.toString()), new Configuration(false))
                        .getSecretKey(new Text("treadle.job-secret")),
                StandardCharsets.UTF_8);
        assertTrue(secret.length() >= 32, "the secret is in the container's credentials");
        assertFalse(isOpenToOthers(file, cluster.directory()), () -> file + " can be read by others");

        List<Path> logs = files(cluster.directory(), "logs");
        assertTrue(
                logs.stream().anyMatch(log -> log.endsWith("launch_container.sh")),
                "nodes keep how they launched containers where their logs are");
        for (Path log : logs) {
            assertFalse(contains(log, secret), () -> log + " holds the job's secret");
        }
        List<ProcessHandle> processes = cluster.processes();
        assertFalse(processes.isEmpty());
        for (ProcessHandle process : processes) {
            for (String what : List.of("cmdline", "environ")) {
                Path read = Path.of("/proc", Long.toString(process.pid()), what);
                assertFalse(contains(read, secret), () -> read + " holds the job's secret");
            }
        }
        assertEquals(
                workers.size(), workers.stream().filter(TrainingJob::isAlive).count());
    }

    private static List<Path> files(Path root, String below) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()
                        && root.relativize(file).toString().contains("/" + below + "/")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                // Processes rename and remove files meanwhile.
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static boolean contains(Path file, String secret) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(secret);
        } catch (IOException e) {
            // A process or a file that has gone meanwhile shows nothing.
            return false;
        }
    }

    /** Whether others than its user and group who are at the root can come to the file and read it. */
    private static boolean isOpenToOthers(Path file, Path root) throws IOException {
        boolean open = Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        for (Path folder = file.getParent(); folder != null && !folder.equals(root); folder = folder.getParent()) {
            open &= Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE);
        }
        return open;
    }
}
