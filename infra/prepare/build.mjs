import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError } from './user-facing-error.mjs';
import { run } from './run.mjs';

const rootFiles = [
  'package.json',
  'package-lock.json',
  'nx.json',
  '.swcrc',
  'tsconfig.json',
  'tsconfig.base.json',
  'infra/package.json',
];
const sourceFolders = ['libs', 'services', 'proto', 'infra/src'];
const skippedFolders = new Set(['node_modules', 'dist', 'coverage', '.data']);

// under node_modules, so that a new installation also builds again (from Nx's cache)
/** @param {string} root */
const stampFolder = (root) => join(root, 'node_modules', '.cache', 'quire');
/** @param {string} root */
const stampFile = (root) => join(stampFolder(root), 'build.json');

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} folder
 */
function addFolder(hash, root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) addFolder(hash, root, path);
    } else if (entry.isFile() && !/\.(?:spec\.ts|md|log|tsbuildinfo)$/.test(entry.name)) {
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
    }
  }
}

/** A hash of all files that the build reads (without tests and documentation). @param {string} root */
export function sourceHash(root) {
  const hash = createHash('sha256');
  for (const file of rootFiles) {
    if (existsSync(join(root, file)))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
  }
  for (const folder of sourceFolders) if (existsSync(join(root, folder))) addFolder(hash, root, folder);
  return hash.digest('hex');
}

/** @param {string} root */
function builtFolders(root) {
  const projects = ['libs', 'services'].flatMap((group) =>
    (existsSync(join(root, group)) ? readdirSync(join(root, group)) : []).map((name) => `${group}/${name}`),
  );
  return [...projects, 'infra']
    .map((project) => `${project}/dist`)
    .filter((folder) => existsSync(join(root, folder)));
}

/** Whether the last build had the same sources and its output exists. @param {string} root */
export function isBuilt(root) {
  try {
    /** @type {{ hash: string, folders: string[] }} */
    const { hash, folders } = JSON.parse(readFileSync(stampFile(root), 'utf8'));
    return folders.every((folder) => existsSync(join(root, folder))) && hash === sourceHash(root);
  } catch {
    return false;
  }
}

/**
 * @param {string} output
 * @param {string} logFile
 */
function explain(output, logFile) {
  if (/ENOSPC|No space left/.test(output))
    return new UserFacingError(
      `The disk is full: free some space on the volume of ${logFile} and start again.`,
    );
  if (/EACCES|Permission denied/.test(output)) {
    return new UserFacingError(
      `No permission to write the build (see ${logFile}): start as the user who owns the folder, or change its owner.`,
    );
  }
  const failed = [...output.matchAll(/^\s*(?:-|✖)\s+(?:nx run )?(\S+):build/gm)].map(
    ([, project]) => project,
  );
  const projects = failed.length > 0 ? ` of ${[...new Set(failed)].join(', ')}` : '';
  return new UserFacingError(`The build${projects} failed: see ${logFile}.`);
}

/**
 * Builds every project with Nx. Call under the lock of `prepare`.
 * @param {{ root: string, log: (line: string) => void, signal?: AbortSignal, hold: (pid: number) => void }} options
 */
export async function build({ root, log, signal, hold }) {
  log('Building…');
  const hash = sourceHash(root);
  const logFile = join(root, '.nx', 'quire-build.log');
  const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', 'nx', 'package.json'), 'utf8'));
  const nx = join(root, 'node_modules', 'nx', bin.nx);
  const { NODE_OPTIONS, ...rest } = process.env;
  const env = { ...rest, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false', FORCE_COLOR: '0' };
  const args = [nx, 'run-many', '-t', 'build', '--output-style=static'];
  const { code, output } = await run(process.execPath, args, { cwd: root, env, signal, onSpawn: hold });
  if (code !== 0) {
    writeFileSync(logFile, output);
    throw explain(output, logFile);
  }
  mkdirSync(stampFolder(root), { recursive: true });
  writeFileSync(stampFile(root), JSON.stringify({ hash, folders: builtFolders(root) }));
}
