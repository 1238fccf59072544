/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for NVIDIA's libnvidia-ml.so.1. Every call reads the file "<this library>.state" anew:
 *   init <code>                                                          what nvmlInit_v2 answers
 *   reset <n>                       a GPU was reset: until the next nvmlInit_v2 every device answers 15 (GPU_IS_LOST)
 *   gpu <uuid> <name> <MiB> <used MiB> <mW> <limit mW> <util> <celsius> <mJ> <code>   one device a line
 *   power <uuid> <min mW> <max mW> <default mW> <set code> <applied> <enforced mW> <SM MHz> <throttle bits>
 *   processes <uuid> <code>         what asking which processes use it answers; 3 (NOT_SUPPORTED) without such a line
 *   use <uuid> <pid> <us> <percent> one sample of a process
 *   migmode <uuid> <0|1>            whether MIG divides the device; without such a line it answers 3 (NOT_SUPPORTED)
 *   mig <uuid of the device> <place> <uuid> <name> <MiB> <used MiB> <code>   a MIG instance in one of 7 places
 * "set code" is what setting a limit answers; where "applied" is 0 it answers well and changes nothing; "enforced" below 0
 * is the limit that is set. A device without such a line answers 3 to all that is asked of its limits but the one in "gpu".
 * Limits that were set stand in "<this library>.limits", one "<uuid> <mW>" a line, and outlive the process.
 * A device's code other than 0 is what every call on it answers; mW or mJ below 0 answer 3 (NOT_SUPPORTED).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MOST 16
/* What the driver keeps of each board for itself: part of "used MiB" by the old function, apart from it by the new one. */
#define RESERVED_MIB 600

struct gpu {
    char uuid[80], name[80];
    long long mib, used, mw, limit, util, celsius, mj;
    int code;
    int has_power, set_code, applied, mhz;
    long long min, max, initial, enforced;
    unsigned long long throttle;
    int processes_code, uses, mig_mode, is_instance;
    struct use { unsigned pid; unsigned long long us; unsigned sm, mem, enc, dec; } use[MOST];
};

#define PLACES 7

static struct gpu gpus[MOST];
static struct instance { char card[80]; int place; struct gpu is; } instances[MOST * PLACES];
static int instance_count;
static int instance_handles[MOST * PLACES];
static int count, init_code, started, resets, resets_at_start;
static int handles[MOST];

