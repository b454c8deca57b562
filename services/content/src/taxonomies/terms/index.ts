export { EntryTerm } from './entry-term.entity.js';
export { TermGroup } from './term-group.entity.js';
export { Term } from './term.entity.js';
export { updateTerm } from './terms.operations.js';
