export { connectRateLimiter, type RateLimiterOptions } from './connect.js';
export { clientKey } from './keys/client-key.js';
export type { RateDecision, RateLimit, RateLimiter, RateLimitLogger } from './port/rate-limiter.js';
