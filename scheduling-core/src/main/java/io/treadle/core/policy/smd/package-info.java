/**
 * Policies that choose how many workers and parameter servers jobs get, and who is admitted, by what their ends are worth:
 * SMD as we reconstructed it (Yu et al., INFOCOM 2021, of which the abstract alone could be read), with the rules that it is
 * compared to.
 */
@NullMarked
package io.treadle.core.policy.smd;

import org.jspecify.annotations.NullMarked;
