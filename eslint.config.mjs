import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import typescript from 'typescript-eslint';
import { resourceEntryPoint } from './tests/architecture/rules/resource-entry-point.mjs';

// The boundary rule reads Nx's cached project graph, and skips files it does not find there without a word: renew it.
const { createProjectGraphAsync } = createRequire(import.meta.resolve('@nx/eslint-plugin'))('@nx/devkit');
await createProjectGraphAsync();

/** Libraries from low to high: one may import only what stands before it. Everything below follows from this list. */
const { libs } = JSON.parse(readFileSync(new URL('tests/architecture/layers.json', import.meta.url), 'utf8'));

/** Where the rules on the environment and on connections hold; infra/ starts processes and stands outside. */
const fenced = ['{libs,services,tests}/**/*.{ts,mts,js,mjs,tsx}'];
/** Of those, only these read the environment. */
const environmentReaders = ['libs/config/**', 'libs/cli/src/environment.ts', 'tests/system/**'];
/** Of those, only these take connections from TypeORM. */
const connectionOwners = ['libs/database/**'];
/** Only these print; everything else logs. */
const printers = ['infra/**', '**/cli/**'];

/** Imported by specs, their fixtures, conformance suites and tests alone. */
const testOnly = 'testing';
const specs = ['{libs,services}/**/*.{spec,fixture,conformance}.ts'];

const typed = ['**/*.{ts,mts,tsx}'];
const unused = ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }];
const lib = (name) => `lib:${name}`;

/** @param extra tags that specs may use beyond what the source beside them may. */
function boundaries(extra = []) {
  const productLibs = libs.filter((name) => name !== testOnly).map(lib);
  return {
    depConstraints: [
      ...libs.map((name, index) => ({
        sourceTag: lib(name),
        // Its own tag stands there too: through the circle of libs/testing the rule sees a project depend on itself.
        onlyDependOnLibsWithTags: [...libs.slice(0, index + 1).map(lib), ...extra],
      })),
      { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
      { sourceTag: 'type:service', onlyDependOnLibsWithTags: [...productLibs, ...extra] },
      {
        sourceTag: 'type:composition',
        onlyDependOnLibsWithTags: ['type:service', ...productLibs, ...extra],
      },
    ],
    // libs/testing stands on the libraries whose specs use it: a circle of packages, never of files.
    ignoredCircularDependencies: [[`tag:${lib(testOnly)}`, '*']],
  };
}

const environment =
  'Only libs/config and libs/cli/src/environment.ts read the environment; take the value from it (or from its caller).';
const restrictedSyntax = {
  environment: [
    {
      selector:
        "MemberExpression[property.name='env'][object.type='MemberExpression'][object.property.name='process']",
      message: environment,
    },
  ],
  typeorm: [
    {
      selector:
        'CallExpression[callee.property.name=/^(getRepository|getTreeRepository|createQueryRunner)$/]',
      message:
        'This takes a connection without a tenant. Use the transaction of libs/database: tx.repository(Entity).',
    },
  ],
};

const ulidImport = {
  name: 'ulid',
  importNames: ['ulid'],
  message: 'Import it from @quire/values, which fetches random bytes for many ids at once.',
};

const imports = {
  patterns: [
    {
      regex: '^@quire/(?!theme/(?:tokens|mark)\\.css$)[^/]+/.',
      message:
        'A package has one entry point: import it by its bare name and export what is missing from its index.ts.',
    },
    {
      regex: '^(?:\\.\\./)+(?:libs|services)/',
      message: 'Import another package by its name, not by its path.',
    },
  ],
};
const environmentImports = ['process', 'node:process'].map((name) => ({
  name,
  importNames: ['env'],
  message: environment,
}));

/** Prettier wraps code; comments are wrapped by hand. A text is one, however long. */
const lineLength = {
  code: 120,
  ignoreStrings: true,
  ignoreTemplateLiterals: true,
  ignoreRegExpLiterals: true,
  ignoreUrls: true,
};

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/node_modules/**',
      '**/coverage/**',
      '.data/**',
      '.nx/**',
      'tests/fixtures/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    languageOptions: {
      // What this Node version offers, so that no list of globals has to be kept.
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly'])),
    },
    rules: { 'no-console': 'error', 'no-unused-vars': unused, 'max-len': ['error', lineLength] },
  },
  { files: typed, extends: [typescript.configs.recommended] },
  {
    files: typed,
    languageOptions: {
      // Without these the rule below would turn injected classes into type imports.
      parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': unused,
    },
  },
  { files: printers, rules: { 'no-console': 'off' } },

  // Between packages, and between the resources of a service.
  {
    files: ['{libs,services}/**/*.{ts,mts,js,mjs,tsx}'],
    plugins: { '@nx': nx, quire: { rules: { 'resource-entry-point': resourceEntryPoint } } },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries()],
      'quire/resource-entry-point': 'error',
    },
  },
  { files: specs, rules: { '@nx/enforce-module-boundaries': ['error', boundaries([lib(testOnly)])] } },

  // What only one place may do.
  {
    files: fenced,
    rules: {
      'no-restricted-imports': ['error', { ...imports, paths: [...environmentImports, ulidImport] }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environment }],
      'no-restricted-syntax': ['error', ...restrictedSyntax.environment, ...restrictedSyntax.typeorm],
    },
  },
  {
    files: environmentReaders,
    rules: {
      'no-restricted-imports': ['error', imports],
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...restrictedSyntax.typeorm],
    },
  },
  {
    files: ['libs/values/src/ulid.ts'],
    rules: { 'no-restricted-imports': ['error', { ...imports, paths: environmentImports }] },
  },
  // The panel runs in browsers.
  {
    files: ['services/admin/browser/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...imports.patterns,
            {
              regex:
                '^(?:node:|@quire/(?!(?:api-client|theme|permissions|content-model)(?:/(?:tokens|mark)\\.css)?$))',
              message:
                'The panel runs in browsers: it imports api-client, theme, permissions and content-model only.',
            },
          ],
        },
      ],
    },
  },
  { files: connectionOwners, rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax.environment] } },
);
