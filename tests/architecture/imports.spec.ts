import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  filesBelow,
  importsOf,
  layers,
  packageOf,
  packages,
  root,
  sourcesOf,
  type Package,
} from './workspace.js';

// The rules of lint, checked in another way: a mistake in the configuration of lint must not disable them.

const testOnly = 'testing';
/** Conformance suites are shared by the specs of several adapters. */
const isSpec = (path: string) => /\.(?:spec|fixture|conformance)\.ts$/.test(path);

function mayImport(from: Package, to: Package, path: string): boolean {
  if (to === from) return true;
  if (to.kind === 'services') return from.short === 'standalone';
  if (to.short === testOnly) return isSpec(path);
  return from.kind === 'services' || layers.indexOf(to.short) < layers.indexOf(from.short);
}

interface Edge {
  path: string;
  imported: string;
  from: Package;
  to: Package | undefined;
}

const edges: Edge[] = packages.flatMap((from) =>
  sourcesOf(from).flatMap((path) =>
    importsOf(path).map((imported) => ({ path, imported, from, to: packageOf(path, imported) })),
  ),
);
/** The folders of a service that contain a file, the innermost first. */
const foldersOf = (path: string): string[] =>
  /^services\/[^/]+\/src\/./.test(path)
    ? [dirname(path), ...foldersOf(dirname(path))].filter((f) => f.split('/').length > 3)
    : [];
/** The folders with an index.ts: the resources. */
const resourcesOf = (path: string) =>
  foldersOf(path).filter((folder) => existsSync(join(root, folder, 'index.ts')));
const show = ({ path, imported }: Edge) => `${path} imports ${imported}`;

describe('imports between packages', () => {
  it('are found at all', () => {
    const between = edges.filter(({ from, to }) => to && to !== from);
    expect(between.length).toBeGreaterThan(packages.length);
  });

  it('lead to packages that exist', () => {
    expect(edges.filter(({ imported, to }) => imported.startsWith('@quire/') && !to).map(show)).toEqual([]);
  });

  it('go downwards only, never into a service, and into libs/testing from specs, fixtures and conformance suites alone', () => {
    expect(edges.filter(({ from, to, path }) => to && !mayImport(from, to, path)).map(show)).toEqual([]);
  });

  it('import packages by their bare name only', () => {
    const deep = edges.filter(
      ({ imported, from, to }) => to && (imported.startsWith('@quire/') ? imported !== to.name : to !== from),
    );
    expect(deep.map(show)).toEqual([]);
  });

  it('reach another resource of the same service through its index', () => {
    const around = edges.filter(({ path, imported, from, to }) => {
      if (to !== from || !imported.startsWith('.') || foldersOf(path).length === 0) return false;
      const target = new URL(imported, `file:///${path}`).pathname.slice(1);
      const [resource] = resourcesOf(target).filter((folder) => !path.startsWith(`${folder}/`));
      return resource !== undefined && target !== `${resource}/index.js`;
    });
    expect(around.map(show)).toEqual([]);
  });
});

describe('the black-box suites', () => {
  it('name packages by their bare name', () => {
    const deep = filesBelow('tests')
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) =>
        importsOf(path).map((imported) => ({ path, imported, to: packageOf(path, imported) })),
      )
      .filter(({ imported, to }) => to && imported !== to.name);
    expect(deep).toEqual([]);
  });
});
