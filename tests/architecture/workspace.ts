import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The libraries from low to high, the same list that the lint rules are made of. */
export const layers: readonly string[] = JSON.parse(read('tests/architecture/layers.json')).libs;

export interface Package {
  /** "libs/errors". */
  folder: string;
  kind: 'libs' | 'services';
  /** Name of the folder: "errors". */
  short: string;
  /** Name of the package: "@quire/errors". */
  name: string;
  tags: readonly string[];
}

export const packages: readonly Package[] = (['libs', 'services'] as const).flatMap((kind) =>
  foldersIn(kind).map((short) => {
    const folder = `${kind}/${short}`;
    const manifest = existsSync(join(root, folder, 'package.json'))
      ? JSON.parse(read(`${folder}/package.json`))
      : {};
    return { folder, kind, short, name: manifest.name ?? '', tags: manifest.nx?.tags ?? [] };
  }),
);

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Paths of all files below a folder, from the root of the repository; built and generated files are left out. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const skipped = ['node_modules', 'dist', 'generated'];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : filesBelow(path);
    return [path];
  });
}

export function sourcesOf({ folder }: Package): string[] {
  return filesBelow(`${folder}/src`).filter((path) => path.endsWith('.ts'));
}

/** Every module a file names: import, export from, import() and import types. */
export function importsOf(path: string): string[] {
  return ts.preProcessFile(read(path), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The package of this repository that an import of a file refers to, by name or by a path outside its folder. */
export function packageOf(path: string, imported: string): Package | undefined {
  if (imported.startsWith('@quire/')) {
    const name = imported.split('/').slice(0, 2).join('/');
    return packages.find((candidate) => candidate.name === name);
  }
  if (!imported.startsWith('.')) return undefined;
  const target = relative(root, resolve(root, dirname(path), imported));
  return packages.find(({ folder }) => target.startsWith(`${folder}/`));
}
