// npm run check: every static check of the repository, one line each, all failures at the end.
// npm run check -- lint types runs only those. Totals go to the file that QUIRE_CHECK_SUMMARY names.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const concurrency = 2;

/** Name of the part, and what it runs: a script of package.json, or a function here. */
const parts = {
  format: script('format:check'),
  lint: script('lint'),
  types: script('types'),
  cycles: script('cycles'),
  'proto:lint': script('proto:lint'),
  'proto:format': script('proto:format'),
  'proto:breaking': breakingMessages,
  generated: script('generate:check'),
  lockfile: script('lockfile:check'),
  compose: script('compose:check'),
  metrics: report('metrics'),
};

/** @returns {Promise<{ code: number, output: string }>} */
function run(command, args) {
  return new Promise((done) => {
    execFile(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      const reason = error && typeof error.code !== 'number' ? `${error.message}\n` : '';
      done({ code, output: `${stdout}${stderr}${reason}` });
    });
  });
}

function script(name) {
  return async () => {
    const { code, output } = await run('npm', ['run', '--silent', name]);
    return code === 0 ? { passed: true } : { passed: false, output };
  };
}

/** A script whose output is printed when it passes too. */
function report(name) {
  return async () => {
    const { code, output } = await run('npm', ['run', '--silent', name]);
    return code === 0 ? { passed: true, report: output } : { passed: false, output };
  };
}

/** Compares proto/ with the commit this work starts from; skipped only when that commit has no messages. */
async function breakingMessages() {
  const base = await baseCommit();
  if (base.failure) return { passed: false, output: base.failure };
  if (!base.commit) return { skipped: base.reason };
  const messages = await run('git', ['ls-tree', '-r', '--name-only', base.commit, 'proto', 'buf.yaml']);
  if (messages.code !== 0) return { passed: false, output: messages.output };
  const files = messages.output.split('\n');
  if (!files.some((file) => file.endsWith('.proto'))) {
    return { skipped: `the base ${base.commit.slice(0, 12)} has no messages in proto/` };
  }
  const folder = mkdtempSync(join(tmpdir(), 'quire-proto-'));
  try {
    const archive = join(folder, 'base.tar');
    const kept = files.includes('buf.yaml') ? ['proto', 'buf.yaml'] : ['proto'];
    const packed = await run('git', ['archive', '--format=tar', '-o', archive, base.commit, ...kept]);
    if (packed.code !== 0) return { passed: false, output: packed.output };
    const compared = await run('npx', [
      '--no-install',
      'buf',
      'breaking',
      'proto',
      '--against',
      `${archive}#subdir=proto`,
    ]);
    return compared.code === 0 ? { passed: true } : { passed: false, output: compared.output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where a branch left main; on main itself the commit before this one. */
async function baseCommit() {
  const git = async (...args) => {
    const { code, output } = await run('git', args);
    return code === 0 ? output.trim() : undefined;
  };
  const checkout = await run('git', ['rev-parse', '--git-dir']);
  if (checkout.code !== 0)
    return { failure: `git does not know what to compare proto/ with: ${checkout.output}` };
  const head = await git('rev-parse', '--verify', '--quiet', 'HEAD');
  if (!head) return { reason: 'there is no commit yet, so no base that could have messages' };
  for (const main of ['main', 'origin/main']) {
    const fork = await git('merge-base', main, 'HEAD');
    if (fork && fork !== head) return { commit: fork };
  }
  const before = await git('rev-parse', '--verify', '--quiet', 'HEAD~1');
  if (before) return { commit: before };
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true') {
    return {
      failure: 'the checkout is shallow: fetch the commit before HEAD, or main, to compare proto/ with\n',
    };
  }
  return { reason: 'HEAD is the first commit, so there is no base that could have messages' };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

const waiting = wanted.length > 0 ? [...wanted] : Object.keys(parts);
const failures = [];
const reports = [];
let passed = 0;

async function work() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    const start = performance.now();
    const result = await parts[name]().catch((error) => ({ passed: false, output: `${error.stack}\n` }));
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
    const word = result.skipped ? 'skipped' : result.passed ? 'passed ' : 'FAILED ';
    console.log(`${word} ${seconds} s  ${name}${result.skipped ? ` (${result.skipped})` : ''}`);
    if (result.report) reports.push([name, result.report]);
    if (result.passed) passed += 1;
    else if (!result.skipped) failures.push([name, result.output]);
  }
}

await Promise.all(Array.from({ length: concurrency }, work));

for (const [name, output] of [...reports, ...failures]) console.log(`\n--- ${name}\n${output.trimEnd()}`);
console.log(`\ncheck: ${passed} passed, ${failures.length} failed`);
if (process.env.QUIRE_CHECK_SUMMARY) {
  writeFileSync(process.env.QUIRE_CHECK_SUMMARY, JSON.stringify({ passed, failed: failures.length }));
}
process.exitCode = failures.length === 0 ? 0 : 1;
