// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.storage;

import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage bandwidth that the node advertises, MB/s: the admin's number, else where that is switched on what was
 * measured once on the NodeManager's local directories. Directories on several file systems add up.
 */
public final class StorageBandwidth {
    private static final Logger LOG = LoggerFactory.getLogger(StorageBandwidth.class);
    private static final long BYTES_PER_MIB = 1L << 20;

    private StorageBandwidth() {}

    /** Measures where that has to be done; takes up to the set seconds for each file system. Empty for none. */
    public static OptionalLong atStart(NodeConf conf) {
        return atStart(conf, System::nanoTime);
    }

    static OptionalLong atStart(NodeConf conf, LongSupplier nanoTime) {
        OptionalLong known = known(conf);
        if (known.isPresent() || !conf.storageMeasure()) {
            return known;
        }
        long sum = 0;
        StorageMeasurement measurement = new StorageMeasurement(
                conf.storageMeasureMiB() * BYTES_PER_MIB, conf.storageMeasureSeconds(), nanoTime);
        for (Path directory : oneForEachFileSystem(conf)) {
            LOG.info(
                    "measuring the storage bandwidth of {}: at most {} MiB and {} s",
                    directory,
                    conf.storageMeasureMiB(),
                    conf.storageMeasureSeconds());
            try {
                StorageMeasurement.Speed speed = measurement.in(directory);
                LOG.info(
                        "{} writes {} MB/s and reads {} (a file of {} MiB)",
                        directory,
                        speed.writeMBps(),
                        speed.readMBps().isPresent()
                                ? speed.readMBps().getAsLong() + " MB/s"
                                : "what the page cache hides",
                        speed.bytes() / BYTES_PER_MIB);
                sum += speed.slower();
            } catch (IOException e) {
                LOG.warn("cannot measure the storage bandwidth of {}: {}", directory, e.toString());
            }
        }
        if (sum == 0) {
            LOG.error(
                    "no storage bandwidth could be measured: this node advertises none.\nMaybe set {}",
                    NodeConf.STORAGE_BANDWIDTH_MBPS);
            return OptionalLong.empty();
        }
        new StorageResult(conf.localDirs(), sum).save(StorageResult.file(conf));
        return OptionalLong.of(sum);
    }

    /** What is set, or was measured at an earlier start; never measures. */
    public static OptionalLong known(NodeConf conf) {
        if (conf.storageBandwidthMBps() > 0) {
            return OptionalLong.of(conf.storageBandwidthMBps());
        }
        return conf.storageMeasure()
                ? StorageResult.load(StorageResult.file(conf), conf.localDirs())
                : OptionalLong.empty();
    }

    /** The NodeManager makes its directories only later: one that is not there yet is measured where it will be made. */
    private static Iterable<Path> oneForEachFileSystem(NodeConf conf) {
        Map<FileStore, Path> directories = new LinkedHashMap<>();
        for (Path local : conf.localDirs()) {
            Path existing = local;
            while (!Files.isDirectory(existing) && existing.getParent() != null) {
                existing = existing.getParent();
            }
            try {
                directories.putIfAbsent(Files.getFileStore(existing), existing);
            } catch (IOException e) {
                LOG.warn("cannot tell the file system of {}: {}", local, e.toString());
            }
        }
        return directories.values();
    }
}
