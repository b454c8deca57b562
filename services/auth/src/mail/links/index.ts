export { LinkOrigins } from './link-origins.js';
export { generateLinkToken, linkToken, mapLinkError, missingToken } from './link-token.js';
export { consumeMailRateLimit } from './mail-limits.js';
