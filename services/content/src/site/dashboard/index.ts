export { Dashboard } from './dashboard.js';
