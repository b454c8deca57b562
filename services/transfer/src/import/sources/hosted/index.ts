export { hostedContent } from './hosted-content.js';
