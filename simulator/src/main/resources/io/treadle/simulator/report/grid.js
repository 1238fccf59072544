// SPDX-License-Identifier: Apache-2.0
// The grid: a row of cells is a node, a cell a GPU, its colour the job that holds it.

const PALETTE = [
  '#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#7a5195',
  '#3f8fc0', '#b87d00', '#66c2a5', '#a0527d', '#9ecae9', '#f4a582', '#b2a429', '#8da0cb',
  '#00507d', '#ffc857', '#00684c', '#e7b7d1', '#2b8a9e', '#a34700', '#d9d27a', '#5b5fc7',
];
const HEAD = 20;
const LABELLED_PARTITIONS = 24;
const LISTED_NODES = 24;

class Grid {
  constructor(canvas) {
    this.canvas = canvas;
    this.cursor = -1;
    this.chosen = -1;
    this.arrows = [];
  }

  show(replay) {
    this.replay = replay;
  }

  /** Chooses the greatest cells with which all fits on a screen. */
  layout() {
    const width = this.canvas.clientWidth;
    for (this.cell = 24; this.cell > 3; this.cell--) {
      if (this.place(width) <= 560) {
        break;
      }
    }
    const height = this.place(width);
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = height + 'px';
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
  }

  /**
   * Places every node: partitions below each other, nodes in lines as long as the screen is wide; few nodes each on a
   * line of its own with its name, so that arrows between them can be told apart.
   */
  place(width) {
    const gap = Math.max(2, Math.round(this.cell / 2));
    const line = this.cell + Math.max(1, Math.round(this.cell / 4));
    const hasHeads = settings.partitions.length > 1 && settings.partitions.length <= LABELLED_PARTITIONS;
    const isList = settings.nodes.length <= LISTED_NODES;
    const most = settings.gpus.reduce((a, b) => Math.max(a, b), 1);
    this.x = new Float64Array(settings.nodes.length);
    this.y = new Float64Array(settings.nodes.length);
    this.labels = [];
    let top = 0;
    for (const partition of settings.partitions) {
      if (hasHeads) {
        this.labels.push({text: partition.name, x: 0, y: top + HEAD - 6, isHead: true});
        top += HEAD;
      }
      let left = 0;
      for (let node = partition.first; node < partition.first + partition.nodes; node++) {
        const own = settings.gpus[node] * this.cell;
        if (left > 0 && (isList || left + own > width)) {
          left = 0;
          top += line;
        }
        this.x[node] = left;
        this.y[node] = top;
        if (isList) {
          this.labels.push({text: settings.nodes[node], x: most * this.cell + 8, y: top + this.cell / 2 + 4});
        }
        left += own + (own ? gap : 0);
      }
      top += line + (hasHeads ? 4 : 0);
    }
    // Wider than the screen: smaller cells are tried, down to the least.
    return isList && most * this.cell > 0.7 * width ? Math.max(top, 561) : Math.max(top, 20);
  }

  nodeOf(cell) {
    return countUpTo(firstCell, cell) - 1;
  }

  cellX(cell) {
    const node = this.nodeOf(cell);
    return this.x[node] + (cell - firstCell[node]) * this.cell;
  }

  cellY(cell) {
    return this.y[this.nodeOf(cell)];
  }

  /** The GPU at a place of the canvas in CSS pixels; −1 where none is. */
  cellAt(x, y) {
    for (let node = 0; node < settings.nodes.length; node++) {
      if (y >= this.y[node] - 1 && y < this.y[node] + this.cell + 1 && x >= this.x[node]) {
        const slot = Math.floor((x - this.x[node]) / this.cell);
        if (slot < settings.gpus[node]) {
          return firstCell[node] + slot;
        }
      }
    }
    return -1;
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const of = name => style.getPropertyValue(name).trim();
    return {ink: of('--ink'), soft: of('--soft'), free: of('--free'), down: of('--down'), accent: of('--accent')};
  }

