import { ResourceModule } from '@quire/operation';
import { PreferencesController } from './preferences.controller.js';
import { UserPreferences } from './user-preferences.entity.js';

@ResourceModule({ controllers: [PreferencesController], entities: [UserPreferences] })
export class PreferencesModule {}
