import type { Context } from '@quire/context';

/** The method of a sign-in. */
export type SignInMethod =
  'passkey' | 'magic-link' | 'invite' | 'signup' | 'setup' | 'edge-access' | `provider:${string}`;

/** Why an invitation ended before it was used. */
export type WithdrawalReason = 'withdrawn' | 'inviter-disabled' | 'inviter-demoted';

/**
 * The actions of the audit log and their details. Details contain no secret, link or e-mail address: events refer to
 * rows by id. `addressHash` is a keyed hash of an address without a user: it correlates the events of one address.
 */
export interface AuditActions {
  /** `newBrowser` is the name of a browser that is new to the user; unset for their first one. */
  'session.opened': { method: SignInMethod; newBrowser?: string };
  /** The user proved their presence with a passkey. */
  'session.reauthenticated': Record<string, never>;
  /** `reason` is a fixed term, never user input. */
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
  /** Recorded once an hour for a token and an address. */
  'token.used': Record<string, never>;
  /** An application got its first tokens; `clientId` is null for a device without a registered client. */
  'grant.made': { clientId: string | null; scopes: string[]; by: 'code' | 'device' };
  /**
   * `code-reused`: the authorization code of the grant was used again; `token-reused`: a refresh token was used after
   * its grace period. Both mean that it was stolen.
   */
  'grant.ended': { reason: 'revoked' | 'code-reused' | 'token-reused' };
  /** A self-registered client is recorded at its first consent. */
  'oauth-client.created': { scopes: string[] | null; registeredItself: boolean };
  'oauth-client.approved': Record<string, never>;
  'oauth-client.updated': { fields: string[] };
  'oauth-client.deleted': Record<string, never>;
  'allowed-domain.created': { defaultRole: number };
  'allowed-domain.updated': { defaultRole: number; enabled: boolean };
  'allowed-domain.deleted': Record<string, never>;
}

export type AuditAction = keyof AuditActions;

/** The target of an event: the id of a row, or a domain, which is the key of its row. */
export interface AuditTarget {
  type: 'user' | 'session' | 'token' | 'grant' | 'credential' | 'invite' | 'allowed-domain' | 'oauth-client';
  id: string;
}

/** The part of a context that an event needs. */
export type AuditedBy = Pick<Context, 'principal' | 'clientAddress'> &
  Partial<Pick<Context, 'db' | 'origin'>> & { requestId: string | null };

/** An event to record. Actions without details omit them. */
export type AuditEvent = {
  [Action in AuditAction]: {
    /** The actor, their address and the request. */
    by: AuditedBy;
    /** Id of a user who has no principal yet: during their sign-in. */
    actorId?: string | undefined;
    action: Action;
    /** Null for an unknown target: the sign-in of an unknown user. */
    target: AuditTarget | null;
    /** The affected user, where the target belongs to one. */
    userId?: string | undefined;
  } & (AuditActions[Action] extends Record<string, never>
    ? { details?: undefined }
    : { details: AuditActions[Action] });
}[AuditAction];
