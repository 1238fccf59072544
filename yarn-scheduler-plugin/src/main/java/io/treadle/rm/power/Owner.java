// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

/**
 * Whose a container is.
 *
 * @param application the application's id
 * @param queue full path of its leaf queue now
 */
public record Owner(String application, String user, String queue) {}
