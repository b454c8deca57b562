export { getSignup, requestSignup, writeSignupMail } from './signups.operations.js';
