const general = 'Signing in did not work. Try again.';

/** Messages for the error codes of links and login providers on the login page (contract 28 and 29). */
const problems: ReadonlyMap<string, string> = new Map([
  ['missing_token', 'This link is not complete. Copy the whole link from your e-mail, or request a new one.'],
  ['invalid_link', 'This link is unknown or has been used. Request a new one.'],
  ['link_expired', 'This link has expired. Links are valid for 15 minutes. Request a new one.'],
  ['user_not_found', 'No account on this site can sign in this way.'],
  ['verification_failed', general],
  ['invalid_provider', 'This sign-in method is unknown. Choose another one.'],
  ['provider_not_configured', 'This sign-in method is not set up. Choose another one.'],
  ['oauth_denied', 'The provider denied access. Try again, or choose another sign-in method.'],
  ['invalid_callback', 'The response of the provider was incomplete. Try again.'],
  ['invalid_state', 'Signing in took too long, or was started in another browser. Try again.'],
  ['signup_not_allowed', 'You have no account on this site. Ask an administrator for an invitation.'],
  ['invite_invalid', 'This invitation is unknown, used or expired. Ask an administrator for a new one.'],
  [
    'invite_email_mismatch',
    'The invitation is for another e-mail address than that of your account at the provider.',
  ],
  [
    'invite_email_unverified',
    'The provider has not verified your e-mail address. Choose another sign-in method.',
  ],
  ['token_exchange_failed', 'The provider did not confirm your identity. Try again.'],
  ['profile_fetch_failed', 'The provider did not return your profile. Try again.'],
  ['oauth_error', general],
]);

/** @returns the message for a code of the query; a general one for an unknown code. */
export function loginProblem(code: string | undefined): string | undefined {
  return code === undefined ? undefined : (problems.get(code) ?? general);
}

/** @returns the message for a code on the setup's account step. */
export function setupProblem(code: string | undefined): string | undefined {
  if (code !== 'invalid_state') return loginProblem(code);
  return 'You are not signed in yet. Enter your e-mail address, and continue with the provider in this browser.';
}
