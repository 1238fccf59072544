// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/** Placeholder for compile. */
final class TorchDemo {
    TorchDemo(DemoOptions options, DemoReport report, Screen screen) {}

    boolean run() throws InterruptedException {
        return false;
    }
}
