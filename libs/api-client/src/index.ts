export { createApiClient, type ApiClient, type ApiClientOptions } from './client.js';
export { ApiError, isSignedOut, type ApiErrorInit } from './api-error.js';
export type { CallOptions, Conditional, DataOf, InputOf, OperationId } from './operation-types.js';
export type { RawBody } from './raw-body.js';
export type { Operations, Schemas } from './generated/operations.js';
