import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError } from './user-facing-error.mjs';
import { run } from './run.mjs';

/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.quire-install');
/** @param {string} root */
const defaultLogFile = (root) => join(root, '.nx', 'quire-install.log');
const system = `${process.platform}-${process.arch}`;

/** @param {string} path */
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** @param {string} root */
function wantedStamp(root) {
  const lock = read(join(root, 'package-lock.json'));
  if (lock === undefined)
    throw new UserFacingError(
      `package-lock.json is missing in ${root}: get it back (git checkout package-lock.json).`,
    );
  return `${createHash('sha256').update(lock).digest('hex')} ${system}\n`;
}

/**
 * Whether npm's own record of node_modules (written last) has every package of the lock for this platform.
 * @param {string} root
 */
function recordFits(root) {
  const record = read(join(root, 'node_modules', '.package-lock.json'));
  const lock = read(join(root, 'package-lock.json'));
  if (record === undefined || lock === undefined) return false;
  try {
    /** @type {Record<string, { version?: string, integrity?: string, optional?: boolean } | undefined>} */
    const have = JSON.parse(record).packages;
    /** @type {Record<string, { version?: string, integrity?: string, optional?: boolean }>} */
    const want = JSON.parse(lock).packages;
    return Object.entries(want).every(([path, { version, integrity, optional }]) => {
      if (path === '' || !path.includes('node_modules')) return true;
      const installed = have[path];
      if (!installed) return optional === true;
      return (
        installed.version === version && installed.integrity === integrity && existsSync(join(root, path))
      );
    });
  } catch {
    return false;
  }
}

/** @param {string} root */
const writeStamp = (root) => {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(stampFile(root), wantedStamp(root));
};

/**
 * Whether node_modules matches the lock file, by the stamp of the last installation.
 * @param {string} root
 */
export function isInstalled(root) {
  return read(stampFile(root)) === wantedStamp(root);
}

/** @returns {[string, string[]]} the program, and its first arguments */
function npmCommand() {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') ? [process.execPath, [path]] : ['npm', []];
}

/** @type {readonly [RegExp, (place: { root: string }) => string][]} */
const failures = [
  [
    /ENOSPC|no space left/i,
    ({ root }) => `The disk is full: free some space on the volume of ${root} and start again.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
    () =>
      'npm cannot reach the package registry: check the network and the settings "registry" and "proxy" of npm, then start again.',
  ],
  [
    /EACCES|EPERM/,
    ({ root }) =>
      `No permission to write ${root}/node_modules: start as the user who owns the folder, or change its owner.`,
  ],
  [
    /EUSAGE|can only install packages when/,
    () =>
      'package.json and package-lock.json do not agree: run npm install and keep the lock file it writes.',
  ],
];

/**
 * @param {string} output
 * @param {{ root: string, logFile: string }} place
 */
function explain(output, place) {
  const known = failures.find(([pattern]) => pattern.test(output));
  if (known) return new UserFacingError(known[1](place));
  const lines = output.split('\n').filter((line) => /npm (error|ERR!)/.test(line));
  const line = (
    lines.find((each) => !/ code | errno | A complete log/.test(each)) ??
    lines[0] ??
    'no output'
  ).replace(/^npm (error|ERR!)\s*/, '');
  return new UserFacingError(`npm ci failed (${line}): see ${place.logFile}.`);
}

/**
 * Installs the packages of a lock file. Call under a lock of `withLock`.
 * @param {object} options
 * @param {string} options.root the folder of the lock file
 * @param {(line: string) => void} options.log
 * @param {AbortSignal} [options.signal]
 * @param {(pid: number) => void} options.hold
 * @param {string} [options.logFile] for the output of npm when it fails
 * @param {boolean} [options.ignoresScripts] whether no script of a package runs
 */
export async function install({
  root,
  log,
  signal,
  hold,
  logFile = defaultLogFile(root),
  ignoresScripts = false,
}) {
  if (recordFits(root)) return writeStamp(root);
  log('Installing… (a minute or two, once)');
  const [command, first] = npmCommand();
  const args = [
    ...first,
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(ignoresScripts ? ['--ignore-scripts'] : []),
  ];
  let result;
  try {
    result = await run(command, args, { cwd: root, env: process.env, signal, onSpawn: hold });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      throw new UserFacingError(
        'npm is not installed: install Node.js with npm from https://nodejs.org and start again.',
      );
    throw error;
  }
  if (result.code !== 0) {
    writeFileSync(logFile, result.output);
    throw explain(result.output, { root, logFile });
  }
  writeStamp(root);
}
