export { Setting } from './setting.entity.js';
export { getSettings } from './settings.operations.js';
export { selectSetting } from './settings.repository.js';
export { mediaSettingKeys, settingKeys, settingsSchema } from './settings.schemas.js';
