import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { toUserFacingError } from './user-facing-error.mjs';
import { build, isBuilt } from './build.mjs';
import { install, isInstalled } from './install.mjs';

/**
 * Installs and builds changed code; takes milliseconds without a change. Concurrent processes may call it: one works,
 * the others wait.
 * @param {object} options
 * @param {string} options.root the repository
 * @param {(line: string) => void} options.log
 * @param {AbortSignal} [options.signal]
 */
export async function prepare({ root, log, signal }) {
  try {
    if (isInstalled(root) && isBuilt(root)) return;
    const onWait = /** @param {number} pid */ (pid) =>
      log(`Waiting for process ${pid}, which installs or builds…`);
    await withLock(
      join(root, '.nx', 'quire-prepare.lock'),
      async (hold) => {
        const options = { root, log, signal, hold };
        if (!isInstalled(root)) await install(options);
        if (!isBuilt(root)) await build(options);
      },
      { onWait, signal },
    );
  } catch (error) {
    throw toUserFacingError(error, root);
  }
}
