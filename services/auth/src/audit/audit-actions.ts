import type { AuditAction, AuditActions } from './audit-event.js';

type ActionDescriptions = {
  [Action in AuditAction]: {
    /** Type of the target. */
    target: string;
    details?: readonly (keyof AuditActions[Action] & string)[];
    summary: string;
  };
};

/** Every action of this service. `docs/audit.md` lists them. */
export const auditActions: ActionDescriptions = {
  'session.opened': { target: 'user', details: ['method', 'newBrowser'], summary: 'A user signed in' },
  'session.reauthenticated': { target: 'session', summary: 'A passkey was used in place of a new sign-in' },
  'session.refused': {
    target: 'user',
    details: ['method', 'reason'],
    summary: 'A sign-in failed; at most 20 a minute are recorded per client',
  },
  'session.closed': { target: 'session', summary: 'A user signed out' },
  'session.ended': { target: 'session', summary: 'A session was ended from another session' },
  'user.created': { target: 'user', details: ['role', 'method'], summary: 'A user was created' },
  'user.updated': { target: 'user', details: ['fields'], summary: 'A user was changed' },
  'user.role-changed': { target: 'user', details: ['from', 'to'], summary: 'The role of a user was changed' },
  'user.disabled': { target: 'user', summary: 'A user was disabled' },
  'user.enabled': { target: 'user', summary: 'A user was enabled' },
  'user.invited': { target: 'invite', details: ['role', 'addressHash'], summary: 'A user was invited' },
  'invite.withdrawn': {
    target: 'invite',
    details: ['addressHash', 'reason'],
    summary: 'An invitation was withdrawn before its use',
  },
  'user.recovery-sent': { target: 'user', summary: 'A sign-in link was created for a user' },
  'credential.added': {
    target: 'credential',
    details: ['kind'],
    summary: 'A passkey or a linked account was added',
  },
  'credential.renamed': { target: 'credential', details: ['kind'], summary: 'A passkey was renamed' },
  'credential.removed': {
    target: 'credential',
    details: ['kind'],
    summary: 'A passkey or a linked account was removed',
  },
  'token.created': {
    target: 'token',
    details: ['scopes', 'expiresAt'],
    summary: 'A personal access token was created',
  },
  'token.revoked': { target: 'token', summary: 'A personal access token was revoked' },
  'token.used': {
    target: 'token',
    summary: 'A personal access token was used; once an hour per token and address',
  },
  'grant.made': {
    target: 'grant',
    details: ['clientId', 'scopes', 'by'],
    summary: 'An application got access',
  },
  'grant.ended': {
    target: 'grant',
    details: ['reason'],
    summary: 'The access of an application was revoked',
  },
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
