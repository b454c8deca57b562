import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FixtureWorkspace } from './fixture-workspace.js';
import { root } from './workspace.js';

const between = '@nx/enforce-module-boundaries';
const entries = 'services/alpha/src/entries';

interface Case {
  file: string;
  text: string;
}

/** Each violation is written into a separate workspace and must be rejected by exactly this rule. */
const refused: Record<string, Case & { by: string }> = {
  'a service that imports a service': {
    file: `${entries}/violation.ts`,
    text: "export * from '@quire/beta-service';",
    by: between,
  },
  'a service that imports the types of a service': {
    file: `${entries}/violation.ts`,
    text: "import type { Beta } from '@quire/beta-service';\nexport type Alpha = Beta;",
    by: between,
  },
  'a service that imports a service while it runs': {
    file: `${entries}/violation.ts`,
    text: "export const beta = () => import('@quire/beta-service');",
    by: between,
  },
  'a service that reaches a service by path': {
    file: 'services/alpha/src/violation.ts',
    text: "export * from '../../beta/src/index.js';",
    by: between,
  },
  'a service that imports the composition root': {
    file: `${entries}/violation.ts`,
    text: "export * from '@quire/standalone';",
    by: between,
  },
  'a library that imports the composition root': {
    file: 'libs/runtime/src/violation.ts',
    text: "export * from '@quire/standalone';",
    by: between,
  },
  'a library that imports a service': {
    file: 'libs/runtime/src/violation.ts',
    text: "export * from '@quire/alpha-service';",
    by: between,
  },
  'a library that imports a higher library': {
    file: 'libs/database/src/violation.ts',
    text: "export * from '@quire/tenancy';",
    by: between,
  },
  'the lowest library importing the next one': {
    file: 'libs/errors/src/violation.ts',
    text: "export * from '@quire/config';",
    by: between,
  },
  'a spec that imports a higher library': {
    file: 'libs/database/src/violation.spec.ts',
    text: "export * from '@quire/tenancy';",
    by: between,
  },
  'product code that imports libs/testing': {
    file: `${entries}/violation.ts`,
    text: "export * from '@quire/testing';",
    by: between,
  },
  'the composition root importing libs/testing': {
    file: 'services/standalone/src/violation.ts',
    text: "export * from '@quire/testing';",
    by: between,
  },
  'a deep import into a package': {
    file: `${entries}/violation.ts`,
    text: "export * from '@quire/errors/src/codes/quire-error.js';",
    by: 'no-restricted-imports',
  },
  'a suite that reaches into a package by path': {
    file: 'tests/api/violation.spec.ts',
    text: "export * from '../../libs/errors/src/index.js';",
    by: 'no-restricted-imports',
  },
  'a resource that imports a file of another one': {
    file: `${entries}/violation.ts`,
    text: "export * from '../comments/comments.repository.js';",
    by: 'quire/resource-entry-point',
  },
  'an operation that imports a file of another resource': {
    file: `${entries}/operations/violation.ts`,
    text: "import type { Row } from '../../comments/operations/index.js';\nexport type Entry = Row;",
    by: 'quire/resource-entry-point',
  },
  'a resource that imports a file of another one while it runs': {
    file: `${entries}/violation.ts`,
    text: "export const late = () => import('../comments/comments.repository.js');",
    by: 'quire/resource-entry-point',
  },
  'process.env in a service': {
    file: `${entries}/violation.ts`,
    text: 'export const port = process.env.PORT;',
    by: 'no-restricted-properties',
  },
  'process.env in a library': {
    file: 'libs/database/src/violation.ts',
    text: 'export const { env } = process;',
    by: 'no-restricted-properties',
  },
  'process.env in another file of libs/cli': {
    file: 'libs/cli/src/commands/violation.ts',
    text: 'export const { CMS_URL } = process.env;',
    by: 'no-restricted-properties',
  },
  'process.env by way of globalThis': {
    file: `${entries}/violation.ts`,
    text: 'export const port = globalThis.process.env.PORT;',
    by: 'no-restricted-syntax',
  },
  'env imported from node:process': {
    file: `${entries}/violation.ts`,
    text: "export { env } from 'node:process';",
    by: 'no-restricted-imports',
  },
  'a TypeORM repository outside libs/database': {
    file: `${entries}/violation.ts`,
    text: 'export const rows = (source: { getRepository(e: string): object }) => source.getRepository("entries");',
    by: 'no-restricted-syntax',
  },
  'a TypeORM query runner outside libs/database': {
    file: 'libs/config/src/violation.ts',
    text: 'export const runner = (source: { createQueryRunner(): object }) => source.createQueryRunner();',
    by: 'no-restricted-syntax',
  },
  any: {
    file: `${entries}/violation.ts`,
    text: 'export const anything = (value: any) => value;',
    by: '@typescript-eslint/no-explicit-any',
  },
  'a value import of a type': {
    file: `${entries}/violation.ts`,
    text: "import { Row } from './row.js';\nexport type Entry = Row;",
    by: '@typescript-eslint/consistent-type-imports',
  },
  'console in a service': {
    file: `${entries}/violation.ts`,
    text: "console.log('here');",
    by: 'no-console',
  },
};

