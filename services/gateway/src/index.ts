export {
  AuthQuestions,
  CredentialAuthentication,
  EdgeAccess,
  EdgeAuthentication,
  EdgeSessions,
} from './authentication/index.js';
export { EdgeDoor } from './door/edge-door.js';
export { Gateway, type GatewayParts } from './door/gateway.js';
export { GatewayModule } from './gateway.module.js';
export { aggregateDocuments, fetchPart, type DocumentOptions } from './openapi/aggregate.js';
