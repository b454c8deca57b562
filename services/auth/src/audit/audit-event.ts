import type { Context } from '@quire/context';

/** How somebody came in, or tried to. */
export type SignInMethod =
  'passkey' | 'magic-link' | 'invite' | 'signup' | 'setup' | 'edge-access' | `provider:${string}`;

/** Why an invitation ended before it was used. */
export type WithdrawalReason = 'withdrawn' | 'inviter-disabled' | 'inviter-demoted';

/**
 * Everything the audit log knows how to tell, and the facts that go with it. None of them can hold a secret, a link or
 * an e-mail address: whom an event is about is said by the id of a row. `addressHash` is a keyed hash of an address
 * that has no row of a user yet: events of one address are recognised by it.
 */
export interface AuditActions {
  /** `newBrowser` names a browser that the user has not signed in with before, unless it is their first. */
  'session.opened': { method: SignInMethod; newBrowser?: string };
  /** Its user used a passkey to prove that they are there. */
  'session.reauthenticated': Record<string, never>;
  /** A sign-in that failed; `reason` is one of our own words, never what was typed in. */
  'session.refused': { method: SignInMethod; reason: string };
  'session.closed': Record<string, never>;
  'session.ended': Record<string, never>;
  'user.created': { role: number; method: SignInMethod };
  'user.updated': { fields: string[] };
  'user.role-changed': { from: number; to: number };
  'user.disabled': Record<string, never>;
  'user.enabled': Record<string, never>;
  'user.invited': { role: number; addressHash: string };
  'invite.withdrawn': { addressHash: string; reason: WithdrawalReason };
  'user.recovery-sent': Record<string, never>;
  'credential.added': { kind: 'passkey' | 'provider' };
  'credential.renamed': { kind: 'passkey' };
  'credential.removed': { kind: 'passkey' | 'provider' };
  'token.created': { scopes: string[]; expiresAt: string | null };
  'token.revoked': Record<string, never>;
  /** Told once an hour for a token and an address. */
  'token.used': Record<string, never>;
  /** An application got its first tokens; `clientId` is null for a device that is none in particular. */
  'grant.made': { clientId: string | null; scopes: string[]; by: 'code' | 'device' };
  /**
   * `code-reused`: the code that it was given for was presented once more; `token-reused`: a refresh token was, long
   * after it was replaced. Somebody else has it then.
   */
  'grant.ended': { reason: 'revoked' | 'code-reused' | 'token-reused' };
  /** Of one that registered itself, when somebody lets it in for the first time. */
  'oauth-client.created': { scopes: string[] | null; registeredItself: boolean };
  'oauth-client.approved': Record<string, never>;
  'oauth-client.updated': { fields: string[] };
  'oauth-client.deleted': Record<string, never>;
  'allowed-domain.created': { defaultRole: number };
  'allowed-domain.updated': { defaultRole: number; enabled: boolean };
  'allowed-domain.deleted': Record<string, never>;
}

export type AuditAction = keyof AuditActions;

/** What an event is about: the id of a row, or the domain that is a row's key. */
export interface AuditTarget {
  type: 'user' | 'session' | 'token' | 'grant' | 'credential' | 'invite' | 'allowed-domain' | 'oauth-client';
  id: string;
}

/** The part of a context that an event is written from. */
export type AuditedBy = Pick<Context, 'principal' | 'clientAddress'> &
  Partial<Pick<Context, 'db' | 'origin'>> & { requestId: string | null };

/** Something that was done, as it is recorded. Facts without content are left out. */
export type AuditEvent = {
  [Action in AuditAction]: {
    /** Who did it, from where, with which request. */
    by: AuditedBy;
    /** Somebody who has no principal yet: whoever signs in. */
    actorId?: string | undefined;
    action: Action;
    /** Null where nobody knows: a sign-in of somebody who does not exist. */
    target: AuditTarget | null;
    /** The user whom it concerns, where the target is something of theirs. */
    userId?: string | undefined;
  } & (AuditActions[Action] extends Record<string, never>
    ? { details?: undefined }
    : { details: AuditActions[Action] });
}[AuditAction];
