export { httpUpstream } from './http-upstream.js';
export { inProcessUpstream } from './in-process-upstream.js';
export {
  InternalApiClient,
  type CallContext,
  type CallOptions,
  type InternalApiClientOptions,
} from './internal-api-client.js';
export type { RequestOrigin, ServiceUpstream } from './service-upstream.js';
