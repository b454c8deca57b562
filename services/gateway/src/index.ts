export { CredentialAuthentication } from './authentication/index.js';
export { Gateway, type GatewayParts } from './door/gateway.js';
export { GatewayModule } from './gateway.module.js';
export { aggregateDocuments, fetchPart, type DocumentOptions } from './openapi/aggregate.js';
