// SPDX-License-Identifier: Apache-2.0
/**
 * What CapacityScheduler's metrics let only classes of their own package replace. The package is not marked for null as a
 * whole: Hadoop's classes in it are not.
 */
package org.apache.hadoop.yarn.server.resourcemanager.scheduler;
