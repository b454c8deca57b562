import { base } from '../jest.config.js';

/** The black-box suites. `npm test` passes the addresses of the system under test as a global. */
export default {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/tests/{api,browser,resilience,config,architecture}/**/*.spec.ts'],
  testTimeout: 30_000,
};
