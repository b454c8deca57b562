import { describe, expect, it } from '@jest/globals';
import { apiTargets, namesWith, serviceNames, workerTargets } from '@quire/topology';
import { filesBelow, foldersIn, read } from './workspace.js';

/** The file with the list, and files that are generated from it. */
const lists = [
  'libs/topology/src/services.ts',
  'services/standalone/src/services.ts',
  'services/standalone/targets.json',
  'infra/chart/files/targets.json',
  'services/gateway/src/routing/routes.generated.ts',
];
const code = /\.(?:ts|mjs|js|json)$/;

/** Whether a text names all services with data, as lists write them: in quotes, or as keys. */
const namesAll = (text: string) =>
  namesWith('hasData').every((name) =>
    new RegExp(`['"\`]${name}(?:-worker)?['"\`]|^ *${name}:`, 'm').test(text),
  );
/** Number of lines that are searched together: names of a list are close to each other. */
const windowLines = 6;

describe('the list of services (libs/topology)', () => {
  it('names every folder of services/ but the gateway and the composition root', () => {
    const folders = foldersIn('services').filter((name) => !['gateway', 'standalone'].includes(name));
    expect([...serviceNames].sort()).toEqual(folders);
  });

  it('is the one that scripts read before anything is built', () => {
    const targets = JSON.parse(read('services/standalone/targets.json')) as object;
    expect(targets).toEqual({ api: apiTargets, worker: workerTargets });
  });

  it('gives a key in compose.env.example to each part that signs internal tokens', () => {
    const keys = [...read('infra/compose.env.example').matchAll(/^CMS_INTERNAL_PRIVATE_KEYS_(\w+)=/gm)];
    const names = ['gateway', ...namesWith('callsServices')];
    expect(keys.map(([, name = '']) => name.toLowerCase()).sort()).toEqual(names.sort());
  });

  it('is repeated nowhere in the code', () => {
    const files = ['libs', 'services', 'infra', 'tests']
      .flatMap(filesBelow)
      .filter((path) => code.test(path));
    const repeated = files.filter((path) => {
      const text = read(path);
      if (lists.includes(path) || !namesAll(text)) return false;
      const lines = text.split('\n');
      return lines.some((_, index) => namesAll(lines.slice(index, index + windowLines).join('\n')));
    });
    expect(repeated).toEqual([]);
  });
});