static void load(void) {
    Dl_info self;
    char path[4096], line[512], uuid[80];
    long long limit;
    struct gpu power;
    memset(gpus, 0, sizeof gpus);
    memset(instances, 0, sizeof instances);
    count = 0;
    instance_count = 0;
    init_code = 0;
    resets = 0;
    if (!dladdr((void *) load, &self)) return;
    snprintf(path, sizeof path, "%s.state", self.dli_fname);
    FILE *file = fopen(path, "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        struct gpu *g = &gpus[count];
        if (sscanf(line, "init %d", &init_code) == 1) continue;
        if (sscanf(line, "reset %d", &resets) == 1) continue;
        if (sscanf(line, "power %79s %lld %lld %lld %d %d %lld %d %llu", power.uuid, &power.min, &power.max,
                   &power.initial, &power.set_code, &power.applied, &power.enforced, &power.mhz, &power.throttle) == 9) {
            for (int i = 0; i < count; i++) {
                if (strcmp(gpus[i].uuid, power.uuid)) continue;
                gpus[i].has_power = 1;
                gpus[i].min = power.min;
                gpus[i].max = power.max;
                gpus[i].initial = power.initial;
                gpus[i].set_code = power.set_code;
                gpus[i].applied = power.applied;
                gpus[i].enforced = power.enforced;
                gpus[i].mhz = power.mhz;
                gpus[i].throttle = power.throttle;
            }
            continue;
        }
        int processes_code;
        struct use use = {0};
        if (sscanf(line, "processes %79s %d", uuid, &processes_code) == 2) {
            for (int i = 0; i < count; i++)
                if (!strcmp(gpus[i].uuid, uuid)) gpus[i].processes_code = processes_code;
            continue;
        }
        if (sscanf(line, "use %79s %u %llu %u", uuid, &use.pid, &use.us, &use.sm) == 4) {
            for (int i = 0; i < count; i++)
                if (!strcmp(gpus[i].uuid, uuid) && gpus[i].uses < MOST) gpus[i].use[gpus[i].uses++] = use;
            continue;
        }
        int mig_mode;
        if (sscanf(line, "migmode %79s %d", uuid, &mig_mode) == 2) {
            for (int i = 0; i < count; i++)
                if (!strcmp(gpus[i].uuid, uuid)) gpus[i].mig_mode = mig_mode;
            continue;
        }
        struct instance *mig = &instances[instance_count];
        if (sscanf(line, "mig %79s %d %79s %79s %lld %lld %d", mig->card, &mig->place, mig->is.uuid, mig->is.name,
                   &mig->is.mib, &mig->is.used, &mig->is.code) == 7) {
            mig->is.mw = mig->is.limit = mig->is.mj = -1;
            mig->is.processes_code = 3;
            mig->is.is_instance = 1;
            instance_count++;
            continue;
        }
        g->processes_code = 3;
        g->mig_mode = -1;
        if (count < MOST
            && sscanf(line, "gpu %79s %79s %lld %lld %lld %lld %lld %lld %lld %d", g->uuid, g->name, &g->mib, &g->used,
                      &g->mw, &g->limit, &g->util, &g->celsius, &g->mj, &g->code) == 10)
            count++;
    }
    fclose(file);
    snprintf(path, sizeof path, "%s.limits", self.dli_fname);
    file = fopen(path, "r");
    if (!file) return;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%79s %lld", uuid, &limit) == 2)
            for (int i = 0; i < count; i++)
                if (!strcmp(gpus[i].uuid, uuid)) gpus[i].limit = limit;
    fclose(file);
}

static int find(void *device, struct gpu **gpu) {
    load();
    int place = (int) ((int *) device - instance_handles);
    if (place >= 0 && place < MOST * PLACES) {
        if (place >= instance_count) return 2;
        *gpu = &instances[place].is;
        return resets == resets_at_start ? (*gpu)->code : 15;
    }
    int index = (int) ((int *) device - handles);
    if (index < 0 || index >= count) return 2;
    *gpu = &gpus[index];
    return resets == resets_at_start ? gpus[index].code : 15;
}

#define GPU(device) struct gpu *g; int code = find(device, &g); if (code) return code

