export {
  declareOperation,
  type Access,
  type HttpMethod,
  type InputOf,
  type OperationDeclaration,
} from './declare/declaration.js';
export { operationsOf } from './declare/inventory.js';
export { Operation } from './declare/operation.decorator.js';
export { InternalTokenStrategy } from './guard/internal-token.strategy.js';
export { authorise, OperationGuard, type IdentifiedRequest } from './guard/operation.guard.js';
export { inlineSchema, referredComponents, type JsonSchema } from './openapi/schemas.js';
export { serviceDocument } from './openapi/service-document.js';
export { Input, parseInput } from './parse/input.js';
