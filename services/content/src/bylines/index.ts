export { bylineStatements, resolveCredits, storedCredits, type Credit, type CreditInput } from './credits.js';
