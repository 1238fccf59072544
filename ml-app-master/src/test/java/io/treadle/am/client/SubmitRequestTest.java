// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.am.spec.JobSpecException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitRequestTest {
    private static SubmitRequest parse(String... arguments) {
        return SubmitRequest.of(Arguments.parse(SubmitRequest.GRAMMAR, List.of(arguments)));
    }

    private static String usage(String... arguments) {
        return assertThrows(UsageException.class, () -> parse(arguments)).getMessage();
    }

    @Test
    void imageOfTheShortForm() {
        JobSpec spec = parse(
                        "--image",
                        "registry.example:5000/train:1.2",
                        "--mount",
                        "/data:/data:ro,/scratch:/s:rw",
                        "--mount",
                        "/c:/c:ro",
                        "--network",
                        "host",
                        "--",
                        "python3",
                        "train.py")
                .spec();
        assertEquals(
                Map.of(
                        "YARN_CONTAINER_RUNTIME_TYPE",
                        "docker",
                        "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE",
                        "registry.example:5000/train:1.2",
                        "YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS",
                        "/data:/data:ro,/scratch:/s:rw,/c:/c:ro",
                        "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK",
                        "host"),
                spec.groups().get(0).container().orElseThrow().variables());
    }

    @Test
    void imageOfAJobFileIsChangedWhereThereIsOne(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("job.yaml");
        Files.writeString(
                file,
                """
                container: {image: "old:1", runtime: runc, mounts: ["/a:/a:ro"]}
                tasks:
                  worker: {command: x}
                  ps: {command: y, container: {runtime: default}}
                """);
        List<TaskGroup> groups =
                parse(file.toString(), "--image", "new:2").spec().groups();
        assertEquals(
                Map.of(
                        "YARN_CONTAINER_RUNTIME_TYPE",
                        "runc",
                        "YARN_CONTAINER_RUNTIME_RUNC_IMAGE",
                        "new:2",
                        "YARN_CONTAINER_RUNTIME_RUNC_MOUNTS",
                        "/a:/a:ro"),
                groups.get(0).container().orElseThrow().variables());
        assertTrue(groups.get(1).container().isEmpty(), "it has said that it wants none");
    }

    @Test
    void shortForm() {
        JobSpec spec = parse(
                        "--gpus",
                        "2",
                        "--workers",
                        "4",
                        "--min-workers",
                        "2",
                        "--vcores",
                        "6",
                        "--memory",
                        "4Gi",
                        "--gpu-model",
                        "A100,V100",
                        "--power",
                        "300W",
                        "--storage-bandwidth",
                        "100",
                        "--queue",
                        "root.a",
                        "--env",
                        "A=1=2",
                        "--files",
                        "a.py,hdfs:///b#c",
                        "--files",
                        "d",
                        "--archives",
                        "e.zip",
                        "--total-samples",
                        "1000",
                        "--batch-size",
                        "32",
                        "--model-tag",
                        "m",
                        "--max-restarts",
                        "1",
                        "--checkpoint-dir",
                        "hdfs:///c",
                        "--",
                        "python3",
                        "dir/train.py",
                        "--epochs",
                        "3",
                        "it's")
                .spec();
        assertEquals("train", spec.name());
        assertEquals("root.a", spec.queue());
        assertEquals("m", spec.modelTag());
        assertEquals(1000, spec.totalSamples());
        assertEquals(32, spec.batchSize());
        assertEquals(1, spec.maxRestarts());
        assertTrue(spec.elastic());
        assertEquals("hdfs:///c", spec.checkpointDir().orElseThrow());
        assertEquals(Map.of("A", "1=2"), spec.env());
        assertEquals(
                List.of(new FileSpec("a.py", "a.py"), new FileSpec("hdfs:///b", "c"), new FileSpec("d", "d")),
                spec.files());
        assertEquals(List.of(new FileSpec("e.zip", "e.zip")), spec.archives());
        assertEquals(
                List.of(new TaskGroup(
                        "worker",
                        4,
                        2,
                        2,
                        0,
                        List.of("A100", "V100"),
                        6,
                        4096,
                        100,
                        300,
                        "python3 dir/train.py --epochs 3 'it'\\''s'",
                        Map.of())),
                spec.groups());
    }

    @Test
    void jobFileWithOverrides(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("mnist.yaml"),
                "queue: a\nenv: {A: x, B: y}\nfiles: [train.py, /abs/labels, 'hdfs:/data']\n"
                        + "tasks: {worker: {command: x}}");
        SubmitRequest request =
                parse(file.toString(), "--queue", "b", "--env", "B=z", "--dry-run", "--detach", "--files", "more");
        JobSpec spec = request.spec();
        assertTrue(request.dryRun() && request.detach());
        assertEquals("mnist", spec.name());
        assertEquals("b", spec.queue());
        assertEquals(Map.of("A", "x", "B", "z"), spec.env());
        assertEquals(
                List.of(
                        new FileSpec(directory.resolve("train.py").toString(), "train.py"),
                        new FileSpec("/abs/labels", "labels"),
                        new FileSpec("hdfs:/data", "data"),
                        new FileSpec("more", "more")),
                spec.files());
    }

    @Test
    void refusesWhatIsNoJob(@TempDir Path directory) throws IOException {
        assertEquals(
                "there is neither a job file nor a command after '--'.\nMaybe --help shows how.", usage("--gpus=1"));
        assertEquals("there is no command after '--'.\nMaybe '-- python3 train.py'.", usage("--"));
        assertEquals(
                "there are both a job file and a command after '--'; must be one of them",
                usage("job.yaml", "--", "x"));
        assertTrue(usage("a", "b").startsWith("there are 2 job files: a, b; must be one."));
        assertEquals("option --workers is 'two', must be a whole number", usage("--workers", "two", "--", "x"));
        assertEquals("option --env is given 'A', must be given NAME=VALUE", usage("--env", "A", "--", "x"));
        Path file = Files.writeString(directory.resolve("j.yaml"), "tasks: {w: {command: x}}");
        assertEquals(
                "option --gpus goes with a command after '--', not with a job file.\nMaybe set it in " + file + ".",
                usage(file.toString(), "--gpus", "1"));
    }

    @Test
    void valuesAreCheckedAsInAJobFile() {
        JobSpecException error = assertThrows(JobSpecException.class, () -> parse("--memory", "4G", "--", "x"));
        assertEquals(
                "command line: field 'memory' of task group 'worker' is '4G', must be an amount from 1 to 1073741824 MiB,"
                        + " such as 4Gi, 512Mi or a plain number of MiB.\nMaybe '4Gi'.",
                error.getMessage());
    }

    @Test
    void refusesFilesThatCannotBeRead(@TempDir Path directory) throws IOException {
        assertEquals(
                "there is no job file 'statuss'.\nMaybe the command 'status'.",
                assertThrows(ClientException.class, () -> parse("statuss")).getMessage());
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, "name: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(
                "job file '" + latin + "' is not UTF-8 text.",
                assertThrows(ClientException.class, () -> parse(latin.toString()))
                        .getMessage());
        Path wrong = Files.writeString(directory.resolve("wrong.yaml"), "\ntask: {}");
        assertTrue(assertThrows(JobSpecException.class, () -> parse(wrong.toString()))
                .getMessage()
                .startsWith(wrong + ":2: unknown field 'task' in the job.\nMaybe 'tasks'."));
    }
}
