// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** Everything outside the job that its state machine acts on. */
record Outside(RmGateway rm, NmGateway nm, RunnerGateway runners, StateStore store, JobNode node) {}
