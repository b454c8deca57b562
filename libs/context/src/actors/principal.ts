import type { Caller } from '@quire/permissions';
import type { Tenant } from '@quire/tenancy';

/** The caller of an operation, as authenticated by the gateway or as declared by a worker. */
export interface Principal extends Caller {
  kind: 'session' | 'token' | 'system' | 'anonymous';
  tenant: Tenant;
  userId: string | null;
  /** Role level; 0 without a user. */
  role: number;
  /** Scopes of a Bearer token; absent for sessions and for the system. */
  scopes?: readonly string[] | undefined;
  /** The token that authenticated the caller, if any. */
  tokenId?: string | undefined;
  /** `personal`: created by the user; `oauth`: granted to an application. Absent without a token. */
  tokenKind?: 'personal' | 'oauth' | undefined;
  /** The application that an OAuth token was granted to. */
  clientId?: string | undefined;
  /** The session that authenticated the caller, if any. */
  sessionId?: string | undefined;
  /** ISO time of the session's last sign-in or passkey check; absent if unknown. */
  authenticatedAt?: string | undefined;
  /** For system work, its name: "system:scheduled-publishing". */
  actor?: string | undefined;
}

/** A caller without identity: has no permissions and may call only public operations. */
export function anonymous(tenant: Tenant): Principal {
  return { kind: 'anonymous', tenant, userId: null, role: 0, scopes: [] };
}

const systemRoleLevel = 50;

/** System work on a tenant, under the name that logs and histories show. */
export function systemActor(tenant: Tenant, actor: `system:${string}`): Principal {
  return { kind: 'system', tenant, userId: null, role: systemRoleLevel, actor };
}
