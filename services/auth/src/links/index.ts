export { LinkOrigins } from './link-origins.js';
export { linkRefusal } from './link-refusal.js';
export { newLinkToken } from './link-token.js';
export { linkToken, missingToken, personName } from './links.schemas.js';
export { takesMail } from './mail-limits.js';
