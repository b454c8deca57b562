import { base } from '../jest.config.js';

/** The black-box suites. `npm test` passes the addresses of the system under test as a global. */
export default {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/tests/{api,browser,mcp-clients,resilience,config,architecture}/**/*.spec.ts'],
  modulePathIgnorePatterns: [
    ...base.modulePathIgnorePatterns,
    '<rootDir>/(?:tests/mcp-clients|infra/test-tools)/node_modules/',
  ],
};
