/**
 * Loaded before a process of the benchmark: its gateway takes whoever comes for one Admin, without a look at the
 * credential. What is left is all that a read costs beside the check.
 */
import { CredentialAuthentication } from '../../services/gateway/dist/authentication/index.js';

const everybody = { userId: 'bench', role: 50 };
const principals = new Map();

function principalOf(tenant) {
  let principal = principals.get(tenant.id);
  if (!principal) principals.set(tenant.id, (principal = { kind: 'session', tenant, ...everybody }));
  return Promise.resolve(principal);
}

CredentialAuthentication.prototype.bearer = (token, tenant) => principalOf(tenant);
CredentialAuthentication.prototype.session = (sessionId, tenant) => principalOf(tenant);
