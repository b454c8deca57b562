#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const usage = `Usage: node infra/fix-lockfile.mjs [--check]

Takes optional packages out of package-lock.json that the registry did not list, so that npm ci passes everywhere and installs
nothing unchecked, and removes registry addresses. Where all platforms are to be in it, make the file anew with a registry that
lists them. --check changes nothing and exits 1 if it would, or if the file holds a package without a hash otherwise.`;

/** The keys under which Node.js would look for a dependency of the package at `path`, nearest first. */
function* placesFor(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    yield `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (at === '') return;
    if (!at.includes('/node_modules/')) at = '/node_modules/';
  }
}

/** What npm downloads it compares with a hash, unless the lock has none. */
const isUnchecked = (path, entry) =>
  path.includes('node_modules/') && !entry.link && !entry.inBundle && entry.integrity === undefined;

/**
 * @param {{ packages: Record<string, any> }} lock changed in place
 * @returns {string[]} what was changed, one line each
 */
export function fixLock(lock) {
  const changes = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (/^https?:/.test(entry.resolved ?? '') && entry.integrity) {
      changes.push(`${path} names the registry ${new URL(entry.resolved).host}`);
      delete entry.resolved;
    }
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const place = [...placesFor(path, name)].find((candidate) => lock.packages[candidate]);
      if (place !== undefined && !isUnchecked(place, lock.packages[place])) continue;
      changes.push(`${name} has no hash: it is left out of what ${path || 'the project'} may have`);
      delete entry.optionalDependencies[name];
      if (Object.keys(entry.optionalDependencies).length === 0) delete entry.optionalDependencies;
    }
  }
  for (const [path, entry] of Object.entries(lock.packages))
    if (entry.optional && isUnchecked(path, entry)) delete lock.packages[path];
  return changes;
}

/**
 * What makes an installation depend on more than the lock.
 * @param {{ packages: Record<string, any> }} lock
 * @returns {string[]} one line each
 */
export function findUnpinnedDependencies(lock) {
  const unchecked = Object.entries(lock.packages)
    .filter(([path, entry]) => isUnchecked(path, entry))
    .map(([path]) => `${path} has no hash`);
  const { dependencies, devDependencies } = lock.packages[''] ?? {};
  const ranges = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, wanted]) => !/^(?:npm:(?:@[^/@]+\/)?[^/@]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(wanted))
    .map(([name, wanted]) => `${name} is wanted as ${wanted}: name one version`);
  return [...unchecked, ...ranges];
}

function main(args) {
  if (args.includes('--help')) return console.log(usage);
  const isCheck = args.includes('--check');
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const changes = fixLock(lock);
  for (const change of changes) console.log(change);
  const loose = findUnpinnedDependencies(lock);
  for (const end of loose) console.error(end);
  if (loose.length > 0) process.exitCode = 1;
  if (changes.length === 0 && loose.length === 0)
    return console.log('package-lock.json has a hash for each package and names no registry.');
  if (changes.length === 0) return;
  if (isCheck) {
    console.error(`package-lock.json needs ${changes.length} changes: run node infra/fix-lockfile.mjs.`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: ${changes.length} changes made.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
