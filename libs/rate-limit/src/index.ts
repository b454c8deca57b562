export { clientKey } from './keys/client-key.js';
export { consumeAsClient, type ClientLimit } from './clients/client-limit.js';
export { connectRateLimiter, createProcessLimiter, type RateLimiterOptions } from './connect.js';
export type { RateDecision, RateLimit, RateLimiter, RateLimitLogger } from './port/rate-limiter.js';
