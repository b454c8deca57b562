import { ResourceModule } from '@quire/operation';
import { LoginPageController } from './login-page.controller.js';

@ResourceModule({ controllers: [LoginPageController] })
export class LoginModule {}
