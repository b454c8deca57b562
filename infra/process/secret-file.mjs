import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toUserFacingError } from './user-facing-error.mjs';

/**
 * Reads a secret that only its owner may read, and makes it at random when it does not exist yet. Two processes that
 * do so at once get the same one.
 * @param {string} path
 * @returns {string} 64 hexadecimal characters when made here
 */
export function loadOrCreateSecret(path) {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const existing = readSecret(path);
    if (existing) return existing;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    if (existing === '') rmSync(path, { force: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    return readSecret(path);
  } catch (error) {
    throw toUserFacingError(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The secret in a file: undefined when there is no file, '' when the file is empty (a power cut). */
export function readSecret(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw toUserFacingError(error, path);
  }
}
