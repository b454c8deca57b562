export { BearerAuthentication } from './authentication/bearer-authentication.js';
export { Gateway, type GatewayParts } from './door/gateway.js';
export { GatewayModule } from './gateway.module.js';
export { aggregateDocuments, fetchPart } from './openapi/aggregate.js';
