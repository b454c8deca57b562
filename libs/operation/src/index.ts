export {
  declareOperation,
  type Access,
  type BodyFormat,
  type HttpMethod,
  type InputOf,
  type OperationDeclaration,
  type Refusal,
} from './declare/declaration.js';
export { operationsOf } from './declare/inventory.js';
export { declarationOf, declarationOfRequest, Operation } from './declare/operation.decorator.js';
export { InternalTokenStrategy } from './guard/internal-token.strategy.js';
export { authorise, OperationGuard, type IdentifiedRequest } from './guard/operation.guard.js';
export { inlineSchema, referredComponents, type JsonSchema } from './openapi/schemas.js';
export { serviceDocument } from './openapi/service-document.js';
export { Input, parseInput } from './parse/input.js';
export { instant, pageQuery, rowId, storableText } from './schemas/inputs.js';
