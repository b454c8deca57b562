export { QueriesController } from './queries.controller.js';
