export { setLinkRedirectCookie } from './link-cookies.js';
export { createMagicLink, sendMagicLink, writeMagicLinkMail } from './magic-links.operations.js';
