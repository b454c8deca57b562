import { ResourceModule } from '@quire/operation';
import { SettingsController } from './settings.controller.js';

@ResourceModule({ controllers: [SettingsController] })
export class SettingsModule {}
