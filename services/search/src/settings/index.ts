export { SettingsController } from './settings.controller.js';
