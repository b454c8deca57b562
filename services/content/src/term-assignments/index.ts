export {
  assignedTerms,
  assignmentStatements,
  copyAssignments,
  holdAssignments,
  type AssignedTerm,
} from './assignments.js';
export { resolveTermsBySlug, type TermsBySlug } from './terms-by-slug.js';
