export {
  selectAssignedTerms,
  assignmentStatements,
  copyAssignments,
  deleteAssignmentsOf,
  lockTermGroups,
  selectTaxonomiesByName,
  selectTermGroups,
  type AssignedTerm,
} from './assignments.repository.js';
export { resolveTermsBySlug, type TermsBySlug } from './terms-by-slug.js';
