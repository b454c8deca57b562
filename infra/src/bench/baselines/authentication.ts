/**
 * Loaded before a process of the benchmark: its gateway accepts every credential as that of one Admin. The remaining
 * cost of a read is that without authentication.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CredentialAuthentication as Authentication } from '../../../../services/gateway/src/authentication/index.js';
import { root } from '../../command.js';

type Principal = Awaited<ReturnType<Authentication['bearer']>>;
type Tenant = Parameters<Authentication['bearer']>[1];

// the same module as in the process, which the gateway does not export
const path = join(root, 'services/gateway/dist/authentication/index.js');
const { CredentialAuthentication }: { CredentialAuthentication: { prototype: Authentication } } =
  await import(pathToFileURL(path).href);

const principals = new Map<string, Principal>();

function principalOf(tenant: Tenant): Promise<Principal> {
  const known = principals.get(tenant.id);
  if (known) return Promise.resolve(known);
  const principal: Principal = { kind: 'session', tenant, userId: 'bench', role: 50 };
  principals.set(tenant.id, principal);
  return Promise.resolve(principal);
}

CredentialAuthentication.prototype.bearer = (_token, tenant) => principalOf(tenant);
CredentialAuthentication.prototype.session = (_sessionId, tenant) => principalOf(tenant);
