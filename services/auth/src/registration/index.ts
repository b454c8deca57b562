export { accountByLink } from './registration.schemas.js';
export {
  createAccount,
  assertEmailAvailable,
  userExistsError,
  type LinkRegistrationInput,
} from './create-account.js';
export { createUser, type NewUser } from './create-user.js';
