export { OAuthAuthorizeController } from './authorize/authorize.controller.js';
export { OAuthCode } from './authorize/oauth-code.entity.js';
export { OAuthClientsController } from './clients/clients.controller.js';
export { OAuthClient } from './clients/oauth-client.entity.js';
export { OAuthRegistrationController } from './clients/registration.controller.js';
export { OAuthDeviceController } from './device/device.controller.js';
export { DevicePageController } from './device/device-page.controller.js';
export { DeviceCode } from './device/device-code.entity.js';
export { OAuthDiscoveryController } from './discovery/discovery.controller.js';
export { OAuthDeps } from './oauth-deps.js';
export {
  clientTrustMigration,
  oauthMigration,
  refreshRotationMigration,
  selfRegistrationMigration,
} from './oauth.tables.js';
export { OAuthGrant } from './tokens/oauth-grant.entity.js';
export { OAuthTokensController } from './tokens/oauth-tokens.controller.js';
export { revokeGrants } from './tokens/operations/revoke-grants.js';
