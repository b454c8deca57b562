export { bylineJson, bylineSummary, type BylineSummary } from './byline-summary.js';
export {
  bylineStatements,
  creditsOfEntry,
  isOfByline,
  linkedGroup,
  primaryGroup,
  selectBylineGroups,
  selectCreditedBylines,
  selectCredits,
  type Credit,
  type CreditedBylines,
  type StoredCredit,
} from './credits.repository.js';
export { resolveCredits, type CreditInput } from './credits.js';
export { EntryByline } from './entry-byline.entity.js';
