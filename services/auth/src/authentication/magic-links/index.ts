export { setLinkRedirectCookie } from './link-cookies.js';
export {
  createMagicLink,
  offersMagicLinks,
  sendMagicLink,
  writeMagicLinkMail,
} from './magic-links.operations.js';
