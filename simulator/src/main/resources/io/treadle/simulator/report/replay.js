// SPDX-License-Identifier: Apache-2.0
// What was where at a moment.

const firstCell = new Int32Array(settings.nodes.length + 1);
settings.gpus.forEach((gpus, node) => firstCell[node + 1] = firstCell[node] + gpus);
const cellCount = firstCell[settings.nodes.length];

/** The runs of one policy by GPU, by job and by time; each question costs little, whatever the moment. */
class Replay {
  constructor(jobs, runs, down) {
    this.jobs = jobs;
    this.runs = runs;
    this.down = down;
    this.byCell();
    this.byJob();
    this.byTime();
    this.findMoves();
  }

  /** Which nodes are down at a moment. */
  nodesDown(ms) {
    return new Set(this.down.filter(([, fromMs, toMs]) => fromMs <= ms && ms < toMs).map(([node]) => node));
  }

  byCell() {
    const runs = this.runs;
    this.cellStart = new Int32Array(cellCount + 1);
    this.isShared = new Uint8Array(cellCount);
    const visit = action => {
      for (let run = 0; run < runs.fromMs.length; run++) {
        if (runs.toMs[run] > runs.fromMs[run]) {
          for (let piece = runs.firstPiece[run]; piece < runs.firstPiece[run + 1]; piece++) {
            for (let i = runs.firstSlot[piece]; i < runs.firstSlot[piece + 1]; i++) {
              action(firstCell[runs.node[piece]] + runs.slots[i], run, piece);
            }
          }
        }
      }
    };
    visit((cell, run, piece) => {
      this.cellStart[cell + 1]++;
      this.isShared[cell] |= runs.parts[piece] > 0 ? 1 : 0;
    });
    for (let cell = 0; cell < cellCount; cell++) {
      this.cellStart[cell + 1] += this.cellStart[cell];
    }
    const next = this.cellStart.slice();
    this.cellRuns = new Int32Array(this.cellStart[cellCount]);
    visit((cell, run) => this.cellRuns[next[cell]++] = run);
  }

  byJob() {
    const count = this.jobs.ids.length;
    this.jobStart = new Int32Array(count + 1);
    this.runs.job.forEach(job => this.jobStart[job + 1]++);
    for (let job = 0; job < count; job++) {
      this.jobStart[job + 1] += this.jobStart[job];
    }
    const next = this.jobStart.slice();
    this.jobRuns = new Int32Array(this.runs.job.length);
    this.runs.job.forEach((job, run) => this.jobRuns[next[job]++] = run);
  }

  byTime() {
    this.stopsMs = this.runs.toMs.slice().sort();
    this.endsMs = this.runs.toMs.filter((to, run) => this.runs.isLast[run]).sort();
    // A job without an end that never ran was left out when it came: it does not wait.
    this.outMs = this.jobs.submitMs.filter(
        (ms, job) => !this.jobs.aloneMs[job] && this.jobStart[job] === this.jobStart[job + 1]);
  }

  nodesOf(run) {
    return this.runs.node.subarray(this.runs.firstPiece[run], this.runs.firstPiece[run + 1]);
  }

  /** Runs that go on elsewhere than the job's run before, in order of time. */
  findMoves() {
    this.moves = [];
    for (let i = 1; i < this.jobRuns.length; i++) {
      const run = this.jobRuns[i], before = this.jobRuns[i - 1];
      if (this.runs.job[run] === this.runs.job[before]) {
        const now = this.nodesOf(run), then = this.nodesOf(before);
        if (now.length !== then.length || now.some((node, j) => node !== then[j])) {
          this.moves.push({
            atMs: this.runs.fromMs[run], before, run, isDirect: this.runs.toMs[before] === this.runs.fromMs[run],
          });
        }
      }
    }
    this.moves.sort((a, b) => a.atMs - b.atMs || a.run - b.run);
    this.movesMs = this.moves.map(move => move.atMs);
  }

  movesBetween(fromMs, toMs) {
    return this.moves.slice(countUpTo(this.movesMs, fromMs), countUpTo(this.movesMs, toMs));
  }

  /** The runs that hold a GPU at a moment: one, or several that share it; by start. */
  runsOn(cell, ms) {
    const start = this.cellStart[cell];
    let low = start, high = this.cellStart[cell + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.runs.fromMs[this.cellRuns[middle]] <= ms) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const from = this.isShared[cell] ? start : Math.max(start, low - 1);
    return Array.from(this.cellRuns.subarray(from, low)).filter(run => this.runs.toMs[run] > ms);
  }

  /** How many jobs run and wait. */
  counts(ms) {
    const started = countUpTo(this.runs.fromMs, ms), stopped = countUpTo(this.stopsMs, ms);
    const running = started - stopped;
    const came = countUpTo(this.jobs.submitMs, ms);
    return {running, waiting: came - running - countUpTo(this.endsMs, ms) - countUpTo(this.outMs, ms)};
  }

  /** The nearest moment after this one, or before it, at which something starts or stops. */
  change(ms, forward) {
    const from = this.runs.fromMs, to = this.stopsMs;
    if (forward) {
      const next = Math.min(from[countUpTo(from, ms)] ?? Infinity, to[countUpTo(to, ms)] ?? Infinity);
      return Number.isFinite(next) ? next : ms;
    }
    const before = Math.max(from[countUpTo(from, ms - 1) - 1] ?? -Infinity, to[countUpTo(to, ms - 1) - 1] ?? -Infinity);
    return Number.isFinite(before) ? before : ms;
  }
}
