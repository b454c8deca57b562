export { consumeRateLimit, enforceRateLimit } from './enforce-rate-limit.js';
