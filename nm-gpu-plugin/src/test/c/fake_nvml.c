/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for NVIDIA's libnvidia-ml.so.1. Every call reads the file "<this library>.state" anew:
 *   init <code>                                                          what nvmlInit_v2 answers
 *   reset <n>                       a GPU was reset: until the next nvmlInit_v2 every device answers 15 (GPU_IS_LOST)
 *   gpu <uuid> <name> <MiB> <used MiB> <mW> <limit mW> <util> <celsius> <mJ> <code>   one device a line
 * A device's code other than 0 is what every call on it answers; mW or mJ below 0 answer 3 (NOT_SUPPORTED).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MOST 16

struct gpu {
    char uuid[80], name[80];
    long long mib, used, mw, limit, util, celsius, mj;
    int code;
};

static struct gpu gpus[MOST];
static int count, init_code, started, resets, resets_at_start;
static int handles[MOST];

static void load(void) {
    Dl_info self;
    char path[4096], line[512];
    count = 0;
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
        if (count < MOST
            && sscanf(line, "gpu %79s %79s %lld %lld %lld %lld %lld %lld %lld %d", g->uuid, g->name, &g->mib, &g->used,
                      &g->mw, &g->limit, &g->util, &g->celsius, &g->mj, &g->code) == 10)
            count++;
    }
    fclose(file);
}

static int find(void *device, struct gpu **gpu) {
    load();
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
int nvmlDeviceGetPowerUsage(void *d, unsigned *mw) { GPU(d); if (g->mw < 0) return 3; *mw = (unsigned) g->mw; return 0; }
int nvmlDeviceGetPowerManagementLimit(void *d, unsigned *mw) { GPU(d); if (g->limit < 0) return 3; *mw = (unsigned) g->limit; return 0; }
int nvmlDeviceGetUtilizationRates(void *d, unsigned *u) { GPU(d); u[0] = (unsigned) g->util; u[1] = 0; return 0; }
int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *c) { GPU(d); if (sensor) return 2; *c = (unsigned) g->celsius; return 0; }
#ifndef BEFORE_VOLTA
int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *mj) {
    GPU(d);
    if (g->mj < 0) return 3;
    *mj = (unsigned long long) g->mj;
    return 0;
}
#endif
