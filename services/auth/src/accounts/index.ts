export { accountByLink } from './accounts.schemas.js';
export { createAccount, noUserOf, type NewAccount, type SentByLink } from './create-account.js';
export { makeUser } from './make-user.js';
