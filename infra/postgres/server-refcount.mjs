import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, isAlive } from '../process/process-identity.mjs';

let counter = 0;

const readUser = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Notes that this process uses the database of `state`. The last user to leave stops the server, whoever started it.
 * Call under the lock of the database.
 * @param {string} state
 * @returns {{ release: () => boolean }} release() says whether nobody else is left; users that died do not count
 */
export function acquireServer(state) {
  const folder = join(state, 'users');
  const own = `${process.pid}-${counter++}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, own), JSON.stringify(identifyProcess(process.pid)));
  return {
    release() {
      rmSync(join(folder, own), { force: true });
      let others = 0;
      for (const name of readdirSync(folder)) {
        if (isAlive(readUser(join(folder, name)))) others += 1;
        else rmSync(join(folder, name), { force: true });
      }
      return others === 0;
    },
  };
}
