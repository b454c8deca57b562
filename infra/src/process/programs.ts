import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../../prepare/run.mjs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

interface Program {
  /** The names of its file. */
  names: readonly string[];
  debianPackage: string;
}

/** Programs that no maintained npm package has, by the part that needs them. */
const programs = {
  redis: [{ names: ['redis-server'], debianPackage: 'redis-server' }],
  haproxy: [{ names: ['haproxy'], debianPackage: 'haproxy' }],
  pgbouncer: [{ names: ['pgbouncer'], debianPackage: 'pgbouncer' }],
  chromium: [{ names: ['chromium', 'chromium-browser', 'google-chrome'], debianPackage: 'chromium' }],
  prometheus: [{ names: ['promtool'], debianPackage: 'prometheus' }],
  s3: [
    { names: ['radosgw'], debianPackage: 'radosgw' },
    { names: ['ceph-mon'], debianPackage: 'ceph-mon' },
    { names: ['ceph-osd'], debianPackage: 'ceph-osd' },
    { names: ['ceph'], debianPackage: 'ceph-common' },
  ],
} satisfies Record<string, readonly Program[]>;

export type ProgramNeed = keyof typeof programs;

/** The folder of servers, which PATH of users other than root may lack. */
const serverFolder = '/usr/sbin';
const searchedFolders = () => `${process.env.PATH ?? ''}${delimiter}${serverFolder}`;

/** The path of a program: the first of its names that PATH finds, or that is a server of the system. */
export function findProgram(names: readonly string[], path = searchedFolders()): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** The path of Chromium on this machine. */
export const findChromium = () => findProgram(programs.chromium.flatMap(({ names }) => names));

/** The path of PgBouncer on this machine. */
export const findPgBouncer = () => findProgram(programs.pgbouncer.flatMap(({ names }) => names));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const missingPackages = (needs: readonly ProgramNeed[]) =>
  needs
    .flatMap((need): readonly Program[] => programs[need])
    .flatMap(({ names, debianPackage }) => (findProgram(names) ? [] : [debianPackage]));

/**
 * Installs missing programs with apt, as root.
 * @throws UserFacingError one line with the command to type
 */
export async function ensurePrograms({
  needs,
  log,
  isRoot = process.getuid?.() === 0,
}: {
  needs: readonly ProgramNeed[];
  log: (line: string) => void;
  isRoot?: boolean;
}): Promise<void> {
  const missing = missingPackages(needs);
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
  // A missing or old index hides packages. When the update fails, the installation reports the error.
  await run('apt-get', ['update', '-qq'], { cwd: '/', env });
  const { code, output } = await run('apt-get', install, { cwd: '/', env });
  if (code === 0 && missingPackages(needs).length === 0) return;
  const reason = output.trim().split('\n').at(-1);
  throw new UserFacingError(`apt-get ${install.join(' ')} did not help: ${reason}`);
}
