export { createAuthClient, CredentialAuthentication } from './authentication/index.js';
export { EdgeAccess, EdgeAccessPolicy, EdgeAuthentication, EdgeSessions } from './edge-access/index.js';
export { Gateway, type GatewayDeps } from './gateway.js';
export { GatewayModule } from './gateway.module.js';
export { LoadShedder, shedReasons, SiteRequestLimit, startEventLoopMonitor } from './load-shedding/index.js';
export { createMcpEndpoint, createToolSet, type GeneratedTool, type GeneratedTools } from './mcp/index.js';
export { mergeDocuments, fetchServiceDocument, type DocumentOptions } from './openapi/merge-documents.js';
export { deriveRoutes, type ServiceDeclarations } from './routing/derive-routes.js';
export { hasApiOperations, routeOf } from './routing/router.js';
