import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { root } from '../command.js';
import { freePort } from '../process/free-port.js';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { run } from '../../prepare/run.mjs';

const script = join(root, 'infra/s3-server.sh');
const startTimeoutMs = 5 * 60_000;
const maxPortAttempts = 20;

/** A port whose successor is free too: the server takes both. */
async function freePortPair(): Promise<number> {
  for (let attempt = 0; attempt < maxPortAttempts; attempt += 1) {
    const port = await freePort();
    const next = createServer().listen(port + 1, '127.0.0.1');
    const isFree = await once(next, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise<void>((done) => next.close(() => done()));
    if (isFree) return port;
  }
  throw new UserFacingError('No two free ports in a row were found for the S3 server.');
}

/** Values of the lines `NAME=value`. */
const settingsIn = (output: string): Partial<Record<string, string>> =>
  Object.fromEntries([...output.matchAll(/^(S3_[A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]));

export interface S3Access {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
}

/**
 * Starts a real S3 server for tests; see s3-server.sh. Takes half a minute, and longer when its packages are missing.
 * @param dir the folder of all its files
 * @throws UserFacingError when it does not start
 */
export async function startS3({
  dir,
}: {
  dir: string;
}): Promise<{ access: S3Access; stop: () => Promise<void> }> {
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
  }).catch((error: unknown) => ({
    code: 1,
    output: '',
    errors: error instanceof Error ? error.message : String(error),
  }));
  const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = settingsIn(started.output);
  if (started.code !== 0 || !S3_ENDPOINT || !S3_ACCESS_KEY || !S3_SECRET_KEY || !S3_REGION) {
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
