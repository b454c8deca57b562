import { caseTitle, requestNames, type GrowthResult, type RequestName } from './cases.js';

const panel = { width: 205, height: 150, gapX: 15, gapY: 40 };
const columns = 4;
const margin = { left: 50, top: 70, right: 15, bottom: 30 };
/** By share of published entries: readable on white and on black. */
const colours = ['#d97706', '#3b82f6', '#16a34a'];
const style = `
    text { font: 11px system-ui, sans-serif; fill: #57606a; }
    .title { font-weight: 600; fill: #1f2328; }
    .background { fill: #ffffff; }
    .grid { stroke: #d0d7de; }
    .line { fill: none; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1; }
      .title { fill: #f0f6fc; }
      .background { fill: #0d1117; }
      .grid { stroke: #3d444d; }
    }`;

/** A logarithmic axis, from one power of ten to another. */
interface Axis {
  from: number;
  to: number;
  length: number;
}

const powersBetween = ({ from, to }: Axis) => Array.from({ length: to - from + 1 }, (_, step) => from + step);
const placeOf = (value: number, { from, to, length }: Axis) =>
  ((Math.log10(value) - from) / (to - from)) * length;

/** The axis that shows all values. */
function axisOf(values: readonly number[], length: number): Axis {
  const powers = values.map((value) => Math.log10(value));
  const from = Math.floor(Math.min(...powers));
  return { from, to: Math.max(from + 1, Math.ceil(Math.max(...powers))), length };
}

/** Such as `10K`. */
const shortCount = new Intl.NumberFormat('en-US', { notation: 'compact' });
const short = (number: number) => Number(number.toFixed(1));
const lineStyle = ({ publishedPercent, localeCount }: GrowthResult, shares: readonly number[]) =>
  `stroke="${colours[shares.indexOf(publishedPercent) % colours.length]}"` +
  (localeCount > 1 ? ' stroke-dasharray="5 3"' : '');

/** The points of a request in one case: milliseconds by entries. */
const pointsOf = ({ sizes }: GrowthResult, request: RequestName): [entries: number, milliseconds: number][] =>
  sizes.flatMap(({ entries, latencies: { [request]: latency } }) =>
    latency === undefined ? [] : [[entries, latency]],
  );

/** A plot as SVG, for light and dark pages: a panel for each request, a line for each case, both axes logarithmic. */
export function plotGrowth(results: readonly GrowthResult[]): string {
  const points = results.flatMap((result) => requestNames.flatMap((name) => pointsOf(result, name)));
  const x = axisOf(
    points.map(([entries]) => entries),
    panel.width,
  );
  const y = axisOf(
    points.map(([, milliseconds]) => milliseconds),
    panel.height,
  );
  const shares = [...new Set(results.map(({ publishedPercent }) => publishedPercent))];
  const rows = Math.ceil(requestNames.length / columns);
  const width = margin.left + columns * (panel.width + panel.gapX) - panel.gapX + margin.right;
  const height = margin.top + rows * (panel.height + panel.gapY) - panel.gapY + margin.bottom;

  const grid = (isLeft: boolean, isLowest: boolean) => [
    ...powersBetween(y).map((power) => {
      const at = short(panel.height - placeOf(10 ** power, y));
      const label = isLeft ? `<text x="-6" y="${at + 4}" text-anchor="end">${10 ** power}</text>` : '';
      return `<line class="grid" x1="0" x2="${panel.width}" y1="${at}" y2="${at}"/>${label}`;
    }),
    ...powersBetween(x).map((power) => {
      const at = short(placeOf(10 ** power, x));
      const text = shortCount.format(10 ** power);
      const label = isLowest
        ? `<text x="${at}" y="${panel.height + 16}" text-anchor="middle">${text}</text>`
        : '';
      return `<line class="grid" x1="${at}" x2="${at}" y1="0" y2="${panel.height}"/>${label}`;
    }),
  ];
  const panels = requestNames.map((name, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const left = margin.left + column * (panel.width + panel.gapX);
    const top = margin.top + row * (panel.height + panel.gapY);
    const lines = results.map((result) => {
      const places = pointsOf(result, name).map(
        ([entries, milliseconds]) =>
          `${short(placeOf(entries, x))},${short(panel.height - placeOf(milliseconds, y))}`,
      );
      return `<polyline class="line" ${lineStyle(result, shares)} points="${places.join(' ')}"/>`;
    });
    return [
      `<g transform="translate(${left} ${top})">`,
      `<text class="title" x="0" y="-8">${name}</text>`,
      ...grid(column === 0, row === rows - 1),
      ...lines,
      '</g>',
    ].join('\n    ');
  });
  const legend = results.map((result, index) => {
    const left = margin.left + Math.floor(index / 2) * 290;
    const top = 14 + (index % 2) * 18;
    return (
      `<line class="line" ${lineStyle(result, shares)} x1="${left}" x2="${left + 30}" y1="${top}" y2="${top}"/>` +
      `<text x="${left + 38}" y="${top + 4}">${caseTitle(result)}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '  <title>Milliseconds of a request by the number of entries</title>',
    `  <style>${style}\n  </style>`,
    `  <rect class="background" width="${width}" height="${height}"/>`,
    ...[...legend, ...panels].map((part) => `  ${part}`),
    '</svg>\n',
  ].join('\n');
}
