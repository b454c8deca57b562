export { accountByLink } from './registration.schemas.js';
export {
  createAccount,
  assertEmailAvailable,
  type NewAccount,
  type LinkRegistrationInput,
} from './create-account.js';
export { createUser } from './create-user.js';
