import { newAccountPage, type NewAccountPage, type RegistrationFlow } from '../../link-pages/index.js';

const invitation: RegistrationFlow = {
  title: 'Accept your invitation',
  lead: 'You are invited to join this site.',
  start: '/_cms/api/auth/invite/register-options',
  finish: '/_cms/api/auth/invite/complete',
};

/** The page on which an invited visitor creates their account. */
export function invitePage(account: NewAccountPage): string {
  return newAccountPage(invitation, account);
}
