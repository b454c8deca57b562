import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UserFacingError } from '../process/user-facing-error.mjs';
import { run } from '../process/run.mjs';

/**
 * Programs that no npm package brings well kept, by what needs them: names they go by, and the Debian package that
 * holds them.
 */
const programs = {
  redis: [[['redis-server'], 'redis-server']],
  chromium: [[['chromium', 'chromium-browser', 'google-chrome'], 'chromium']],
  s3: [
    [['radosgw'], 'radosgw'],
    [['ceph-mon'], 'ceph-mon'],
    [['ceph-osd'], 'ceph-osd'],
    [['ceph'], 'ceph-common'],
  ],
};

/** @returns {string | undefined} where a program is, by the first of its names that PATH finds */
export function findProgram(names, path = process.env.PATH ?? '') {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Where Chromium is on this machine. */
export const findChromium = () => findProgram(programs.chromium.flatMap(([names]) => names));

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const packagesMissing = (needs) =>
  needs.flatMap((need) => programs[need]).flatMap(([names, name]) => (findProgram(names) ? [] : [name]));

/**
 * Sees to it that what a run needs is on the machine: installs it where we may, as root with apt.
 * @param {object} options
 * @param {(keyof typeof programs)[]} options.needs
 * @param {(line: string) => void} options.log
 * @param {boolean} [options.isRoot]
 * @throws UserFacingError one line with the command to type
 */
export async function ensurePrograms({ needs, log, isRoot = process.getuid?.() === 0 }) {
  const missing = packagesMissing(needs);
  if (missing.length === 0) return;
  const install = ['install', '--yes', '--no-install-recommends', ...missing];
  const hasApt = findProgram(['apt-get']) !== undefined;
  if (!isRoot || !hasApt) {
    const command = hasApt
      ? `: type  sudo apt-get ${install.join(' ')}`
      : ' (as Debian names their packages)';
    throw new UserFacingError(`Not installed, and needed by these tests: ${missing.join(', ')}${command}`);
  }
  log(`Installing ${missing.join(', ')}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Without an index of packages, or with an old one, they are not found; an index that cannot be had is told by what
  // follows.
  await run('apt-get', ['update', '-qq'], { cwd: '/', env });
  const { code, output } = await run('apt-get', install, { cwd: '/', env });
  if (code === 0 && packagesMissing(needs).length === 0) return;
  const reason = output.trim().split('\n').at(-1);
  throw new UserFacingError(`apt-get ${install.join(' ')} did not help: ${reason}`);
}
