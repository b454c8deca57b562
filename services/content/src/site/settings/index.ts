export { getSettings } from './settings.operations.js';
export { selectSetting } from './settings.repository.js';
