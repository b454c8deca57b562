export { isSameLocale } from '@quire/config';
export { inLocale, Locales, sameLocale } from './locales.js';
export { SiteLocales } from './site-locales.js';
