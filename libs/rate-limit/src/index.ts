export { connectRateLimiter, type RateLimiterOptions } from './connect.js';
export type { RateDecision, RateLimit, RateLimiter, RateLimitLogger } from './port/rate-limiter.js';
