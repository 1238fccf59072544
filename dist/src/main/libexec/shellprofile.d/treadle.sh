#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes `yarn treadle ...` the same as bin/treadle. Link this file into $HADOOP_CONF_DIR/shellprofile.d
# (a link, not a copy: Treadle's directory is found through it).

if [[ "${HADOOP_SHELL_EXECNAME}" = yarn ]]; then
  hadoop_add_subcommand "treadle" client "submit, follow and explain machine-learning jobs"
fi

TREADLE_HOME=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")

## @description  treadle command for yarn
## @audience     public
## @stability    evolving
## @replaceable  no
function yarn_subcommand_treadle
{
  exec "${TREADLE_HOME}/bin/treadle" "$@"
}
