#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for Hadoop's native container-executor, for tests alone. It is NOT Hadoop's binary.

It has the command line that LinuxContainerExecutor of Hadoop 3.5.0 uses, and makes no change of user: everything runs as
the user who calls it. What it does is real: files, processes, signals, and the kernel's cgroups. Each call is noted in
calls.log beside this file.

  --checksetup | --module-gpu … | --module-devices …
  RUN_AS USER 0 APP CONTAINER TOKENS LOCAL_DIRS LOG_DIRS JAVA ARGUMENT…              localise
  RUN_AS USER 1 APP CONTAINER WORK_DIR SCRIPT TOKENS --http PID_FILE LOCAL_DIRS LOG_DIRS cgroups=FILE%FILE…   launch
  RUN_AS USER 2 PID SIGNAL
  RUN_AS USER 3 DIRECTORY [BASE…]                                                     delete
  RUN_AS USER 5 DIRECTORY                                                             list
"""

import os
import shutil
import subprocess
import sys

NO_SUCH_PROCESS = 9
CGROUP_NOT_WRITTEN = 27
NOT_KNOWN = 3


def note(*words):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.log"), "a", encoding="utf-8") as log:
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


def launch(user, app, container, work, script, tokens, _http, pid_file, locals_, logs, resources, *_traffic):
    for local in directories(locals_):
        os.makedirs(os.path.join(app_directory(local, user, app), container), mode=0o750, exist_ok=True)
    os.makedirs(os.path.join(work, "tmp"), mode=0o750, exist_ok=True)
    for log in directories(logs):
        os.makedirs(os.path.join(log, app, container), mode=0o750, exist_ok=True)
    shutil.copy(script, os.path.join(work, "launch_container.sh"))
    shutil.copy(tokens, os.path.join(work, "container_tokens"))

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
    "5": ("list", show),
}


def main(arguments):
    if arguments and arguments[0].startswith("--"):
        note(*arguments)
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
    sys.exit(main(sys.argv[1:]))
