import { describe, expect, it } from '@jest/globals';
import { filesBelow, packages, read } from './workspace.js';

const migrationFile = /\/migrations\/(?:tenant|shared)\/([^/]+)\.ts$/;

const services = packages.filter(
  ({ kind, folder }) =>
    kind === 'services' && filesBelow(folder).includes(`${folder}/src/migrations/index.ts`),
);

describe.each(services.map(({ folder }) => [folder] as const))('the migrations of %s', (folder) => {
  const files = filesBelow(`${folder}/src/migrations`).filter((path) => migrationFile.test(path));

  it.each(files)('%s holds one migration with the name of the file', (path) => {
    const names = [...read(path).matchAll(/^ +name: '([^']+)'|Migration = \{ name: '([^']+)'/gm)].map(
      ([, long, short]) => long ?? short,
    );
    expect(names).toEqual([migrationFile.exec(path)?.[1]]);
  });

  it('are all listed in index.ts, in the order of their names', () => {
    const imported = [
      ...read(`${folder}/src/migrations/index.ts`).matchAll(/from '\.\/((?:tenant|shared)\/[^']+)\.js'/g),
    ];
    const listed = imported.map(([, name]) => `${folder}/src/migrations/${name}.ts`);
    expect(listed).toEqual([...files].sort());
  });
});
