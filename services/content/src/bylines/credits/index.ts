export { bylineJson, bylineSummary, type BylineSummary } from './byline-summary.js';
export { creditsOfEntry, linkedGroup, type StoredCredit } from './credits-of-entry.js';
export { bylineStatements, resolveCredits, selectCredits, type Credit, type CreditInput } from './credits.js';
export { EntryByline } from './entry-byline.entity.js';
