/** Classes that the ResourceManager's page router finds by their package and name; they hold no logic. */
@NullMarked
package org.apache.hadoop.yarn.server.resourcemanager.webapp;

import org.jspecify.annotations.NullMarked;
