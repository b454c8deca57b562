export { EntryTermsController } from './entry-terms.controller.js';
export { TermGroup } from './term-group.entity.js';
export { Term } from './term.entity.js';
export { TermsController } from './terms.controller.js';
