export { Dashboard } from './dashboard.js';
export { DashboardController } from './dashboard.controller.js';
