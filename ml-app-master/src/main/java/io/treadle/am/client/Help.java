// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.Map;

/** What {@code --help} and {@code --version} print. */
final class Help {
    static final String TEXT =
            """
            Runs machine-learning jobs on YARN, each started whole, profiled and sized by what it can use.

              yarn jar treadle-am.jar JOB.yaml [options]             a job from its file (YAML or JSON)
              yarn jar treadle-am.jar [options] -- COMMAND...        a job from one command
              yarn jar treadle-am.jar serve SERVICE.yaml             a service that answers queries with ONNX models
              yarn jar treadle-am.jar status|logs|kill|explain APP   look at a job, or end it (--help says how)
              yarn jar treadle-am.jar top                            all jobs that are not over
              yarn jar treadle-am.jar profile list|show|export|import|forget
                                                                     what is known of models' speeds
              yarn jar treadle-am.jar power [set]                    what the cluster draws and may draw
              yarn jar treadle-am.jar query APP [WORKFLOW]           ask a service, or what it can be asked

            Both forms:
              --queue Q               leaf queue
              --name N                name in YARN's pages
              --model-tag T           the model's name: jobs of one tag share their profile
              --total-samples N       samples that the job needs, so that its remaining time is known
              --batch-size N          samples in a step of one worker
              --max-restarts N        how often workers may fail before the job does
              --checkpoint-dir URI    shared directory for checkpoints
              --env NAME=VALUE        environment of every task; may be repeated
              --files A[,B#LINK...]   files for every task's working directory
              --archives A[,B#LINK]   archives, unpacked there
              -D NAME=VALUE           Hadoop or Treadle setting
              --image IMAGE           container image that the tasks run in (docs/guide/container-images.md)
              --runtime docker|runc   YARN's container runtime for it (docker)
              --mount FROM:TO:ro|rw   directory of the node that appears in it; may be repeated, several after commas
              --network NAME          network of Docker, such as host
              --dry-run               print the resolved job, check it against the cluster, submit nothing
              --detach                print the application id and return as soon as the job is accepted

            One command only:
              --workers N             workers that start together (1)
              --min-workers N         fewest workers that can go on; below --workers the job is elastic
              --gpus N                whole GPUs of each worker (0)
              --gpu-memory SIZE       slice of one GPU's memory instead, such as 8Gi
              --gpu-model A[,B]       GPU models that will do
              --vcores N              vcores of each worker (1)
              --memory SIZE           memory of each worker (2Gi)
              --storage-bandwidth N   MB/s of each worker
              --power N               watts of each worker

            Exit code: 0 success, 1 the job failed, 2 wrong command or refused.
            Example:   yarn jar treadle-am.jar --gpus 2 --workers 2 --files train.py -- python3 train.py --epochs 3
            """;

    private static final Map<String, String> COMMANDS = Map.of(
            "serve",
            """
            yarn jar treadle-am.jar serve SERVICE.yaml [options]

            Starts a service that answers queries with ONNX models on workers of the cluster (docs/spec/service-spec.md),
            and returns once it answers. It goes on until it is killed.

              --users FILE   who may ask beside you: a JSON object of users and their secrets, 16 characters or more
              --dry-run      check it against the cluster, submit nothing
              --detach       print the application id and return as soon as the service is accepted
              -D NAME=VALUE  Hadoop or Treadle setting, such as treadle.service.port=8080
            """,
            "status",
            """
            yarn jar treadle-am.jar status APPLICATION

            State, progress, page and diagnostics of a job; while it runs also all that its ApplicationMaster knows, as
            JSON: workers with their sizes, speed and links to logs, every resize, what was measured.
            """,
            "logs",
            """
            yarn jar treadle-am.jar logs [--all] APPLICATION

            What the workers of a job printed, container by container; of jobs that are over, where the cluster
            aggregates logs.
              --all   every file of every container: also what the ApplicationMaster and the runners wrote
            """,
            "kill",
            """
            yarn jar treadle-am.jar kill APPLICATION

            Ends a job, returns when it is dead, and removes its files. Checkpoints stay.
            """,
            "explain",
            """
            yarn jar treadle-am.jar explain APPLICATION

            Why a job waits, or why it has what it has, in the scheduler's words; of a job that is over, how it ended.
            """,
            "top",
            """
            yarn jar treadle-am.jar top

            All users' jobs that are not over; on a terminal again and again, until Ctrl-C. Below, of each service: answers
            and latencies of its workflows, and each worker's queue, cache hits and models.
            """,
            "power",
            """
            yarn jar treadle-am.jar power [--json|--watch]
            yarn jar treadle-am.jar power set --cluster|--queue Q [--watts N|none|setting] [--budget B|none|setting]

            What the cluster draws against its budget, over the last hour, by queue and by node, with the GPUs whose
            power is capped and what keeps a cap from being in force.

              --json       as the ResourceManager says it, with the last day
              --watch      on a terminal again and again, until Ctrl-C

              --watts      what may be drawn
              --budget     what may be used over time: '500 kWh/day', '20 kWh/6h', '500 kWh' in all, '8 kg/h' of CO2,
                           '70 %' of the peak, '600 s/kWh'; both limits count

            'set' is for administrators. It takes effect at once and counts until it is set again, over restarts of
            the ResourceManager too.

              --cluster    what all nodes with all their GPUs may draw together
              --queue Q    what the GPUs of the jobs of a queue, by its full path, and of those below it may draw
              --watts N    so many watts; 'none': no budget; 'setting': what the cluster's settings say
            """,
            "query",
            """
            yarn jar treadle-am.jar query APPLICATION [WORKFLOW] [options]
            yarn jar treadle-am.jar query --url URL --secret-file FILE [WORKFLOW] [options]

            Asks a service. Without --input and --data: which workflows there are, or what one takes and gives.

              --input NAME=VALUE   a number or nested lists in JSON, 'x=[[1, 2], [3, 4]]'; may be repeated
              --input NAME=@FILE   the same from a file
              --data FILE          the whole query as the Open Inference Protocol has it; '-': standard input
              --output NAME        this output; may be repeated (all)
              --deadline-ms N      how long to wait for the answer, retries included: 1 to 60000 (30000)
              --no-retry           do not ask again a service that is too busy, without workers or not there
              --json               the answer as the service gives it
              --secret-file FILE   your secret (that in the service's staging directory)
              --url URL            where the service is, such as http://node7:40123

            Exit code: 0 answered, 1 no answer in time or the service failed, 2 wrong command or refused.
            """,
            "profile",
            """
            yarn jar treadle-am.jar profile COMMAND

            How fast models are at which size, as their jobs have measured it. The next job of the same model tag, GPU
            model and batch size starts from it. Yours; an administrator's: everybody's.

              profile list                    all of them: points, the size that is useful, age, jobs, error
              profile show MODEL              the curve, drawn, with the useful size and every point
              profile export MODEL [FILE]     as JSON, to FILE or standard output
              profile import FILE             stores a profile that was exported; it counts as yours
              profile forget MODEL            removes it and says what it was; the next job is profiled anew

              --gpu G        of this GPU model ('none': of jobs without GPUs)
              --batch N      of this batch size
              --user U       of this user
              --all          'forget': all that the options leave, where there are several
              --replace      'import', 'export': over what is there
            """);

    private Help() {}

    /** @param command one of {@link Cli#COMMANDS} but {@code submit} */
    static String of(String command) {
        return COMMANDS.getOrDefault(command, TEXT);
    }

    static String version() {
        String version = Help.class.getPackage().getImplementationVersion();
        return "treadle " + (version == null ? "(unpackaged)" : version);
    }
}
