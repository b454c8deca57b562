import { join } from 'node:path';

/**
 * What is started. The tests pass a fake.
 * @typedef {object} Application
 * @property {string} targets the file with the list of targets
 * @property {string} main    runs targets: `main --target a,b`, tells its parent `ready` or `failed` over IPC
 * @property {string} cms     the command line: `cms migrate`, …
 */

/** The composition root of Quire. @param {string} root the repository @returns {Application} */
export function standalone(root) {
  const folder = join(root, 'services', 'standalone');
  return {
    targets: join(folder, 'targets.json'),
    main: join(folder, 'dist', 'main.js'),
    cms: join(folder, 'dist', 'cms.js'),
  };
}
