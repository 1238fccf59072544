// SPDX-License-Identifier: Apache-2.0
// Values of the curves under the pointer, or under the arrow keys.

function axisOf(plot, name) {
  const [least, most, scale, kind] = plot.dataset[name].split(' ');
  return {least: Number(least), most: Number(most), isLog: scale === 'log', kind};
}

function valueAt(axis, share) {
  return axis.isLog
      ? axis.least * Math.pow(axis.most / axis.least, share)
      : axis.least + (axis.most - axis.least) * share;
}

function inWords(axis, value) {
  if (axis.kind === 'time') {
    return lasting(Math.round(value * 10) * 100);
  }
  return axis.kind === 'share'
      ? (100 * value).toFixed(1) + ' %'
      : value.toLocaleString('en', {maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0});
}

/** Where on its way across the curves have a point, nearest to here; here, where they are drawn between their points. */
function snapped(plot, curves, share) {
  return plot.dataset.snap && curves.length
      ? curves[0].points.map(point => point[0] / 1000)
          .reduce((best, at) => Math.abs(at - share) < Math.abs(best - share) ? at : best)
      : share;
}

function readable(plot) {
  const x = axisOf(plot, 'x'), y = axisOf(plot, 'y');
  let curves = null, share = 0.5;
  const cursor = element('div', '', 'cursor'), tip = element('div', '', 'tip');
  tip.setAttribute('role', 'status');
  const hide = () => {
    cursor.remove();
    tip.remove();
  };
  const show = at => {
    share = Math.max(0, Math.min(1, at));
    curves ??= [...plot.querySelectorAll('polyline')].map(line => ({
      kind: line.getAttribute('class'),
      name: settings.policies[line.dataset.policy].name,
      points: line.getAttribute('points').split(' ').filter(Boolean).map(point => point.split(',').map(Number)),
    }));
    share = snapped(plot, curves, share);
    tip.replaceChildren(element('div', inWords(x, valueAt(x, share))));
    curves.forEach(curve => {
      const upTo = countUpTo(curve.points.map(point => point[0]), 1000 * share + 1e-6);
      const point = curve.points[Math.min(Math.max(0, upTo - 1), curve.points.length - 1)];
      const isBeyond = upTo === 0 || (upTo === curve.points.length && 1000 * share > point[0] + 4)
          || (plot.dataset.snap && Math.abs(1000 * share - point[0]) > 4);
      const row = element('div', '', curve.kind);
      const value = valueAt(y, 1 - (point ? point[1] : 1000) / 1000);
      const isDone = x.isLog && upTo === curve.points.length;
      row.append(element('i'), curve.name + ' ' + (isBeyond && !isDone ? '–' : inWords(y, value)));
      tip.append(row);
    });
    cursor.style.left = 100 * share + '%';
    plot.append(cursor, tip);
    const room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = Math.max(0, Math.min(room, share * plot.clientWidth + (share < 0.5 ? 8 : -8 - tip.offsetWidth))) + 'px';
  };
  const follow = event => {
    const box = plot.querySelector('svg').getBoundingClientRect();
    show((event.clientX - box.left) / box.width);
  };
  plot.addEventListener('pointermove', follow);
  plot.addEventListener('pointerdown', follow);
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', event => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault();
      const points = plot.dataset.snap && curves ? curves[0].points.map(point => point[0] / 1000) : [];
      const isLeft = event.key === 'ArrowLeft';
      const next = points.filter(at => isLeft ? at < share - 1e-6 : at > share + 1e-6);
      show(next.length ? (isLeft ? Math.max(...next) : Math.min(...next))
          : points.length ? share : share + (isLeft ? -0.01 : 0.01));
    } else if (event.key === 'Escape') {
      hide();
    }
  });
}
