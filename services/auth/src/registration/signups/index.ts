export { readSignup } from './operations/read-signup.js';
export { requestSignup } from './operations/request-signup.js';
export { writeSignupMail } from './operations/write-signup-mail.js';
