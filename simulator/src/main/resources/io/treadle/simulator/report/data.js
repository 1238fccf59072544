// SPDX-License-Identifier: Apache-2.0
// Reads what Column.java, JobColumns.java and RunColumns.java write.

/** The columns of one element, as bytes. */
async function columnsOf(id) {
  const text = atob(document.getElementById(id).textContent);
  const packed = Uint8Array.from(text, c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 0;
  const number = () => {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  const lengths = Array.from({length: number()}, number);
  return lengths.map(length => bytes.subarray(at, at += length));
}

/** All numbers of a column. */
function numbers(bytes) {
  const values = new Float64Array(bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length;) {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[i++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    values[count++] = value;
  }
  return values.subarray(0, count);
}

/** As numbers(), where 0, 1, 2, 3, … stand for 0, −1, 1, −2, … */
function signed(bytes) {
  return numbers(bytes).map(value => value % 2 ? -(value + 1) / 2 : value / 2);
}

/** Each value with all before it. */
function sums(values) {
  for (let i = 1; i < values.length; i++) {
    values[i] += values[i - 1];
  }
  return values;
}

/** {ids, submitMs, gpus, aloneMs, queue, user}: a value for each job. */
async function readJobs() {
  const columns = await columnsOf('jobs');
  const shared = numbers(columns[0]), more = numbers(columns[1]);
  const decoder = new TextDecoder();
  const ids = new Array(shared.length);
  let id = new Uint8Array(256), at = 0;
  for (let job = 0; job < ids.length; job++) {
    const length = shared[job] + more[job];
    if (length > id.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(id);
      id = longer;
    }
    id.set(columns[2].subarray(at, at + more[job]), shared[job]);
    at += more[job];
    ids[job] = decoder.decode(id.subarray(0, length));
  }
  return {
    ids,
    submitMs: sums(signed(columns[3])),
    gpus: numbers(columns[4]),
    aloneMs: numbers(columns[5]),
    queue: numbers(columns[6]),
    user: numbers(columns[7]),
  };
}

/**
 * {fromMs, toMs, job, isLast, firstPiece, node, firstSlot, slots, parts}: a value for each run, where a run's pieces are
 * firstPiece[run] to firstPiece[run + 1], and for each piece, where its GPUs are slots[firstSlot[piece]] and on.
 */
async function readRuns(policy) {
  const columns = await columnsOf('runs-' + policy);
  const unit = numbers(columns[9])[0];
  const fromMs = sums(signed(columns[0])).map(units => units * unit);
  const toMs = numbers(columns[1]).map((length, run) => length ? fromMs[run] + (length - 1) * unit : Infinity);
  const counts = numbers(columns[3]);
  const firstPiece = new Int32Array(counts.length + 1);
  counts.forEach((count, run) => firstPiece[run + 1] = firstPiece[run] + count);
  const rangeCounts = numbers(columns[5]), ranges = numbers(columns[6]);
  const firstSlot = new Int32Array(rangeCounts.length + 1);
  let total = 0;
  for (let i = 1; i < ranges.length; i += 2) {
    total += ranges[i];
  }
  const slots = new Int32Array(total);
  let range = 0, slot = 0;
  rangeCounts.forEach((count, piece) => {
    let at = 0;
    for (let i = 0; i < count; i++) {
      const skip = ranges[range++];
      at += skip % 2 ? -(skip + 1) / 2 : skip / 2;
      for (let left = ranges[range++]; left > 0; left--) {
        slots[slot++] = at++;
      }
    }
    firstSlot[piece + 1] = slot;
  });
  return {
    fromMs, toMs, firstPiece, firstSlot, slots,
    job: sums(signed(columns[2])),
    node: sums(signed(columns[4])),
    parts: numbers(columns[7]),
    isLast: numbers(columns[8]),
  };
}
