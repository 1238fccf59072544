// SPDX-License-Identifier: Apache-2.0
// Brings the page to life: the player of the grid and the stories.

const MOST_ARROWS = 60;
const $ = id => document.getElementById(id);

class Player {
  constructor(jobs) {
    this.jobs = jobs;
    this.replays = new Map();
    this.grid = new Grid($('grid'));
    this.nowMs = settings.zeroMs;
    this.isPlaying = false;
    this.numberOf = null;
  }

  async replay(policy) {
    if (!this.replays.has(policy)) {
      this.replays.set(policy, new Replay(this.jobs, await readRuns(policy), settings.policies[policy].down));
    }
    return this.replays.get(policy);
  }

  async choosePolicy(policy) {
    const replay = await this.replay(policy);
    this.policy = policy;
    this.grid.show(replay);
    this.go(this.nowMs);
    if (this.grid.chosen >= 0) {
      this.tell(this.grid.chosen);
    }
  }

  get span() {
    return Math.max(1, settings.lastMs - settings.zeroMs);
  }

  go(ms) {
    const before = this.nowMs;
    this.nowMs = Math.max(settings.zeroMs, Math.min(settings.lastMs, ms));
    const slider = $('moment');
    slider.value = Math.round(slider.max * (this.nowMs - settings.zeroMs) / this.span);
    slider.setAttribute('aria-valuetext', moment(this.nowMs));
    // As long as a step of the slider is: an arrow stays for a while as time goes on.
    const window = Math.max(this.span / 400, before < this.nowMs && this.isPlaying ? this.nowMs - before : 0);
    const replay = this.replays.get(this.policy);
    const moves = replay.movesBetween(this.nowMs - window, this.nowMs);
    const busy = this.grid.draw(this.nowMs, moves.slice(-MOST_ARROWS));
    const counts = replay.counts(this.nowMs), down = replay.nodesDown(this.nowMs).size;
    $('status').textContent = moment(this.nowMs) + ': ' + busy.toLocaleString('en') + ' of '
        + plural(cellCount, 'GPU') + ' in use, ' + (down ? plural(down, 'node') + ' down, ' : '') + plural(Math.max(0, counts.running), 'job') + ' running, '
        + Math.max(0, counts.waiting).toLocaleString('en') + ' waiting'
        + (moves.length ? ', ' + plural(moves.length, 'move') + ' in the last ' + lasting(window)
            + (moves.length > MOST_ARROWS ? ', the last ' + MOST_ARROWS + ' as arrows' : '') : '');
  }

  play(isPlaying) {
    this.isPlaying = isPlaying;
    $('play').textContent = isPlaying ? 'Pause' : 'Play';
    // Read out a hundred times a second, it would be of no use.
    $('status').setAttribute('aria-live', isPlaying ? 'off' : 'polite');
    if (isPlaying) {
      if (this.nowMs >= settings.lastMs) {
        this.go(settings.zeroMs);
      }
      let last = performance.now();
      const frame = now => {
        if (!this.isPlaying) {
          return;
        }
        this.go(this.nowMs + this.span * (now - last) / 1000 / Number($('speed').value));
        last = now;
        if (this.nowMs >= settings.lastMs) {
          this.play(false);
        } else {
          requestAnimationFrame(frame);
        }
      };
      requestAnimationFrame(frame);
    }
  }

  async tell(job) {
    this.grid.chosen = job;
    this.go(this.nowMs);
    const policies = settings.policies.map((policy, number) => ({name: policy.name, number}));
    const others = [];
    for (const policy of policies) {
      if (policy.number !== this.policy) {
        others.push({name: policy.name, replay: await this.replay(policy.number)});
      }
    }
    tell($('story'), this.replays.get(this.policy), settings.policies[this.policy].name, job, ms => this.go(ms), others);
  }

  forget() {
    this.grid.chosen = -1;
    $('story').replaceChildren();
    this.go(this.nowMs);
  }

