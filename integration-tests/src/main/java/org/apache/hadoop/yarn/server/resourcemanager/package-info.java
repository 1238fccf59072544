// SPDX-License-Identifier: Apache-2.0
/** What must be in Hadoop's package. */
@NullMarked
package org.apache.hadoop.yarn.server.resourcemanager;

import org.jspecify.annotations.NullMarked;
