/** The ApplicationMaster's HTTP server: the job's page, its status as JSON, and the runners' calls. */
@NullMarked
package io.treadle.am.web;

import org.jspecify.annotations.NullMarked;
