#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const lockFiles = [
  'package-lock.json',
  'tests/mcp-clients/package-lock.json',
  'infra/test-tools/package-lock.json',
];

const usage = `Usage: node infra/prepare/lockfile.mjs [--check]

Removes optional packages that the registry did not list from the lock files, so that npm ci passes everywhere and
installs no unchecked package, and removes registry addresses: ${lockFiles.join(', ')}. For a file with
all platforms, create it again with a registry that lists them. Runs without node_modules.

  --check  changes nothing; exits with 1 when a file needs a change or has a package without a hash
  --help   this text`;

/** @typedef {{ resolved?: string, integrity?: string, link?: boolean, inBundle?: boolean, optional?: boolean, version?:
 *   string, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?:
 *   Record<string, string> }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry> }} Lock */

/**
 * The keys of a dependency of the package at `path`, in the order in which Node.js resolves them.
 * @param {string} path
 * @param {string} name
 */
function* placesFor(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    yield `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (at === '') return;
    if (!at.includes('/node_modules/')) at = '/node_modules/';
  }
}

/**
 * Whether npm would install the package without a comparison with a hash.
 * @param {string} path
 * @param {LockEntry} entry
 */
const isUnchecked = (path, entry) =>
  path.includes('node_modules/') && !entry.link && !entry.inBundle && entry.integrity === undefined;

/**
 * @param {Lock} lock changed in place
 * @returns {string[]} what was changed, one line each
 */
export function fixLock(lock) {
  const changes = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (/^https?:/.test(entry.resolved ?? '') && entry.integrity) {
      changes.push(`${path} names the registry ${new URL(entry.resolved ?? '').host}`);
      delete entry.resolved;
    }
    const optional = entry.optionalDependencies ?? {};
    for (const name of Object.keys(optional)) {
      const place = [...placesFor(path, name)].find((candidate) => lock.packages[candidate]);
      const installed = place === undefined ? undefined : lock.packages[place];
      if (place !== undefined && installed && !isUnchecked(place, installed)) continue;
      changes.push(`${name} has no hash: it is left out of what ${path || 'the project'} may have`);
      delete optional[name];
      if (Object.keys(optional).length === 0) delete entry.optionalDependencies;
    }
  }
  for (const [path, entry] of Object.entries(lock.packages))
    if (entry.optional && isUnchecked(path, entry)) delete lock.packages[path];
  return changes;
}

/**
 * Packages and dependencies that the lock does not pin.
 * @param {Lock} lock
 * @returns {string[]} one line each
 */
export function findUnpinnedDependencies(lock) {
  const unchecked = Object.entries(lock.packages)
    .filter(([path, entry]) => isUnchecked(path, entry))
    .map(([path]) => `${path} has no hash`);
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[''] ?? {};
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, wanted]) => !/^(?:npm:(?:@[^/@]+\/)?[^/@]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(wanted))
    .map(([name, wanted]) => `${name} is wanted as ${wanted}: name one version`);
  return [...unchecked, ...ranges];
}

/** @param {string[]} args */
function parseOptions(args) {
  const options = /** @type {const} */ ({
    check: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}: see npm run check:lockfile -- --help.`);
    process.exit(1);
  }
}

/**
 * Checks a lock file, or changes it.
 * @param {string} name from the folder of the repository
 * @param {boolean} isCheck
 * @returns {boolean} whether the file is as it must be
 */
function processFile(name, isCheck) {
  const file = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const changes = fixLock(lock);
  for (const change of changes) console.log(change);
  const loose = findUnpinnedDependencies(lock);
  for (const end of loose) console.error(end);
  if (changes.length === 0) {
    if (loose.length === 0) console.log(`${name} has a hash for each package and names no registry.`);
    return loose.length === 0;
  }
  if (isCheck) {
    console.error(`${name} needs ${changes.length} changes: run node infra/prepare/lockfile.mjs.`);
    return false;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${name}: ${changes.length} changes made.`);
  return loose.length === 0;
}

/** @param {string[]} args */
function main(args) {
  const { check: isCheck = false, help } = parseOptions(args);
  if (help) return console.log(usage);
  const results = lockFiles.map((name) => processFile(name, isCheck));
  if (results.includes(false)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
