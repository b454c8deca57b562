import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../command.js';

const folder = join(root, 'services');

/** Names of the folders of services. */
export function serviceFolders(): string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'src')));
}

/** Imports built modules of a service. Goes by the names in \`src\`: \`dist\` may have files of deleted sources. */
export function importModules(service: string, pattern: RegExp): Promise<Record<string, unknown>[]> {
  const names = readdirSync(join(folder, service, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => pattern.test(name),
  );
  const built = names.map((name) => join(folder, service, 'dist', name.replace(/ts$/, 'js')));
  return Promise.all(built.sort().map((path) => import(pathToFileURL(path).href)));
}
