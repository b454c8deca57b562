import { ResourceModule } from '@quire/operation';
import { Setting } from './setting.entity.js';
import { SettingsController } from './settings.controller.js';
import { SettingsInternalController } from './settings.internal.controller.js';

@ResourceModule({ controllers: [SettingsController, SettingsInternalController], entities: [Setting] })
export class SettingsModule {}
