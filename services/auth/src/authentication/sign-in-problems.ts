const general = 'Signing in did not work. Try again.';

/** Error messages by the code that links and login providers return to the login page with (contract 28 and 29). */
const problems: ReadonlyMap<string, string> = new Map([
  ['missing_token', 'This link is not complete. Copy all of it from your mail, or ask for a new one.'],
  ['invalid_link', 'This link is unknown, or it has been used. Ask for a new one.'],
  ['link_expired', 'This link is too old. Links last 15 minutes: ask for a new one.'],
  ['user_not_found', 'There is no account here that you can sign in to like this.'],
  ['verification_failed', general],
  ['invalid_provider', 'This way to sign in is not known here. Choose another one.'],
  ['provider_not_configured', 'This way to sign in is not set up. Choose another one.'],
  ['oauth_denied', 'You did not let the provider tell us who you are. Try again, or choose another way.'],
  ['invalid_callback', 'The provider’s answer was not complete. Try again.'],
  ['invalid_state', 'Signing in took too long, or it was begun in another browser. Try again.'],
  ['signup_not_allowed', 'There is no account for you here. Ask an administrator for an invitation.'],
  ['invite_invalid', 'This invitation is unknown, used or too old. Ask for a new one.'],
  ['invite_email_mismatch', 'The invitation is for another e-mail address than the provider tells us.'],
  ['invite_email_unverified', 'The provider has not verified your e-mail address. Choose another way.'],
  ['token_exchange_failed', 'The provider did not confirm who you are. Try again.'],
  ['profile_fetch_failed', 'The provider did not tell us who you are. Try again.'],
  ['oauth_error', general],
]);

/** The message for a code. Only known texts are shown, never others of the address. */
export function loginProblem(code: string | undefined): string | undefined {
  return code === undefined ? undefined : (problems.get(code) ?? general);
}

/** The message for a code on the setup's account step. */
export function setupProblem(code: string | undefined): string | undefined {
  if (code !== 'invalid_state') return loginProblem(code);
  return 'You are not signed in yet. Enter your e-mail address, and go to the provider from here, in this browser.';
}
