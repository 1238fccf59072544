// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A Docker daemon of the test's own, apart from any other on the machine: without bridge and rules of a firewall, so that
 * it runs where only root is needed. Its one image holds no programs: tests mount the machine's own.
 */
final class DockerDaemon implements AutoCloseable {
    /** The image: the file tree's outline, what Java and names of users need, and no program. */
    static final String IMAGE = "treadle-test/outline:1";

    private static final List<String> LINKS = List.of("bin", "sbin", "lib", "lib64");
    private static final List<String> DIRECTORIES = List.of("usr", "tmp", "proc", "sys", "dev", "run", "var/tmp");

    private final Path directory;
    private final Process daemon;

    private DockerDaemon(Path directory, Process daemon) {
        this.directory = directory;
        this.daemon = daemon;
    }

    /** Skips the test where Docker is not installed or may not run. */
    static DockerDaemon start(Path directory) throws Exception {
        Assumptions.assumeTrue(
                succeeds("sh", "-c", "command -v dockerd && command -v docker && command -v runc"),
                "skipped: dockerd, docker and runc are not installed (Debian: apt-get install docker.io)");
        Assumptions.assumeTrue(
                succeeds("sh", "-c", "[ \"$(id -u)\" = 0 ]"), "skipped: a Docker daemon needs root to start");
        Files.createDirectories(directory);
        Path runc = Path.of(output("sh", "-c", "command -v runc"));
        Process process = new ProcessBuilder(
                        "dockerd",
                        "--bridge=none",
                        "--iptables=false",
                        "--ip6tables=false",
                        "--storage-driver=vfs",
                        // NVIDIA's runtime is runc with a hook of NVIDIA's before it; this stand-in has no hook.
                        "--add-runtime=nvidia=" + runc,
                        "--data-root=" + directory.resolve("data"),
                        "--exec-root=" + directory.resolve("exec"),
                        "--pidfile=" + directory.resolve("pid"),
                        "--host=" + address(directory))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("dockerd.log").toFile())
                .start();
        DockerDaemon daemon = new DockerDaemon(directory, process);
        try {
            boolean answers = daemon.answersSoon();
            Assumptions.assumeTrue(
                    answers, () -> "skipped: dockerd does not run here, last of its log: " + daemon.lastLine());
            daemon.importImage();
            return daemon;
        } catch (Throwable e) {
            daemon.close();
            throw e;
        }
    }

    /** Words of the client's command. */
    String client() {
        return "docker --host " + address(directory);
    }

    /** What the client prints. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(client().split(" ")));
        command.addAll(List.of(arguments));
        return output(command.toArray(String[]::new));
    }

    private boolean answersSoon() throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (daemon.isAlive() && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(60)) {
            if (succeeds("docker", "--host", address(directory), "version")) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        return false;
    }

    private String lastLine() {
        try {
            List<String> lines = Files.readAllLines(directory.resolve("dockerd.log"));
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void importImage() throws IOException, InterruptedException {
        Path root = Files.createDirectories(directory.resolve("image"));
        for (String name : DIRECTORIES) {
            Files.createDirectories(root.resolve(name));
        }
        for (String name : LINKS) {
            Files.createSymbolicLink(root.resolve(name), Path.of("usr", name));
        }
        String copied = output(
                "sh",
                "-c",
                "cd / && cp -a --parents etc/passwd etc/group $(ls -d etc/java-* 2>/dev/null) '" + root
                        + "' && tar -C '" + root + "' -c . | " + client() + " import - " + IMAGE);
        Assumptions.assumeTrue(copied.startsWith("sha256:"), () -> "skipped: no image can be made: " + copied);
    }

    private static String address(Path directory) {
        return "unix://" + directory.resolve("docker.sock");
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return text;
    }

    /** Removes what containers are left, and ends the daemon. */
    @Override
    public void close() throws IOException, InterruptedException {
        Optional<String> left = daemon.isAlive() ? Optional.of(run("ps", "-aq")) : Optional.empty();
        if (left.filter(ids -> !ids.isEmpty()).isPresent()) {
            run(("rm -f " + left.get()).split("\\s+"));
        }
        daemon.destroy();
        if (!daemon.waitFor(120, TimeUnit.SECONDS)) {
            daemon.destroyForcibly().waitFor();
        }
        // It leaves the network of its containers mounted there, which would keep the directory from being deleted.
        output("sh", "-c", "for left in '" + directory + "'/exec/netns/*; do umount -l \"$left\"; done");
    }
}
