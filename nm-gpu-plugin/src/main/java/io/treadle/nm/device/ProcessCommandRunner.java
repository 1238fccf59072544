// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs commands as processes, each at most for the given time: a broken driver can hang nvidia-smi for ever. */
public final class ProcessCommandRunner implements CommandRunner {
    private final long timeoutMs;

    public ProcessCommandRunner(long timeoutMs) {
        this.timeoutMs = timeoutMs;
    }

    @Override
    public Result run(List<String> command) {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new DeviceProviderException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
        CompletableFuture<byte[]> output = CompletableFuture.supplyAsync(() -> {
            try {
                return process.getInputStream().readAllBytes();
            } catch (IOException e) {
                return new byte[0];
            }
        });
        try {
            byte[] bytes = output.get(timeoutMs, TimeUnit.MILLISECONDS);
            if (process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
                return new Result(process.exitValue(), new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (TimeoutException e) {
            // Complained about below.
        } catch (ExecutionException e) {
            throw new DeviceProviderException("cannot read the output of " + command.get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        throw new DeviceProviderException(
                command.get(0) + " gave no answer within " + timeoutMs + " ms.\nMaybe the NVIDIA driver hangs");
    }
}
