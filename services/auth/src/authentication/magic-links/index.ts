export { createMagicLink } from './operations/create-magic-link.js';
export { setLinkRedirectCookie } from './link-cookies.js';
export { sendMagicLink } from './operations/send-magic-link.js';
export { writeMagicLinkMail } from './operations/write-magic-link-mail.js';
