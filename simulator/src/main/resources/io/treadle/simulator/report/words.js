// SPDX-License-Identifier: Apache-2.0
// What all pages need: their settings, words and small pieces.
'use strict';

const settings = JSON.parse(document.getElementById('data').textContent);

const MINUTE = 60e3, HOUR = 3600e3, DAY = 86400e3;

/** A length of time in the unit that people would use. */
function lasting(ms) {
  if (ms < 2 * MINUTE) {
    return (ms / 1000).toFixed(ms % 1000 ? 1 : 0) + ' s';
  }
  if (ms < 2 * HOUR) {
    return (ms / MINUTE).toFixed(1) + ' min';
  }
  return ms < 2 * DAY ? (ms / HOUR).toFixed(2) + ' h' : (ms / DAY).toFixed(1) + ' d';
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text ?? '';
  if (kind) {
    made.className = kind;
  }
  return made;
}

function plural(count, what) {
  return count.toLocaleString('en') + ' ' + what + (count === 1 ? '' : 's');
}

/** How many of the rising values are at most this. */
function countUpTo(values, limit) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
