import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, foldersIn, layers, packages, read, root, sourcesOf } from './workspace.js';

const maxReadmeLines = 80;
const maxSourceLines = 400;
const meaninglessNames = /^(common|shared|helpers?|misc|utils?)$/i;
/** Migrations of the shared schema of a service, as opposed to those of each tenant's schema. */
const sharedMigrations = /^services\/[^/]+\/src\/migrations\/shared\//;

const lineCount = (path: string) => read(path).trimEnd().split('\n').length;
const isSpec = (path: string) => path.endsWith('.spec.ts');
const isGenerated = (path: string) => path.endsWith('.generated.ts');

describe('the list of layers', () => {
  it('names every folder of libs/, and nothing else', () => {
    expect([...layers].sort()).toEqual(foldersIn('libs'));
  });
});

describe.each(packages.map((project) => [project.folder, project] as const))('%s', (folder, project) => {
  it('carries the tags that the boundary rules go by', () => {
    const expected =
      project.kind === 'libs'
        ? ['type:lib', `lib:${project.short}`]
        : [project.short === 'standalone' ? 'type:composition' : 'type:service', `scope:${project.short}`];
    expect([...project.tags].sort()).toEqual(expected.sort());
  });

  it('is named after its folder', () => {
    const isService = project.kind === 'services' && project.short !== 'standalone';
    expect(project.name).toBe(`@quire/${project.short}${isService ? '-service' : ''}`);
  });

  it(`has a README of one page (${maxReadmeLines} lines)`, () => {
    expect(existsSync(join(root, folder, 'README.md'))).toBe(true);
    expect(lineCount(`${folder}/README.md`)).toBeLessThanOrEqual(maxReadmeLines);
  });

  it('has sources', () => {
    expect(sourcesOf(project).filter((path) => !isSpec(path))).not.toEqual([]);
  });

  it(`has no source file over ${maxSourceLines} lines`, () => {
    const long = sourcesOf(project).filter((path) => !isGenerated(path) && lineCount(path) > maxSourceLines);
    expect(long).toEqual([]);
  });

  it('has no folder called common, shared, helpers, misc or utils', () => {
    const isMeaningless = (path: string) =>
      path
        .replace(sharedMigrations, `${folder}/`)
        .split('/')
        .slice(2, -1)
        .some((name) => meaninglessNames.test(name));
    expect(filesBelow(folder).filter(isMeaningless)).toEqual([]);
  });
});
