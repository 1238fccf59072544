/** What a policy knows of a job: its task groups, the tasks that run, its profile and its progress. */
@NullMarked
package io.treadle.core.job;

import org.jspecify.annotations.NullMarked;
