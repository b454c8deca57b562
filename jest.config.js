/** What every project of the suite shares; tests/jest.config.js builds on it for the black-box suites. */
export const base = {
  // The modules of the product are loaded once in a worker, by Node.js.
  runtime: '<rootDir>/infra/dist/test-runner/jest/runtime.js',
  testEnvironment: '<rootDir>/infra/dist/test-runner/jest/environment.js',
  transform: {},
  // The runtime has globals that stay the same for all test files.
  injectGlobals: false,
  // A test that hangs ends. The tests that start whole systems take 90 seconds on a slow machine.
  testTimeout: 300_000,
  // A process with a large heap spends much of its time on finding free space.
  workerIdleMemoryLimit: '1GB',
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data'],
};

export default { ...base, testMatch: ['<rootDir>/{libs,services}/*/{src,browser}/**/*.spec.ts'] };
