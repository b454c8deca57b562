import { ResourceModule } from '@quire/operation';
import { Setting } from './setting.entity.js';
import { SettingsController } from './settings.controller.js';
import { SettingsInternalController } from './settings.internal.controller.js';
import { SettingsTools } from './settings.tools.js';

@ResourceModule({
  controllers: [SettingsController, SettingsInternalController],
  providers: [SettingsTools],
  entities: [Setting],
})
export class SettingsModule {}
