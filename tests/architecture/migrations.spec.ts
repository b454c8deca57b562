import { describe, expect, it } from '@jest/globals';
import { filesBelow, foldersIn, read } from './workspace.js';

const fileName = /\/migrations\/(?:tenant|shared)\/(?<name>\d{4}-[a-z0-9-]+)\.ts$/;

/** Services whose migrations lie in `src/migrations/`, with the paths of the migrations. */
const services = foldersIn('services')
  .map((service) => {
    const folder = `services/${service}/src/migrations`;
    const files = filesBelow(folder).filter(
      (path) => /\/(?:tenant|shared)\//.test(path) && !path.endsWith('.spec.ts'),
    );
    return { service, folder, files };
  })
  .filter(({ files }) => files.length > 0);

const nameOf = (path: string) => fileName.exec(path)?.groups?.['name'] ?? '';

/** The exported names of a file's migrations. */
const exportsOf = (path: string) =>
  [...read(path).matchAll(/^export const (\w+): Migration = /gm)].map(([, exported = '']) => exported);

/** The last migrations of each service before this rule. None was released. */
const lastUnchecked: Readonly<Record<string, number>> = {
  ...{ auth: 86, content: 72, media: 72, search: 10, transfer: 40 },
};
/** Changes that a program without them does not survive. */
const narrowing =
  /\bDROP\s+(?:TABLE|COLUMN|VIEW|FUNCTION)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i;

/** Whether a migration narrows tables and does not state that it breaks the former version. */
const breaksInSilence = (service: string, path: string) =>
  Number(nameOf(path).slice(0, 4)) > (lastUnchecked[service] ?? 0) &&
  narrowing.test(read(path)) &&
  !/^ {2}isBreaking: true,$/m.test(read(path));

describe('migrations', () => {
  it('are found', () => expect(services.map(({ service }) => service)).toContain('content'));
});

describe.each(services)('migrations of $service', ({ service, folder, files }) => {
  it('state that they break the former version when they drop, rename or narrow (operations F6)', () => {
    expect(files.filter((path) => breaksInSilence(service, path))).toEqual([]);
  });

  it('are files named NNNN-name.ts in tenant/ or shared/', () => {
    expect(files.filter((path) => nameOf(path) === '')).toEqual([]);
  });

  it('are one a file, which is named after it', () => {
    const wrong = files.filter(
      (path) => exportsOf(path).length !== 1 || !read(path).includes(` name: '${nameOf(path)}',`),
    );
    expect(wrong).toEqual([]);
  });

  it('are all listed, in the order of their numbers', () => {
    const index = read(`${folder}/index.ts`);
    for (const schema of ['tenant', 'shared']) {
      const expected = files
        .filter((path) => path.startsWith(`${folder}/${schema}/`))
        .sort()
        .flatMap(exportsOf);
      const list = new RegExp(`^  ${schema}: \\[([^\\]]*)\\]`, 'm').exec(index)?.[1] ?? '';
      const listed = list.split(',').map((element) => element.trim());
      expect(listed.filter((name) => expected.includes(name))).toEqual(expected);
    }
  });
});
