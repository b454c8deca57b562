export { OAuthAuthorizeController } from './authorize/authorize.controller.js';
export { OAuthCode } from './authorize/oauth-code.entity.js';
export { scopeLabel } from './authorize/scope-labels.js';
export { OAuthClientsController } from './clients/clients.controller.js';
export { OAuthClient } from './clients/oauth-client.entity.js';
export { strangerNote } from './clients/stranger-note.js';
export { OAuthRegistrationController } from './clients/registration.controller.js';
export { OAuthDeviceController } from './device/device.controller.js';
export { DeviceCode } from './device/device-code.entity.js';
export { askDevice, type AskingDevice } from './device/operations/ask-device.js';
export { decideDevice } from './device/operations/decide-device.js';
export { OAuthDiscoveryController } from './discovery/discovery.controller.js';
export { OAuthServices } from './oauth-services.js';
export {
  clientTrustMigration,
  oauthMigration,
  refreshRotationMigration,
  selfRegistrationMigration,
} from './oauth.tables.js';
export { OAuthGrant } from './tokens/oauth-grant.entity.js';
export { signedCredential } from './signed-credential.js';
export { OAuthTokensController } from './tokens/oauth-tokens.controller.js';
export { endGrantsOf } from './tokens/operations/end-grants.js';
