// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.yarn.NmGateway;
import io.treadle.am.yarn.RmGateway;

/** Everything outside the job that its state machine acts on. */
record Outside(RmGateway rm, NmGateway nm, RunnerGateway runners, StateStore store, JobNode node) {}
