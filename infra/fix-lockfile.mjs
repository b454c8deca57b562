#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const usage = `Usage: node infra/fix-lockfile.mjs [--check]

Adds to package-lock.json an entry for every optional package of another platform that the registry did not list, so
that npm ci passes everywhere, and removes registry addresses. --check changes nothing and exits 1 if it would.`;

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const systemAliases = { windows: 'win32', macos: 'darwin' };
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];
const processorAliases = { aarch64: 'arm64', armv7: 'arm', armv6: 'arm', x86_64: 'x64', amd64: 'x64' };

/** The keys under which Node.js would look for a dependency of the package at `path`, nearest first. */
function* placesFor(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    yield `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (at === '') return;
    if (!at.includes('/node_modules/')) at = '/node_modules/';
  }
}

/** os and cpu, read from a name such as @swc/core-linux-arm-gnueabihf. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = words.map((word) => systemAliases[word] ?? word).filter((word) => systems.includes(word));
  const cpu = words.map((word) => processorAliases[word] ?? word).filter((word) => processors.includes(word));
  return { os, cpu };
}

/**
 * @param {{ packages: Record<string, any> }} lock changed in place
 * @returns {string[]} what was changed, one line each
 */
export function fixLock(lock) {
  const changes = [];
  const stubs = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (/^https?:/.test(entry.resolved ?? '') && entry.integrity) {
      changes.push(`${path} names the registry ${new URL(entry.resolved).host}`);
      delete entry.resolved;
    }
    for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
      const isKnown = [...placesFor(path, name)].some((place) => lock.packages[place] ?? stubs[place]);
      const { os, cpu } = platformOf(name);
      if (isKnown || os.length === 0) continue;
      const version = wanted.replace(/^[\^~>=\s]+/, '');
      stubs[`node_modules/${name}`] = { version, optional: true, os, ...(cpu.length > 0 && { cpu }) };
      changes.push(`${name}@${version} has no entry`);
    }
  }
  const merged = Object.entries({ ...lock.packages, ...stubs }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  if (Object.keys(stubs).length > 0) lock.packages = Object.fromEntries(merged);
  return changes;
}

function main(args) {
  if (args.includes('--help')) return console.log(usage);
  const isCheck = args.includes('--check');
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const changes = fixLock(lock);
  for (const change of changes) console.log(change);
  if (changes.length === 0) return console.log('package-lock.json is complete and names no registry.');
  if (isCheck) {
    console.error(`package-lock.json needs ${changes.length} changes: run node infra/fix-lockfile.mjs.`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: ${changes.length} changes made.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
