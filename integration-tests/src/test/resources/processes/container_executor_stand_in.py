#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for Hadoop's native container-executor, for tests alone. It is NOT Hadoop's binary.

It has the command line that LinuxContainerExecutor of Hadoop 3.5.0 uses, and makes no change of user: everything runs as
the user who calls it. What it does is real: files, processes, signals, and the kernel's cgroups. Each call is noted in
calls.log beside this file.

  --checksetup | --module-gpu … | --module-devices …
  --run-docker FILE | --inspect-docker-container FORMAT CONTAINER | --remove-docker-container [HIERARCHY] CONTAINER
  RUN_AS USER 0 APP CONTAINER TOKENS LOCAL_DIRS LOG_DIRS JAVA ARGUMENT…              localise
  RUN_AS USER 1 APP CONTAINER WORK_DIR SCRIPT TOKENS --http PID_FILE LOCAL_DIRS LOG_DIRS cgroups=FILE%FILE…   launch
  RUN_AS USER 2 PID SIGNAL
  RUN_AS USER 3 DIRECTORY [BASE…]                                                     delete
  RUN_AS USER 4 APP CONTAINER WORK_DIR SCRIPT TOKENS --http PID_FILE LOCAL_DIRS LOG_DIRS COMMAND_FILE   launch in Docker
  RUN_AS USER 5 DIRECTORY                                                             list

What concerns Docker needs container-executor.cfg beside this file, as the native binary does: the section [docker] names
the client's command and what containers may have. Containers are real ones of a real Docker.
"""

import configparser

import os
import shutil
import subprocess
import sys

NO_SUCH_PROCESS = 9
CGROUP_NOT_WRITTEN = 27
NOT_KNOWN = 3
NOT_ALLOWED = 13
DOCKER_FAILED = 29

HERE = os.path.dirname(os.path.abspath(__file__))


def note(*words):
    with open(os.path.join(HERE, "calls.log"), "a", encoding="utf-8") as log:
        log.write(" ".join(words) + "\n")


def directories(text):
    return [d for d in text.split("%") if d]


def replace(path, text):
    with open(path + ".tmp", "w", encoding="utf-8") as draft:
        draft.write(text)
    os.replace(path + ".tmp", path)


def app_directory(local, user, app):
    return os.path.join(local, "usercache", user, "appcache", app)


def localise(user, app, container, tokens, locals_, logs, *command):
    for local in directories(locals_):
        for directory in (app_directory(local, user, app), os.path.join(local, "usercache", user, "filecache")):
            os.makedirs(directory, mode=0o750, exist_ok=True)
    for log in directories(logs):
        os.makedirs(os.path.join(log, app, container), mode=0o750, exist_ok=True)
    home = app_directory(directories(locals_)[0], user, app)
    shutil.copy(tokens, os.path.join(home, os.path.basename(tokens)))
    os.chdir(home)
    os.execv(command[0], list(command))


def prepare(user, app, container, work, script, tokens, locals_, logs):
    """The container's directories, with its script and credentials."""
    for local in directories(locals_):
        os.makedirs(os.path.join(app_directory(local, user, app), container), mode=0o750, exist_ok=True)
    os.makedirs(os.path.join(work, "tmp"), mode=0o750, exist_ok=True)
    for log in directories(logs):
        os.makedirs(os.path.join(log, app, container), mode=0o750, exist_ok=True)
    shutil.copy(script, os.path.join(work, "launch_container.sh"))
    shutil.copy(tokens, os.path.join(work, "container_tokens"))


def launch(user, app, container, work, script, tokens, _http, pid_file, locals_, logs, resources, *_traffic):
    prepare(user, app, container, work, script, tokens, locals_, logs)

    def enter():
        """In the container's own process, before its script: a session, the pid for the NodeManager, the cgroups."""
        os.setsid()
        replace(pid_file, str(os.getpid()))
        for group in directories(resources.removeprefix("cgroups=")):
            if group != "none":
                with open(group, "w", encoding="utf-8") as members:
                    members.write("0")

    try:
        process = subprocess.Popen(["bash", "launch_container.sh"], cwd=work, preexec_fn=enter)
    except subprocess.SubprocessError:
        return CGROUP_NOT_WRITTEN
    code = process.wait()
    code = 128 - code if code < 0 else code
    # A NodeManager that was started anew is not this process's parent: it reads the end of the container from here.
    replace(pid_file + ".exitcode", str(code))
    return code


class NotAllowed(Exception):
    """The admin's container-executor.cfg does not allow what a container asks for."""


class DockerSettings:
    """The section [docker] of container-executor.cfg, in the native binary's own names."""

    def __init__(self):
        cfg = configparser.ConfigParser(delimiters=("=",), interpolation=None)
        cfg.read(os.path.join(HERE, "container-executor.cfg"), encoding="utf-8")
        self.section = cfg["docker"] if cfg.has_section("docker") else {}

    def client(self):
        return self.section.get("docker.binary", "docker").split()

    def allowed(self, what):
        return [word for word in self.section.get("docker.allowed." + what, "").split(",") if word]

    def check(self, what, value):
        if value not in self.allowed(what):
            raise NotAllowed("docker.allowed.%s does not hold %s" % (what, value))

    def check_mount(self, mount):
        source, _destination, mode = mount.split(":")
        real = os.path.realpath(source)
        if not os.path.exists(real):
            raise NotAllowed("mount %s: there is no %s" % (mount, source))
        lists = self.allowed("rw-mounts") + ([] if mode.startswith("rw") else self.allowed("ro-mounts"))
        if not any(real == path or real.startswith(path.rstrip("/") + "/") for path in map(os.path.realpath, lists)):
            raise NotAllowed("mount %s: no list of allowed mounts holds it" % mount)