  pick(cell) {
    const replay = this.replays.get(this.policy);
    const runs = cell < 0 ? [] : replay.runsOn(cell, this.nowMs);
    if (!runs.length) {
      this.forget();
      return;
    }
    // On a shared GPU each further click tells of the next job.
    const jobs = runs.map(run => replay.runs.job[run]);
    this.tell(jobs[(jobs.indexOf(this.grid.chosen) + 1) % jobs.length]);
  }

  hint(cell) {
    if (cell < 0) {
      $('hint').textContent = 'A short row is a node, a cell a GPU, a colour a job; click one for its story.'
          + (settings.policies.some(policy => policy.down.length) ? ' Crossed out: the node is down.' : '')
          + ' Arrows: moves to other nodes, dashed where the job waited in between.';
      return;
    }
    const replay = this.replays.get(this.policy), node = this.grid.nodeOf(cell);
    const jobs = replay.runsOn(cell, this.nowMs).map(run => this.jobs.ids[replay.runs.job[run]]);
    $('hint').textContent = settings.nodes[node] + ', GPU ' + (cell - firstCell[node]) + ': '
        + (jobs.length ? 'job ' + jobs.join(', ') : 'free');
  }

  find(id) {
    if (!this.numberOf) {
      this.numberOf = new Map(this.jobs.ids.map((known, job) => [known, job]));
    }
    const job = this.numberOf.get(id.trim());
    if (job === undefined) {
      this.forget();
      $('story').append(element('p', 'No job of this page has the id \u201c' + id + '\u201d.'));
      return;
    }
    const replay = this.replays.get(this.policy);
    if (replay.jobStart[job] < replay.jobStart[job + 1]) {
      this.go(replay.runs.fromMs[replay.jobRuns[replay.jobStart[job]]]);
    }
    this.tell(job);
  }
}

function listen(player) {
  const canvas = $('grid');
  const cellOf = event => {
    const box = canvas.getBoundingClientRect();
    return player.grid.cellAt(event.clientX - box.left, event.clientY - box.top);
  };
  $('policy').addEventListener('change', event => player.choosePolicy(Number(event.target.value)));
  $('play').addEventListener('click', () => player.play(!player.isPlaying));
  $('moment').addEventListener('input', event => {
    player.play(false);
    player.go(settings.zeroMs + player.span * event.target.value / event.target.max);
  });
  for (const [id, forward] of [['back', false], ['on', true]]) {
    $(id).addEventListener('click', () => {
      player.play(false);
      player.go(player.replays.get(player.policy).change(player.nowMs, forward));
    });
  }
  canvas.addEventListener('click', event => player.pick(cellOf(event)));
  canvas.addEventListener('pointermove', event => player.hint(cellOf(event)));
  canvas.addEventListener('pointerleave', () => player.hint(-1));
  canvas.addEventListener('keydown', event => {
    if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      player.grid.step(event.key);
      player.hint(player.grid.cursor);
      player.go(player.nowMs);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      player.pick(player.grid.cursor);
    } else if (event.key === 'Escape') {
      player.forget();
    }
  });
  canvas.addEventListener('blur', () => {
    player.grid.cursor = -1;
    player.go(player.nowMs);
  });
  $('find').addEventListener('submit', event => {
    event.preventDefault();
    player.find($('job').value);
  });
  const redraw = () => {
    player.grid.layout();
    player.go(player.nowMs);
  };
  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth !== width) {
      width = canvas.clientWidth;
      redraw();
    }
  }).observe($('stage'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

async function start() {
  document.querySelectorAll('.plot').forEach(readable);
  const player = new Player(await readJobs());
  player.nowMs = settings.policies[0].busiestMs;
  $('player').hidden = false;
  player.grid.layout();
  await player.choosePolicy(0);
  player.hint(-1);
  listen(player);
  document.body.dataset.ready = 'true';
}

start();
