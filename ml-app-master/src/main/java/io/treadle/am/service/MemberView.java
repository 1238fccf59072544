// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

/**
 * A worker's container, to those who look.
 *
 * @param state a name of {@link FleetMember.State}, in lower case
 * @param node that runs it
 * @param nodeHttpAddress the node's page, {@code host:port}
 * @param host where it listens; empty before it has said so
 */
record MemberView(String containerId, String state, String node, String nodeHttpAddress, String host, int port) {}
