export { createAccount, noUserOf, type NewAccount } from './create-account.js';