const allowed: Record<string, Case> = {
  'a library that imports a lower one': {
    file: 'libs/tenancy/src/violation.ts',
    text: "export * from '@quire/database';",
  },
  'a service that imports libraries': {
    file: `${entries}/violation.ts`,
    text: "export * from '@quire/runtime';\nexport * from '@quire/errors';",
  },
  'the composition root importing services': {
    file: 'services/standalone/src/violation.ts',
    text: "export * from '@quire/alpha-service';\nexport * from '@quire/beta-service';",
  },
  'a spec of a service that imports libs/testing': {
    file: `${entries}/violation.spec.ts`,
    text: "export * from '@quire/testing';",
  },
  'a spec of a library that libs/testing stands on': {
    file: 'libs/database/src/database.spec.ts',
    text: "export * from '@quire/testing';",
  },
  'a conformance suite that imports libs/testing': {
    file: 'libs/database/src/conformance/violation.conformance.ts',
    text: "export * from '@quire/testing';",
  },
  'libs/testing importing a library whose spec uses it': {
    file: 'libs/testing/src/index.ts',
    text: "export * from '@quire/database';",
  },
  'a suite that imports libs/testing': {
    file: 'tests/api/violation.spec.ts',
    text: "export * from '@quire/testing';",
  },
  'a resource that imports another one through its entry point': {
    file: `${entries}/operations/violation.ts`,
    text: "export * from '../../revisions/index.js';\nexport * from '../entries.repository.js';",
  },
  'a resource that imports the index of a nested one': {
    file: `${entries}/violation.ts`,
    text: "export * from '../site/menus/index.js';",
  },
  'a resource that imports a file of a folder without an index': {
    file: `${entries}/violation.ts`,
    text: "export * from '../site/path-search.js';",
  },
  'the module of a service naming any resource': {
    file: 'services/alpha/src/alpha.module.ts',
    text: "export * from './entries/entries.controller.js';",
  },
  'process.env in libs/config': {
    file: 'libs/config/src/violation.ts',
    text: 'export const port = process.env.PORT;',
  },
  'process.env in the file of libs/cli for it': {
    file: 'libs/cli/src/environment.ts',
    text: 'export const { CMS_URL } = process.env;',
  },
  'a TypeORM query runner in libs/database': {
    file: 'libs/database/src/violation.ts',
    text: 'export const runner = (source: { createQueryRunner(): object }) => source.createQueryRunner();',
  },
  'an injected class in a decorated file': {
    file: `${entries}/violation.ts`,
    text: "import { Door } from './door.js';\n@Mark()\nexport class Violation { constructor(readonly door: Door) {} }\nfunction Mark() { return (target: object) => void target; }",
  },
  'console in infra': { file: 'infra/violation.mjs', text: "console.log('here');" },
};

describe('the lint rules', () => {
  const workspace = new FixtureWorkspace();
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    workspace.write('libs/testing/src/index.ts', "export * from '@quire/database';\n");
    workspace.write('libs/database/src/database.spec.ts', "export * from '@quire/testing';\n");
    workspace.write('services/alpha/src/comments/index.ts', 'export {};\n');
    workspace.write('services/alpha/src/site/menus/index.ts', 'export {};\n');
    const cases = Object.entries({ ...refused, ...allowed });
    const script = join(root, 'tests/architecture/rules/lint-texts.mjs');
    const { code, output } = await workspace.run(
      `node '${script}'`,
      JSON.stringify(cases.map(([, { file, text }]) => ({ file, text: `${text}\n` }))),
    );
    if (code !== 0) throw new Error(output);
    const results = JSON.parse(output) as string[][];
    cases.forEach(([name], index) => found.set(name, results[index]!));
  });

  afterAll(() => workspace.remove());

  it.each(Object.entries(refused))('refuse %s', (name, { by }) => {
    expect(new Set(found.get(name))).toEqual(new Set([by]));
  });

  it.each(Object.keys(allowed))('allow %s', (name) => {
    expect(found.get(name)).toEqual([]);
  });
});
