export { Section } from './section.entity.js';
export { SectionsController } from './sections.controller.js';
export { sectionsMigration } from './sections.tables.js';
