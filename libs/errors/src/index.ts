export { errorStatus, type ErrorCode } from './codes/error-codes.js';
export { QuireError, invalidInput, notFound, type ErrorDetails, type Issue } from './codes/quire-error.js';
export {
  toErrorResponse,
  successText,
  unexpectedError,
  securityHeaders,
  type ErrorResponse,
  type ErrorEnvelope,
} from './envelope/envelope.js';
