// SPDX-License-Identifier: Apache-2.0
// The story of one job.

/** A moment since the first submission: "day 3 04:05:06". */
function moment(ms) {
  const since = Math.round((ms - settings.zeroMs) / 1000);
  const two = number => String(number).padStart(2, '0');
  const time = two(Math.floor(since / 3600) % 24) + ':' + two(Math.floor(since / 60) % 60) + ':' + two(since % 60);
  return settings.lastMs - settings.zeroMs < DAY ? time : 'day ' + Math.floor(since / 86400) + ' ' + time;
}

/** "n1 × 8, n2 × 4". */
function places(runs, run) {
  const names = [];
  for (let piece = runs.firstPiece[run]; piece < runs.firstPiece[run + 1]; piece++) {
    const gpus = runs.firstSlot[piece + 1] - runs.firstSlot[piece];
    const size = runs.parts[piece] ? (runs.parts[piece] / 1000) + ' GPU' : gpus === 0 ? 'no GPU' : gpus;
    names.push(settings.nodes[runs.node[piece]] + ' × ' + size);
  }
  return names.length > 12 ? names.slice(0, 12).join(', ') + ' and ' + (names.length - 12) + ' more' : names.join(', ');
}

/** What one policy made of a job, in a line. */
function fate(replay, job) {
  const runs = replay.runs, mine = replay.jobRuns.subarray(replay.jobStart[job], replay.jobStart[job + 1]);
  const submitMs = replay.jobs.submitMs[job];
  if (!mine.length) {
    return 'did not start';
  }
  const last = mine[mine.length - 1];
  if (!runs.isLast[last]) {
    return 'started after ' + lasting(runs.fromMs[mine[0]] - submitMs) + ', did not end';
  }
  const jct = runs.toMs[last] - submitMs;
  const ran = mine.reduce((sum, run) => sum + runs.toMs[run] - runs.fromMs[run], 0);
  return 'done ' + lasting(jct) + ' after submission, of which it waited ' + lasting(Math.max(0, jct - ran));
}

/**
 * @param go is called with a moment that was clicked
 * @param others replays of other policies that are loaded: [{name, replay}]
 */
function tell(place, replay, name, job, go, others) {
  const jobs = replay.jobs, runs = replay.runs;
  place.replaceChildren();
  place.append(element('h3', 'Job ' + jobs.ids[job]));
  const facts = [];
  if (settings.queues[jobs.queue[job]]) {
    facts.push('queue ' + settings.queues[jobs.queue[job]]);
  }
  if (settings.users[jobs.user[job]]) {
    facts.push('user ' + settings.users[jobs.user[job]]);
  }
  facts.push(plural(jobs.gpus[job], 'GPU'));
  facts.push(jobs.aloneMs[job] ? 'runs ' + lasting(jobs.aloneMs[job]) + ' on its share' : 'runs without end');
  facts.push('submitted ' + moment(jobs.submitMs[job]));
  place.append(element('p', facts.join(' · ')));
  const list = element('ul');
  [{name, replay}, ...others].forEach(each => {
    list.append(element('li', each.name + ': ' + fate(each.replay, job)));
  });
  place.append(list);
  const mine = replay.jobRuns.subarray(replay.jobStart[job], replay.jobStart[job + 1]);
  if (!mine.length) {
    return;
  }
  const scroll = element('div', '', 'scroll'), table = element('table');
  scroll.tabIndex = 0;
  const head = table.createTHead().insertRow();
  ['from', 'waited before', 'ran', 'then', 'nodes × GPUs'].forEach((text, i) => {
    const cell = element('th', text, i === 4 ? 'left' : '');
    cell.scope = 'col';
    head.append(cell);
  });
  const body = table.createTBody();
  let sinceMs = jobs.submitMs[job];
  const shown = mine.length > 200 ? mine.subarray(0, 200) : mine;
  shown.forEach((run, i) => {
    const row = body.insertRow();
    const first = element('th');
    first.scope = 'row';
    const button = element('button', moment(runs.fromMs[run]));
    button.type = 'button';
    button.addEventListener('click', () => go(runs.fromMs[run]));
    first.append(button);
    row.append(first);
    const next = mine[i + 1];
    const goesOn = next !== undefined && runs.fromMs[next] === runs.toMs[run];
    const then = runs.isLast[run] ? 'done' : !Number.isFinite(runs.toMs[run]) ? 'still runs' : goesOn ? 'moved' : 'stopped';
    row.append(element('td', lasting(runs.fromMs[run] - sinceMs)));
    row.append(element('td', Number.isFinite(runs.toMs[run]) ? lasting(runs.toMs[run] - runs.fromMs[run]) : '–'));
    row.append(element('td', then));
    row.append(element('td', places(runs, run), 'wrap'));
    sinceMs = runs.toMs[run];
  });
  scroll.append(table);
  place.append(scroll);
  if (shown.length < mine.length) {
    place.append(element('p', 'The first 200 of ' + plural(mine.length, 'stretch') + 'es of running.', 'note'));
  }
}
