export {
  assignedTerms,
  assignmentStatements,
  copyAssignments,
  holdAssignments,
  type AssignedTerm,
} from './assignments.js';
