export { Locales } from './locales.js';
