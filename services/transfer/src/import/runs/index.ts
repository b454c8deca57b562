export { ImportRunner } from './import-runner.js';
