import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assetsPath } from '../routes/page-paths.js';

/** The output of the build; the path is the same from src/ and dist/. */
const folder = new URL('../../dist/browser/', import.meta.url);

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const names = [
  'api.js',
  'approvals.js',
  'consent.js',
  'form.js',
  'icon.svg',
  'login.js',
  'passkeys.js',
  'reauthentication.js',
  'registration.js',
  'styles.css',
] as const;

/** Entry modules of pages; they import the other scripts. */
export type ScriptName = Extract<
  (typeof names)[number],
  'approvals.js' | 'consent.js' | 'login.js' | 'registration.js'
>;

/** A file that pages load. */
export interface Asset {
  /** Content type. */
  type: string;
  text: string;
}

/** All files that pages load. */
export interface Assets {
  /** A hash over all files: scripts import one another by names without a hash. */
  version: string;
  files: ReadonlyMap<string, Asset>;
}

let cached: Assets | undefined;

/** @returns the files that pages load, read once per process. @throws Error when the library is not built. */
export function readAssets(): Assets {
  return (cached ??= readFiles());
}

function readFiles(): Assets {
  const hash = createHash('sha256');
  const files = new Map<string, Asset>();
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    hash.update(`${name}\0${text}\0`);
    files.set(name, { type: types[name.slice(name.lastIndexOf('.') + 1)] ?? '', text });
  }
  return { version: hash.digest('hex').slice(0, 16), files };
}

/** @returns the path below which the current assets are served; browsers cache them permanently. */
export function currentAssetsPath(): string {
  return assetsPath(readAssets().version);
}
