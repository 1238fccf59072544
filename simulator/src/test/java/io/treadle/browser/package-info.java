// SPDX-License-Identifier: Apache-2.0
/** Real pages in a real browser: headless Chromium, driven by its own driver over the W3C WebDriver protocol. */
@NullMarked
package io.treadle.browser;

import org.jspecify.annotations.NullMarked;
