import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch } from './harness.mjs';

const script = fileURLToPath(new URL('../run.mjs', import.meta.url));
const names = {
  start: 'npm start',
  test: 'npm test',
  bench: 'npm run bench',
  demo: 'npm run demo',
  check: 'npm run check',
  compose: 'npm run check:compose',
  metrics: 'npm run metrics',
  generate: 'npm run generate',
};

for (const [command, name] of Object.entries(names)) {
  test(`${name} has help, and rejects an unknown option with one line`, async (t) => {
    const help = launch(t, script, [command, '--help']);
    assert.deepEqual(await help.ended, { code: 0, signal: null });
    assert.ok(help.stdout.startsWith(`Usage: ${name}`), help.stdout);
    const unknown = launch(t, script, [command, '--nonsense']);
    assert.deepEqual(await unknown.ended, { code: 1, signal: null });
    assert.equal(unknown.stderr, `Unknown option '--nonsense': see ${name} -- --help.\n`);
  });
}

test('an unknown command is one line with the known ones', async (t) => {
  const program = launch(t, script, ['nonsense']);
  assert.equal((await program.ended).code, 1);
  assert.match(program.stderr, /^Unknown command nonsense: choose one of start, cms, .*\.\n$/);
});
