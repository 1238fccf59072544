// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

/**
 * A worker as the next ApplicationMaster has to know it.
 *
 * @param host where it listens; empty before it has said so
 */
record SavedWorker(String containerId, String host, int port) {}
