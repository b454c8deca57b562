export { getSettings } from './operations/get-settings.js';
export { Setting } from './setting.entity.js';
export { SettingsController } from './settings.controller.js';
export { SettingsInternalController } from './settings.internal.controller.js';
export { selectSetting } from './settings.repository.js';
