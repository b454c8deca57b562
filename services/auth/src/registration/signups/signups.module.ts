import { ResourceModule } from '@quire/operation';
import { SignupPageController } from './page/index.js';
import { Signup } from './signup.entity.js';
import { SignupsController } from './signups.controller.js';

@ResourceModule({ controllers: [SignupsController, SignupPageController], entities: [Signup] })
export class SignupsModule {}
