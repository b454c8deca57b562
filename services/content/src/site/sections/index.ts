export { Section } from './section.entity.js';
