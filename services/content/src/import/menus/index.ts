export { importMenu } from './import-menu.js';
