export { LinkOrigins } from './link-origins.js';
export { mapLinkError } from './link-error.js';
export { generateLinkToken } from './link-token.js';
export { linkToken, missingToken, personName } from './links.schemas.js';
export { consumeMailRateLimit } from './mail-limits.js';
