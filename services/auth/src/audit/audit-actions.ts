import type { AuditAction, AuditActions } from './audit-event.js';

type ActionDescriptions = {
  [Action in AuditAction]: {
    /** Type of the target. */
    target: string;
    details?: readonly (keyof AuditActions[Action] & string)[];
    summary: string;
  };
};

/** Every action of this service. docs/audit.md lists them. */
export const auditActions: ActionDescriptions = {
  'session.opened': { target: 'user', details: ['method', 'newBrowser'], summary: 'Somebody signed in' },
  'session.reauthenticated': { target: 'session', summary: 'A passkey was used in place of a new sign-in' },
  'session.refused': {
    target: 'user',
    details: ['method', 'reason'],
    summary: 'A sign-in failed; of one client 20 a minute are recorded',
  },
  'session.closed': { target: 'session', summary: 'Somebody signed out' },
  'session.ended': { target: 'session', summary: 'A session was ended from another one' },
  'user.created': { target: 'user', details: ['role', 'method'], summary: 'A user was made' },
  'user.updated': { target: 'user', details: ['fields'], summary: 'A user was changed' },
  'user.role-changed': { target: 'user', details: ['from', 'to'], summary: 'A user got another role' },
  'user.disabled': { target: 'user', summary: 'A user was disabled' },
  'user.enabled': { target: 'user', summary: 'A user was enabled' },
  'user.invited': { target: 'invite', details: ['role', 'addressHash'], summary: 'Somebody was invited' },
  'invite.withdrawn': {
    target: 'invite',
    details: ['addressHash', 'reason'],
    summary: 'An invitation ended before it was used',
  },
  'user.recovery-sent': { target: 'user', summary: 'A sign-in link was made for a user' },
  'credential.added': {
    target: 'credential',
    details: ['kind'],
    summary: 'A passkey or an account elsewhere was added',
  },
  'credential.renamed': { target: 'credential', details: ['kind'], summary: 'A passkey was renamed' },
  'credential.removed': {
    target: 'credential',
    details: ['kind'],
    summary: 'A passkey or an account elsewhere was removed',
  },
  'token.created': {
    target: 'token',
    details: ['scopes', 'expiresAt'],
    summary: 'A personal access token was made',
  },
  'token.revoked': { target: 'token', summary: 'A personal access token was revoked' },
  'token.used': {
    target: 'token',
    summary: 'A personal access token was used; once an hour for a token and an address',
  },
  'grant.made': {
    target: 'grant',
    details: ['clientId', 'scopes', 'by'],
    summary: 'An application was given access',
  },
  'grant.ended': { target: 'grant', details: ['reason'], summary: 'The access of an application ended' },
  'oauth-client.approved': {
    target: 'oauth-client',
    summary: 'An application that registered itself was approved',
  },
  'oauth-client.created': {
    target: 'oauth-client',
    details: ['scopes', 'registeredItself'],
    summary: 'An application was registered',
  },
  'oauth-client.updated': {
    target: 'oauth-client',
    details: ['fields'],
    summary: 'An application was changed',
  },
  'oauth-client.deleted': { target: 'oauth-client', summary: 'An application was deleted' },
  'allowed-domain.created': {
    target: 'allowed-domain',
    details: ['defaultRole'],
    summary: 'A domain was allowed to sign up',
  },
  'allowed-domain.updated': {
    target: 'allowed-domain',
    details: ['defaultRole', 'enabled'],
    summary: 'An allowed domain was changed',
  },
  'allowed-domain.deleted': { target: 'allowed-domain', summary: 'An allowed domain was deleted' },
};
