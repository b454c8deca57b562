import { base } from '../jest.config.js';

/** The black-box suites. infra/test.mjs passes where the system under test is as a global. */
export default {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/tests/{api,browser,resilience,config,architecture}/**/*.spec.ts'],
  testTimeout: 30_000,
};
