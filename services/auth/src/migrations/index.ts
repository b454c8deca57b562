import type { ServiceTables } from '@quire/tenancy';
import { usersAndTokensMigration } from './tenant/0001-users-and-tokens.js';
import { sessionsMigration } from './tenant/0002-sessions.js';
import { passkeysMigration } from './tenant/0010-passkeys.js';
import { setupMigration } from './tenant/0011-setup.js';
import { allowedDomainsMigration } from './tenant/0020-allowed-domains.js';
import { auditMigration } from './tenant/0021-audit.js';
import { usersOrderMigration } from './tenant/0022-users-order.js';
import { oauthMigration } from './tenant/0030-oauth.js';
import { magicLinksMigration } from './tenant/0040-magic-links.js';
import { invitesMigration } from './tenant/0041-invites.js';
import { signupsMigration } from './tenant/0042-signups.js';
import { mailMigration } from './tenant/0043-pending-mails.js';
import { selfRegistrationMigration } from './tenant/0050-oauth-self-registration.js';
import { edgeAccessMigration } from './tenant/0051-edge-sign-ins.js';
import { providersMigration } from './tenant/0060-login-providers.js';
import { refreshRotationMigration } from './tenant/0070-oauth-refresh-rotation.js';
import { mailSubjectsMigration } from './tenant/0071-mail-subjects.js';
import { sessionExpiryMigration } from './tenant/0075-session-expiry.js';
import { auditChainMigration } from './tenant/0080-audit-chain.js';
import { siteKeyMigration } from './tenant/0080-i-site-key.js';
import { sessionAuthenticationMigration } from './tenant/0080-o-session-authentication.js';
import { inviteIdsMigration } from './tenant/0081-i-invite-ids.js';
import { clientTrustMigration } from './tenant/0081-o-oauth-client-trust.js';
import { setupLinkMigration } from './tenant/0082-i-setup-link.js';
import { mailSendersMigration } from './tenant/0083-i-mail-senders.js';
import { expiryIndexesMigration } from './tenant/0084-expiry-indexes.js';
import { tokenUsesMigration } from './tenant/0085-token-uses.js';
import { sharedMailsMigration } from './tenant/0086-shared-mails.js';
import { panelPeopleMigration } from './tenant/0087-panel-people.js';
import { preferencesAndViewsMigration } from './tenant/0088-preferences-and-views.js';
import { pendingMailsMigration } from './shared/0001-pending-mails.js';

/** The migrations of the auth service in their order: `tenant` once for each site, `shared` once for each database. */
export const authTables: ServiceTables = {
  tenant: [
    usersAndTokensMigration,
    sessionsMigration,
    passkeysMigration,
    setupMigration,
    allowedDomainsMigration,
    auditMigration,
    usersOrderMigration,
    oauthMigration,
    magicLinksMigration,
    invitesMigration,
    signupsMigration,
    mailMigration,
    selfRegistrationMigration,
    edgeAccessMigration,
    providersMigration,
    refreshRotationMigration,
    mailSubjectsMigration,
    sessionExpiryMigration,
    auditChainMigration,
    siteKeyMigration,
    sessionAuthenticationMigration,
    inviteIdsMigration,
    clientTrustMigration,
    setupLinkMigration,
    mailSendersMigration,
    expiryIndexesMigration,
    tokenUsesMigration,
    sharedMailsMigration,
    panelPeopleMigration,
    preferencesAndViewsMigration,
  ],
  shared: [pendingMailsMigration],
  tenantRows: ['pending_mails'],
};
