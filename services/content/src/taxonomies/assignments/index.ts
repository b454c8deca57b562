export {
  selectAssignedTerms,
  assignmentStatements,
  copyAssignments,
  lockAssignments,
  selectTaxonomiesByName,
  type AssignedTerm,
} from './assignments.repository.js';
export { resolveTermsBySlug, type TermsBySlug } from './terms-by-slug.js';