def docker(*arguments):
    return subprocess.run(
        [*DockerSettings().client(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False
    )


def words(command, key):
    return [word for word in command.get(key, "").split(",") if word]


def read_command(file):
    cfg = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    cfg.read(file, encoding="utf-8")
    return cfg["docker-command-execution"]


def run_arguments(command):
    """docker run …, as far as the node plugin and the tests need it."""
    settings = DockerSettings()
    arguments = ["run", "-d", "--name=" + command["name"], "--user=" + command["user"]]
    for key, option in (("workdir", "--workdir="), ("hostname", "--hostname="), ("cgroup-parent", "--cgroup-parent=")):
        if command.get(key):
            arguments.append(option + command[key])
    if command.get("net"):
        settings.check("networks", command["net"])
        arguments.append("--net=" + command["net"])
    if command.get("runtime"):
        settings.check("runtimes", command["runtime"])
        arguments.append("--runtime=" + command["runtime"])
    if command.get("environ"):
        arguments += ["--env-file", command["environ"]]
    arguments.append("--cap-drop=ALL")
    arguments += ["--cap-add=" + capability for capability in words(command, "cap-add")]
    for mount in words(command, "mounts"):
        settings.check_mount(mount)
        arguments += ["-v", mount]
    for device in words(command, "devices"):
        settings.check("devices", device)
        arguments.append("--device=" + device)
    return [*arguments, command["image"], *words(command, "launch-command")]


def launch_in_docker(user, app, container, work, script, tokens, _http, pid_file, locals_, logs, file, *_traffic):
    prepare(user, app, container, work, script, tokens, locals_, logs)
    arguments = run_arguments(read_command(file))
    note("docker", *arguments)
    started = docker(*arguments)
    if started.returncode != 0:
        print("docker run:", started.stderr, file=sys.stderr)
        return DOCKER_FAILED
    replace(pid_file, docker("inspect", "--format={{.State.Pid}}", container).stdout.strip())
    code = docker("wait", container).stdout.strip()
    replace(pid_file + ".exitcode", code)
    return int(code)


def run_docker(file):
    command = read_command(file)
    name = command["docker-command"]
    options = {
        "stop": ["--time=" + command.get("time", "10")],
        "kill": ["--signal=" + command.get("signal", "KILL")],
        "rm": [],
        "start": [],
        "inspect": ["--format=" + command.get("format", "")],
    }
    if name not in options:
        print("stand-in for container-executor: cannot do docker", name, file=sys.stderr)
        return NOT_KNOWN
    return say(docker(name, *options[name], command["name"]))


def inspect_docker(form, container):
    return say(docker("inspect", form if form.startswith("--format") else "--format=" + form, container))


def remove_docker(*hierarchy_and_container):
    return say(docker("rm", hierarchy_and_container[-1]))


def say(done):
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return DOCKER_FAILED if done.returncode else 0


def send(pid, number):
    try:
        os.killpg(int(pid), int(number))
    except ProcessLookupError:
        return NO_SUCH_PROCESS
    return 0


def delete(directory, *bases):
    for path in [os.path.join(base, directory) if directory else base for base in bases] or [directory]:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        elif os.path.lexists(path):
            os.remove(path)
    return 0


def show(directory):
    print("\n".join(sorted(os.listdir(directory))))
    return 0


COMMANDS = {
    "0": ("localise", localise),
    "1": ("launch", launch),
    "2": ("signal", send),
    "3": ("delete", delete),
    "4": ("launch", launch_in_docker),
    "5": ("list", show),
}

DOCKER_COMMANDS = {
    "--run-docker": run_docker,
    "--inspect-docker-container": inspect_docker,
    "--remove-docker-container": remove_docker,
}


def main(arguments):
    if arguments and arguments[0].startswith("--"):
        note(*arguments)
        if arguments[0] in DOCKER_COMMANDS:
            return DOCKER_COMMANDS[arguments[0]](*arguments[1:])
        return 0 if arguments[0] == "--checksetup" or arguments[0].startswith("--module-") else NOT_KNOWN
    if len(arguments) < 3 or arguments[2] not in COMMANDS:
        print("stand-in for container-executor: cannot do", arguments, file=sys.stderr)
        return NOT_KNOWN
    name, command = COMMANDS[arguments[2]]
    note(name, *(arguments[4:5] if name in ("localise", "launch") else arguments[3:5]))
    if name in ("localise", "launch"):
        return command(arguments[1], *arguments[3:])
    return command(*arguments[3:])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NotAllowed as refusal:
        print("stand-in for container-executor:", refusal, file=sys.stderr)
        sys.exit(NOT_ALLOWED)
