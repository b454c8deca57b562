export {
  AuthApiClient,
  CredentialAuthentication,
  EdgeAccess,
  EdgeAuthentication,
  EdgeSessions,
} from './authentication/index.js';
export { EdgeAccessPolicy } from './routing/edge-access-policy.js';
export { Gateway, type GatewayDeps } from './routing/gateway.js';
export { GatewayModule } from './gateway.module.js';
export { mergeDocuments, fetchServiceDocument, type DocumentOptions } from './openapi/merge-documents.js';
