// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.resource;

/**
 * Amounts of every resource that Treadle schedules. All are whole numbers, so that sums and comparisons are exact and a
 * plan is reproducible to the bit. Amounts may be negative only as the result of {@link #minus}.
 *
 * @param gpus whole GPU devices
 * @param vcores CPU cores as YARN counts them
 * @param memoryMiB host memory, MiB
 * @param gpuMemoryMiB memory of a slice of one GPU, MiB; 0 where whole GPUs are asked for
 * @param storageMBps storage bandwidth, MB/s
 * @param watts electrical power, W
 */
public record ResourceVector(long gpus, long vcores, long memoryMiB, long gpuMemoryMiB, long storageMBps, long watts) {

    public static final ResourceVector ZERO = new ResourceVector(0, 0, 0, 0, 0, 0);

    /** A vector of the three resources that most jobs name. */
    public static ResourceVector of(long gpus, long vcores, long memoryMiB) {
        return new ResourceVector(gpus, vcores, memoryMiB, 0, 0, 0);
    }

    public ResourceVector plus(ResourceVector other) {
        return new ResourceVector(
                gpus + other.gpus,
                vcores + other.vcores,
                memoryMiB + other.memoryMiB,
                gpuMemoryMiB + other.gpuMemoryMiB,
                storageMBps + other.storageMBps,
                watts + other.watts);
    }

    public ResourceVector minus(ResourceVector other) {
        return plus(other.times(-1));
    }

    public ResourceVector times(long factor) {
        return new ResourceVector(
                gpus * factor,
                vcores * factor,
                memoryMiB * factor,
                gpuMemoryMiB * factor,
                storageMBps * factor,
                watts * factor);
    }

    /** {@code this × numerator ÷ denominator} in every dimension, rounded down. */
    public ResourceVector share(long numerator, long denominator) {
        return new ResourceVector(
                gpus * numerator / denominator,
                vcores * numerator / denominator,
                memoryMiB * numerator / denominator,
                gpuMemoryMiB * numerator / denominator,
                storageMBps * numerator / denominator,
                watts * numerator / denominator);
    }

    public ResourceVector max(ResourceVector other) {
        return new ResourceVector(
                Math.max(gpus, other.gpus),
                Math.max(vcores, other.vcores),
                Math.max(memoryMiB, other.memoryMiB),
                Math.max(gpuMemoryMiB, other.gpuMemoryMiB),
                Math.max(storageMBps, other.storageMBps),
                Math.max(watts, other.watts));
    }

    public ResourceVector min(ResourceVector other) {
        return new ResourceVector(
                Math.min(gpus, other.gpus),
                Math.min(vcores, other.vcores),
                Math.min(memoryMiB, other.memoryMiB),
                Math.min(gpuMemoryMiB, other.gpuMemoryMiB),
                Math.min(storageMBps, other.storageMBps),
                Math.min(watts, other.watts));
    }

    /** The amounts in the dimensions in which {@code mask} is above zero; zero in the others. */
    public ResourceVector where(ResourceVector mask) {
        return new ResourceVector(
                mask.gpus > 0 ? gpus : 0,
                mask.vcores > 0 ? vcores : 0,
                mask.memoryMiB > 0 ? memoryMiB : 0,
                mask.gpuMemoryMiB > 0 ? gpuMemoryMiB : 0,
                mask.storageMBps > 0 ? storageMBps : 0,
                mask.watts > 0 ? watts : 0);
    }

    public boolean isZero() {
        return (gpus | vcores | memoryMiB | gpuMemoryMiB | storageMBps | watts) == 0;
    }

    /** Whether no dimension is above {@code capacity}'s. */
    public boolean fitsIn(ResourceVector capacity) {
        return gpus <= capacity.gpus
                && vcores <= capacity.vcores
                && memoryMiB <= capacity.memoryMiB
                && gpuMemoryMiB <= capacity.gpuMemoryMiB
                && storageMBps <= capacity.storageMBps
                && watts <= capacity.watts;
    }

    /** How many times {@code part} fits into this; {@code Long.MAX_VALUE} where it is nothing. */
    public long count(ResourceVector part) {
        long count = Long.MAX_VALUE;
        count = Math.min(count, count(gpus, part.gpus));
        count = Math.min(count, count(vcores, part.vcores));
        count = Math.min(count, count(memoryMiB, part.memoryMiB));
        count = Math.min(count, count(gpuMemoryMiB, part.gpuMemoryMiB));
        count = Math.min(count, count(storageMBps, part.storageMBps));
        return Math.min(count, count(watts, part.watts));
    }

    private static long count(long amount, long part) {
        return part <= 0 ? Long.MAX_VALUE : Math.max(0, amount) / part;
    }

    public ResourceVector withVcores(long newVcores) {
        return new ResourceVector(gpus, newVcores, memoryMiB, gpuMemoryMiB, storageMBps, watts);
    }

    public ResourceVector withMemoryMiB(long newMemoryMiB) {
        return new ResourceVector(gpus, vcores, newMemoryMiB, gpuMemoryMiB, storageMBps, watts);
    }

    public ResourceVector withWatts(long other) {
        return new ResourceVector(gpus, vcores, memoryMiB, gpuMemoryMiB, storageMBps, other);
    }

    public ResourceVector withStorageMBps(long newStorageMBps) {
        return new ResourceVector(gpus, vcores, memoryMiB, gpuMemoryMiB, newStorageMBps, watts);
    }

    public ResourceVector withGpuMemoryMiB(long newGpuMemoryMiB) {
        return new ResourceVector(gpus, vcores, memoryMiB, newGpuMemoryMiB, storageMBps, watts);
    }

    public ResourceVector withGpus(long newGpus) {
        return new ResourceVector(newGpus, vcores, memoryMiB, gpuMemoryMiB, storageMBps, watts);
    }

    /** The amounts that are not zero, with units, as an admin reads them: {@code 2 GPUs, 6 vcores, 8192 MiB}. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        append(text, gpus, gpus == 1 ? " GPU" : " GPUs");
        append(text, gpuMemoryMiB, " MiB of GPU memory");
        append(text, vcores, vcores == 1 ? " vcore" : " vcores");
        append(text, memoryMiB, " MiB");
        append(text, storageMBps, " MB/s");
        append(text, watts, " W");
        return text.isEmpty() ? "nothing" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(text.isEmpty() ? "" : ", ").append(amount).append(unit);
        }
    }
}
