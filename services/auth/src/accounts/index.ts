export { createAccount, noUserOf, type NewAccount } from './create-account.js';
export { makeUser } from './make-user.js';
