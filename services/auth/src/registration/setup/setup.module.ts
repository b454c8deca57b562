import { ResourceModule } from '@quire/operation';
import { SetupPageController } from './page/index.js';
import { SetupAttempt } from './setup-attempt.entity.js';
import { SetupState } from './setup-state.entity.js';
import { SetupController } from './setup.controller.js';

@ResourceModule({ controllers: [SetupController, SetupPageController], entities: [SetupState, SetupAttempt] })
export class SetupModule {}
