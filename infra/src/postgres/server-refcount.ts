import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, isAlive, type Identity } from '../../prepare/process-identity.mjs';

let counter = 0;

const readUser = (file: string): Identity | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Records that this process uses the database of `state`. The last user stops the server, also when another process
 * started it. Call under the lock of the database.
 * @returns release() says whether no other user is left; users that exited do not count
 */
export function acquireServer(state: string): { release: () => boolean } {
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
