import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';

const { withCpuTimes } = await import('../dist/bench/cpu.js');
const { replaceTable } = await import('../dist/bench/docs.js');
const { plotGrowth } = await import('../dist/bench/growth/plot.js');
const { latencyCells } = await import('../dist/bench/growth/rows.js');
const { parseOptions } = await import('../dist/bench/options.js');
const { report, reportRows } = await import('../dist/bench/report.js');
const { controlOf } = await import('../dist/bench/systems.js');
const { markdownTable, textTable } = await import('../dist/bench/table.js');

/** What a function prints. */
function printed(t, print) {
  const log = t.mock.method(console, 'log', () => {});
  print();
  log.mock.restore();
  return log.mock.calls.map((call) => call.arguments.join(' ')).join('\n');
}

const measurement = (rate, cpuMs) => ({
  rate,
  p50: 1,
  p99: 2,
  count: 10,
  apiMs: 0.1,
  workerMs: 0.2,
  databaseMs: 0.3,
  cpuMs,
});

test('an operator task of a system that fails throws its status and its text', async (t) => {
  const server = createServer((_, response) => response.writeHead(500).end('QuireError: no such role'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const control = controlOf(`http://127.0.0.1:${server.address().port}`);
  await assert.rejects(control('/tokens', {}), { message: 'control /tokens: 500 QuireError: no such role' });
});

test('CPU time counts for the kind of process that used it, descendants included', async (t) => {
  const busy = `while (process.cpuUsage().user < 400_000);
    console.log('done');
    process.stdin.resume().on('end', () => process.exit());`;
  const parent = `require('node:child_process')
    .spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: ['pipe', 'inherit', 'inherit'] });`;
  const start = (script) => {
    const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill());
    return child;
  };
  const api = start('process.stdin.resume()');
  const worker = start(parent);
  const processes = { api: [api.pid], worker: [worker.pid] };
  const [, times] = await withCpuTimes(processes, api.pid, () => once(worker.stdout, 'data'));
  assert.ok(times.worker >= 0.4, `${times.worker} seconds`);
  assert.ok(times.worker > times.api, `${times.worker} and ${times.api} seconds`);
});

test('the table of an operation has ratios to each baseline that has the operation', (t) => {
  const get = {
    'same SQL': [measurement(100, 1)],
    minimal: [measurement(400, 0.5)],
    single: [measurement(50, 2)],
  };
  const { minimal: _, ...references } = get;
  const lines = printed(t, () => report({ get, references }, { baselines: ['same SQL', 'minimal'] })).split(
    '\n',
  );
  assert.match(
    lines[2],
    /API ms +worker ms +DB ms +ratio to same SQL +CPU to same SQL +ratio to minimal +CPU to minimal/,
  );
  assert.match(lines[3], /^ {2}same SQL +100 +1\.0 +2\.0 +0\.100 +0\.200 +0\.300$/);
  assert.match(lines[5], /^ {2}single .* 0\.50 +2\.00 +0\.13 +4\.00$/);
  assert.doesNotMatch(lines[8], /minimal/);
  const rows = reportRows({ get, references }, { baselines: ['same SQL', 'minimal'] });
  assert.deepEqual(rows.at(-1).slice(-5), ['0.50', '2.00', '', '', '']);
});

test('a table has columns of one width, as text and in Markdown', () => {
  const rows = [
    ['request', '1,000'],
    ['get', '2.1'],
  ];
  assert.equal(textTable(rows), '  request  1,000\n  get        2.1');
  assert.equal(markdownTable(rows), '| request | 1,000 |\n| ------- | ----- |\n| get     | 2.1   |');
});

const result = {
  publishedPercent: 10,
  localeCount: 1,
  sizes: [
    { entries: 1_000, latencies: { get: 2, search: 4 } },
    { entries: 100_000, latencies: { get: 3 } },
  ],
};

test('latencies of larger collections have the ratio to the smallest', () => {
  assert.deepEqual(latencyCells(result, 'get'), ['2.0', '3.0 (1.5)']);
  assert.deepEqual(latencyCells(result, 'search'), ['4.0', '']);
});

test('the plot is an SVG with a line for each case and request, in colours for light and dark pages', () => {
  const svg = plotGrowth([result, { ...result, localeCount: 10 }]);
  assert.equal(XMLValidator.validate(svg), true);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.equal(svg.match(/points="\d/g).length, 4);
  assert.match(svg, /<polyline [^>]*stroke-dasharray/);
});

test('a run replaces a table of the documentation, and nothing else', () => {
  const page = [
    'A',
    '<!-- growth: a run with --docs replaces this table -->',
    'old',
    '<!-- growth: end -->',
    'B\n',
  ].join('\n\n');
  const table = '| new |\n| --- |\n| 1   |';
  assert.equal(replaceTable(page, 'growth', [['new'], ['1']]), page.replace('old', table));
  assert.throws(() => replaceTable(page, 'operations', []), /lacks <!-- operations/);
});

test('npm run bench takes sizes in any order, and a brief run is small', () => {
  const { growthEntries, only, isBrief, seconds } = parseOptions([
    '--only=growth',
    '--growth-entries=5000,100',
    '--seconds=3',
  ]);
  assert.deepEqual(
    { growthEntries, only, isBrief, seconds },
    {
      growthEntries: [100, 5_000],
      only: ['growth'],
      isBrief: false,
      seconds: 3,
    },
  );
  assert.deepEqual(parseOptions(['--brief']).growthEntries, [200, 1_000]);
  assert.throws(
    () => parseOptions(['--growth-entries=many']),
    /--growth-entries must be a whole number, not many/,
  );
});