int nvmlInit_v2(void) {
    load();
    started = !init_code;
    resets_at_start = resets;
    return init_code;
}
int nvmlShutdown(void) { started = 0; return 0; }
const char *nvmlErrorString(int code) {
    switch (code) {
        case 1: return "Uninitialized";
        case 4: return "Insufficient Permissions";
        case 9: return "Driver Not Loaded";
        case 15: return "GPU is lost";
        case 18: return "Driver/library version mismatch";
        default: return "Unknown Error";
    }
}
int nvmlDeviceGetCount_v2(unsigned *n) { load(); *n = (unsigned) count; return !started || init_code == 1 ? 1 : 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    load();
    if ((int) index >= count) return 2;
    if (gpus[index].code) return gpus[index].code;
    *device = &handles[index];
    return 0;
}
int nvmlDeviceGetUUID(void *d, char *out, unsigned n) { GPU(d); snprintf(out, n, "%s", g->uuid); return 0; }
int nvmlDeviceGetName(void *d, char *out, unsigned n) { GPU(d); snprintf(out, n, "%s", g->name); return 0; }
int nvmlDeviceGetMemoryInfo(void *d, unsigned long long *m) {
    GPU(d);
    m[0] = (unsigned long long) g->mib << 20;
    m[2] = (unsigned long long) g->used << 20;
    m[1] = m[0] - m[2];
    return 0;
}
#ifndef BEFORE_510
int nvmlDeviceGetMemoryInfo_v2(void *d, unsigned long long *m) {
    GPU(d);
    if ((unsigned) m[0] != 0x02000028) return 25;
    m[1] = (unsigned long long) g->mib << 20;
    m[2] = (unsigned long long) (g->is_instance || g->used < RESERVED_MIB ? 0 : RESERVED_MIB) << 20;
    m[4] = ((unsigned long long) g->used << 20) - m[2];
    m[3] = m[1] - m[2] - m[4];
    return 0;
}
#endif
int nvmlDeviceGetPowerUsage(void *d, unsigned *mw) { GPU(d); if (g->mw < 0) return 3; *mw = (unsigned) g->mw; return 0; }
int nvmlDeviceGetPowerManagementLimit(void *d, unsigned *mw) { GPU(d); if (g->limit < 0) return 3; *mw = (unsigned) g->limit; return 0; }
int nvmlDeviceGetUtilizationRates(void *d, unsigned *u) { GPU(d); if (g->is_instance) return 3; u[0] = (unsigned) g->util; u[1] = 0; return 0; }
int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *c) { GPU(d); if (sensor) return 2; *c = (unsigned) g->celsius; return 0; }
#ifndef BEFORE_VOLTA
int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *mj) {
    GPU(d);
    if (g->mj < 0) return 3;
    *mj = (unsigned long long) g->mj;
    return 0;
}
#endif
#ifndef WITHOUT_LIMITS
#define POWER(device) if (!started) return 1; GPU(device); if (!g->has_power) return 3
int nvmlDeviceGetPowerManagementLimitConstraints(void *d, unsigned *min, unsigned *max) {
    POWER(d);
    *min = (unsigned) g->min;
    *max = (unsigned) g->max;
    return 0;
}
int nvmlDeviceGetPowerManagementDefaultLimit(void *d, unsigned *mw) { POWER(d); *mw = (unsigned) g->initial; return 0; }
int nvmlDeviceGetEnforcedPowerLimit(void *d, unsigned *mw) {
    POWER(d);
    *mw = (unsigned) (g->enforced < 0 ? g->limit : g->enforced);
    return 0;
}
int nvmlDeviceSetPowerManagementLimit(void *d, unsigned mw) {
    POWER(d);
    if (g->set_code) return g->set_code;
    if (mw < g->min || mw > g->max) return 2;
    if (!g->applied) return 0;
    Dl_info self;
    char path[4096];
    if (!dladdr((void *) load, &self)) return 999;
    snprintf(path, sizeof path, "%s.limits", self.dli_fname);
    FILE *file = fopen(path, "a");
    if (!file) return 999;
    fprintf(file, "%s %u\n", g->uuid, mw);
    fclose(file);
    return 0;
}
int nvmlDeviceGetClockInfo(void *d, int type, unsigned *mhz) { POWER(d); if (type != 1) return 2; *mhz = (unsigned) g->mhz; return 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *bits) { POWER(d); *bits = g->throttle; return 0; }
#endif
#ifndef WITHOUT_MIG
int nvmlDeviceGetMigMode(void *d, unsigned *current, unsigned *pending) {
    GPU(d);
    if (g->mig_mode < 0) return 3;
    *current = *pending = (unsigned) g->mig_mode;
    return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(void *d, unsigned *n) { GPU(d); *n = g->mig_mode == 1 ? PLACES : 0; return 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *d, unsigned index, void **handle) {
    GPU(d);
    for (int i = 0; i < instance_count; i++)
        if (!strcmp(instances[i].card, g->uuid) && instances[i].place == (int) index) {
            *handle = &instance_handles[i];
            return 0;
        }
    return 6;
}
#endif
#ifndef WITHOUT_PROCESSES
/* As the driver: without room it says how much is needed, which is all that its buffer has. */
int nvmlDeviceGetProcessUtilization(void *d, struct use *out, unsigned *n, unsigned long long since) {
    GPU(d);
    if (g->processes_code) return g->processes_code;
    unsigned room = *n, found = 0;
    *n = (unsigned) g->uses;
    if (!out || room < (unsigned) g->uses) return g->uses ? 7 : 6;
    for (int i = 0; i < g->uses; i++)
        if (g->use[i].us > since) out[found++] = g->use[i];
    *n = found;
    return found ? 0 : 6;
}
#endif
