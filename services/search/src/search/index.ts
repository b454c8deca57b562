export { SearchController } from './search.controller.js';
