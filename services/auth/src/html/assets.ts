import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assetsPath } from '@quire/http-server';

/** The build puts them here; src/ and dist/ lie equally deep. */
const folder = new URL('../../dist/browser/', import.meta.url);

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const names = [
  'api.js',
  'consent.js',
  'form.js',
  'icon.svg',
  'login.js',
  'passkeys.js',
  'reauthentication.js',
  'registration.js',
  'styles.css',
] as const;

export type ScriptName = Extract<(typeof names)[number], 'consent.js' | 'login.js' | 'registration.js'>;

export interface Asset {
  type: string;
  text: string;
}

interface Assets {
  /** A hash over all of them: scripts name one another without it. */
  version: string;
  files: ReadonlyMap<string, Asset>;
}

let read: Assets | undefined;

/** What the pages load: the stylesheet, the icon and scripts. @throws Error when the service is not built. */
export function assets(): Assets {
  read ??= readAssets();
  return read;
}

function readAssets(): Assets {
  const hash = createHash('sha256');
  const files = new Map<string, Asset>();
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    hash.update(`${name}\0${text}\0`);
    files.set(name, { type: types[name.slice(name.lastIndexOf('.') + 1)] ?? '', text });
  }
  return { version: hash.digest('hex').slice(0, 16), files };
}

/** Path below which the present assets are, for browsers to keep. */
export function currentAssetsPath(): string {
  return assetsPath(assets().version);
}
