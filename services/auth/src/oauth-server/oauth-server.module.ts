import { ResourceModule } from '@quire/operation';
import { OAuthAuthorizeController } from './authorize/authorize.controller.js';
import { OAuthCode } from './authorize/oauth-code.entity.js';
import { OAuthClientsController } from './clients/clients.controller.js';
import { OAuthClient } from './clients/oauth-client.entity.js';
import { OAuthRegistrationController } from './clients/registration.controller.js';
import { DeviceCode } from './device/device-code.entity.js';
import { DevicePageController } from './device/device-page.controller.js';
import { OAuthDeviceController } from './device/device.controller.js';
import { OAuthDiscoveryController } from './discovery/discovery.controller.js';
import { OAuthGrant } from './tokens/oauth-grant.entity.js';
import { OAuthTokensController } from './tokens/oauth-tokens.controller.js';

@ResourceModule({
  controllers: [
    OAuthAuthorizeController,
    OAuthClientsController,
    OAuthRegistrationController,
    OAuthDeviceController,
    DevicePageController,
    OAuthDiscoveryController,
    OAuthTokensController,
  ],
  entities: [OAuthClient, OAuthCode, OAuthGrant, DeviceCode],
})
export class OAuthServerModule {}
