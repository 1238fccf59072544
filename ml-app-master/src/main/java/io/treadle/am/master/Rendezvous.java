// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** Where rank 0 of the current start listens. */
record Rendezvous(String host, int port) {}
