import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toUserFacingError } from '../../prepare/user-facing-error.mjs';
import { errorCodeOf } from '../../prepare/process-identity.mjs';

/**
 * Reads a secret that only its owner may read, and creates a random one when the file does not exist. Concurrent calls
 * of several processes return the same secret.
 * @returns 64 hexadecimal characters when created here
 */
export function loadOrCreateSecret(path: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const existing = readSecret(path);
    if (existing) return existing;
    const secret = randomBytes(32).toString('hex');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    if (existing === '') rmSync(path, { force: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
    return readSecret(path) ?? secret;
  } catch (error) {
    throw toUserFacingError(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The secret in a file: undefined when there is no file, '' when the file is empty (a power cut). */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw toUserFacingError(error, path);
  }
}
