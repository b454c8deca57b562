import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;

// ESM packages that CommonJS dependencies load with require(), which Jest cannot do by itself on Node 20.
const requiredEsm = 'cookie|content-disposition';

/** What every project of the suite shares; tests/jest.config.js builds on it for the black-box suites. */
export const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // A test that hangs ends: slow machines need a multiple of the usual time.
  testTimeout: 120_000,
  // The modules of a spec stay in memory, and near the limit of the heap a process does little but look for free space.
  workerIdleMemoryLimit: '1GB',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }],
    [`/node_modules/(${requiredEsm})/.+\\.js$`]: [
      '@swc/jest',
      { swcrc: false, jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(.*/)?(${requiredEsm})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  testEnvironmentOptions: { customExportConditions: ['@app/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data'],
};

export default { ...base, testMatch: ['<rootDir>/{libs,services}/*/src/**/*.spec.ts'] };
