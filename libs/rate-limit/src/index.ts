export { connectRateLimiter } from './connect.js';
export type { RateDecision, RateLimit, RateLimiter } from './port/rate-limiter.js';