  /** @returns how many GPUs are in use and by how many jobs */
  draw(ms, arrows) {
    const colours = this.colours();
    const pen = this.canvas.getContext('2d');
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.fillStyle = colours.soft;
    for (const label of this.labels) {
      pen.font = (label.isHead ? '600 ' : '') + '12px system-ui, sans-serif';
      pen.fillText(label.text, label.x, label.y);
    }
    const inner = this.cell - (this.cell > 4 ? 1 : this.cell > 3 ? 0.6 : 0.4);
    const down = this.replay.nodesDown(ms);
    let busy = 0;
    const mine = [];
    for (let node = 0; node < settings.nodes.length; node++) {
      for (let cell = firstCell[node]; cell < firstCell[node + 1]; cell++) {
        const x = this.x[node] + (cell - firstCell[node]) * this.cell, y = this.y[node];
        const runs = this.replay.runsOn(cell, ms);
        busy += runs.length ? 1 : 0;
        pen.fillStyle = colours.free;
        pen.fillRect(x, y, inner, inner);
        if (down.has(node)) {
          this.cross(pen, colours.down, x, y, inner);
        }
        runs.forEach((run, i) => {
          const job = this.replay.runs.job[run];
          pen.globalAlpha = this.chosen < 0 || job === this.chosen ? 1 : 0.28;
          pen.fillStyle = PALETTE[job % PALETTE.length];
          // Jobs that share a GPU lie above each other.
          pen.fillRect(x, y + inner * i / runs.length, inner, inner / runs.length);
          pen.globalAlpha = 1;
          if (job === this.chosen) {
            mine.push([x, y]);
          }
        });
      }
    }
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    mine.forEach(([x, y]) => pen.strokeRect(x, y, inner, inner));
    if (this.cursor >= 0) {
      pen.strokeStyle = colours.accent;
      pen.lineWidth = 2.5;
      pen.strokeRect(this.cellX(this.cursor) - 1.5, this.cellY(this.cursor) - 1.5, inner + 3, inner + 3);
    }
    // The latest are the clearest.
    arrows.forEach((move, i) => {
      pen.globalAlpha = 0.25 + 0.6 * (i + 1) / arrows.length;
      this.arrow(pen, colours, move);
    });
    pen.globalAlpha = 1;
    this.canvas.dataset.busy = busy;
    this.canvas.dataset.down = down.size;
    this.canvas.dataset.arrows = arrows.length;
    return busy;
  }

  /** A GPU that is not there, so that it is not taken for a job's. */
  cross(pen, colour, x, y, size) {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1, size / 8);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + size, y + size);
    pen.moveTo(x + size, y);
    pen.lineTo(x, y + size);
    pen.stroke();
  }

  /** From where the job was to where it is: dashed where it waited in between. */
  arrow(pen, colours, move) {
    const middle = run => {
      const piece = this.replay.runs.firstPiece[run], node = this.replay.runs.node[piece];
      const slot = this.replay.runs.slots[this.replay.runs.firstSlot[piece]] || 0;
      return [this.x[node] + (slot + 0.5) * this.cell, this.y[node] + this.cell / 2];
    };
    const [x1, y1] = middle(move.before), [x2, y2] = middle(move.run);
    const angle = Math.atan2(y2 - y1, x2 - x1);
    pen.strokeStyle = colours.ink;
    pen.fillStyle = colours.ink;
    pen.lineWidth = 1;
    pen.setLineDash(move.isDirect ? [] : [4, 3]);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2 - 5 * Math.cos(angle), y2 - 5 * Math.sin(angle));
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x2, y2);
    pen.lineTo(x2 - 7 * Math.cos(angle - 0.35), y2 - 7 * Math.sin(angle - 0.35));
    pen.lineTo(x2 - 7 * Math.cos(angle + 0.35), y2 - 7 * Math.sin(angle + 0.35));
    pen.fill();
  }

  /** Moves the cursor by keys; the cell that lies in that direction, as near as can be. */
  step(key) {
    if (this.cursor < 0) {
      this.cursor = 0;
      return;
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      this.cursor = Math.max(0, Math.min(cellCount - 1, this.cursor + (key === 'ArrowLeft' ? -1 : 1)));
      return;
    }
    const x = this.cellX(this.cursor), y = this.cellY(this.cursor), down = key === 'ArrowDown';
    let best = -1, bestFar = Infinity;
    for (let node = 0; node < settings.nodes.length; node++) {
      const away = down ? this.y[node] - y : y - this.y[node];
      if (away > 0 && settings.gpus[node] > 0) {
        const slot = Math.max(0, Math.min(settings.gpus[node] - 1, Math.round((x - this.x[node]) / this.cell)));
        const far = away * 1000 + Math.abs(this.x[node] + slot * this.cell - x);
        if (far < bestFar) {
          bestFar = far;
          best = firstCell[node] + slot;
        }
      }
    }
    this.cursor = best < 0 ? this.cursor : best;
  }
}
