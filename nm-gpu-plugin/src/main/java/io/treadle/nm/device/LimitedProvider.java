// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceVendor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A provider whose calls may hang inside a driver, where nothing can interrupt them: they run on a thread of their own, and
 * who waits gives up after a while. While a call hangs, the next ones fail without being made.
 */
final class LimitedProvider implements DeviceProvider {
    private final String name;
    private final long limitMs;
    private final ExecutorService thread;
    private final DeviceProvider provider;
    private Future<?> last = CompletableFuture.completedFuture(null);

    private LimitedProvider(String name, Callable<DeviceProvider> open, long limitMs) {
        this.name = name;
        this.limitMs = limitMs;
        this.thread = Executors.newSingleThreadExecutor(run -> {
            Thread t = new Thread(run, "treadle-" + name);
            t.setDaemon(true);
            return t;
        });
        try {
            this.provider = call(open);
        } catch (DeviceProviderException e) {
            // The thread itself ends when the driver comes back.
            thread.shutdown();
            throw e;
        }
    }

    /**
     * @param name of the provider, for people
     * @param limitMs the longest that a call is waited for, ms
     * @throws DeviceProviderException if the provider cannot be opened, or not within that time
     */
    static DeviceProvider open(String name, Callable<DeviceProvider> open, long limitMs) {
        return new LimitedProvider(name, open, limitMs);
    }

    private <T> T call(Callable<T> action) {
        if (!last.isDone()) {
            throw hangs();
        }
        Future<T> running = thread.submit(action);
        last = running;
        try {
            return running.get(limitMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw hangs();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceProviderException(name + " was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DeviceProviderException known) {
                throw known;
            }
            if (e.getCause() instanceof PowerLimitException refused) {
                throw new Refused(refused);
            }
            throw new DeviceProviderException(name + " failed: " + e.getCause(), e);
        }
    }

    private DeviceProviderException hangs() {
        return new DeviceProviderException(name + " gave no answer within " + limitMs
                + " ms.\nMaybe the driver hangs: see dmesg, and try nvidia-smi by hand.");
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public List<GpuDevice> devices() {
        return provider.devices();
    }

    @Override
    public DeviceVendor vendor() {
        return provider.vendor();
    }

    @Override
    public List<String> deviceFiles(String uuid) {
        return provider.deviceFiles(uuid);
    }

    @Override
    public List<String> leftOut() {
        return provider.leftOut();
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        return call(() -> provider.read(held));
    }

    @Override
    public Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
        return call(() -> provider.processes(holders));
    }

    @Override
    public PowerLimits limits(String uuid) throws PowerLimitException {
        return refusing(() -> provider.limits(uuid));
    }

    @Override
    public void setLimit(String uuid, long milliwatts) throws PowerLimitException {
        var unused = refusing(() -> {
            provider.setLimit(uuid, milliwatts);
            return true;
        });
    }

    private <T> T refusing(Callable<T> action) throws PowerLimitException {
        try {
            return call(action);
        } catch (Refused e) {
            throw e.refusal;
        } catch (DeviceProviderException e) {
            throw new PowerLimitException(PowerLimitException.Reason.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** A refusal on its way through {@link #call}. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final PowerLimitException refusal;

        Refused(PowerLimitException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }

    @Override
    public boolean simulated() {
        return provider.simulated();
    }

    /** Does not wait: a call that hangs may never return. */
    @Override
    public void close() {
        thread.execute(provider::close);
        thread.shutdown();
    }
}
