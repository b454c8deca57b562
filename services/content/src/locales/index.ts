export { inLocale, isSameLocale, Locales, sameLocale } from './locales.js';
