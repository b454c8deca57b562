import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './process/free-port.mjs';
import { UserFacingError } from './process/user-facing-error.mjs';
import { run } from './process/run.mjs';

const script = fileURLToPath(new URL('s3-server.sh', import.meta.url));
const startTimeoutMs = 5 * 60_000;
const maxPortAttempts = 20;

/** A port whose successor is free too: the server takes both. */
async function freePortPair() {
  for (let attempt = 0; attempt < maxPortAttempts; attempt += 1) {
    const port = await freePort();
    const next = createServer().listen(port + 1, '127.0.0.1');
    const isFree = await once(next, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise((done) => next.close(done));
    if (isFree) return port;
  }
  throw new UserFacingError('No two free ports in a row were found for the S3 server.');
}

/** Values of the lines `NAME=value`. */
const settingsIn = (output) =>
  Object.fromEntries([...output.matchAll(/^(S3_[A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]));

/**
 * Starts a real S3 server for tests; see s3-server.sh. It takes half a minute, and longer when its packages are
 * missing.
 * @param {{ dir: string }} options where everything of it lies
 * @returns {Promise<{ access: { endpoint: string, accessKey: string, secretKey: string, region: string }, stop: () =>
 *   Promise<void> }>}
 * @throws UserFacingError when it does not start
 */
export async function startS3({ dir }) {
  const folder = resolve(dir);
  const stop = () => {
    if (existsSync(folder)) spawnSync('bash', [script, 'stop', folder], { stdio: 'ignore' });
  };
  process.once('exit', stop);
  // The daemons leave this group; `stop` ends them.
  const signal = AbortSignal.timeout(startTimeoutMs);
  const started = await run('bash', [script, 'start', folder, String(await freePortPair())], {
    cwd: '/',
    env: process.env,
    signal,
  }).catch((error) => ({ code: 1, output: '', errors: String(error.message ?? error) }));
  const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = settingsIn(started.output);
  if (started.code !== 0 || S3_ENDPOINT === undefined) {
    stop();
    const reason = started.errors.trim().split('\n').at(-1);
    throw new UserFacingError(`The S3 server for tests did not start (infra/s3-server.sh): ${reason}`);
  }
  return {
    access: {
      endpoint: S3_ENDPOINT,
      accessKey: S3_ACCESS_KEY,
      secretKey: S3_SECRET_KEY,
      region: S3_REGION,
    },
    stop: async () => stop(),
  };
}
