export { invalidLinkPage, type LinkProblems } from './invalid-link-page.js';
export { newAccountPage, type NewAccountPage, type RegistrationFlow } from './new-account-page.js';
