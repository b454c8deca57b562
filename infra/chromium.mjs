import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { OperatorError } from './process/operator-error.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** @returns {string} the path of Chromium on this machine. @throws OperatorError when there is none. */
export function requireChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (found !== undefined) return found;
  throw new OperatorError('Chromium is missing: the browser tests need it (apt-get install chromium).');
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
