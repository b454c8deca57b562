export {
  selectAssignedTerms,
  assignmentStatements,
  copyAssignments,
  lockAssignments,
  type AssignedTerm,
} from './assignments.js';
export { resolveTermsBySlug, type TermsBySlug } from './terms-by-slug.js';
