export {
  declareOperation,
  maxBodyBytesOf,
  maxContentBodyBytes,
  type Access,
  type BodyFormat,
  type HttpMethod,
  type InputOf,
  type OperationDeclaration,
  type Reauthentication,
  type RequiredScope,
  type MappedErrorResponse,
} from './declare/declaration.js';
export {
  defaultGatewayRules,
  statedRules,
  type CsrfRule,
  type EdgeAccessRule,
  type GatewayRules,
  type NamespaceDeclaration,
} from './declare/gateway-rules.js';
export { listOperations, operationsOf } from './declare/operation-registry.js';
export {
  entitiesOf,
  globalProviders,
  ResourceModule,
  type ResourceMetadata,
} from './declare/resource-module.js';
export { declarationOf, declarationOfRequest, Operation } from './declare/operation.decorator.js';
export { authorise, notAuthenticated, type OperationRights } from './guard/operation.guard.js';
export { assertRecentAuthentication } from './guard/reauthentication.js';
export {
  componentReference,
  errorEnvelopeId,
  inlineSchema,
  objectProperties,
  referredComponents,
  successEnvelope,
  type JsonSchema,
} from './openapi/schemas.js';
export { serviceDocument } from './openapi/service-document.js';
export { Input } from './parse/input.js';
export { instant, pageQuery, rowId, storableText, uploadLimitMark } from './schemas/inputs.js';
