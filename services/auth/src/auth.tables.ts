import type { ServiceTables } from '@quire/tenancy';
import { allowedDomainsMigration } from './users/allowed-domains/index.js';
import { auditChainMigration, auditMigration } from './audit/index.js';
import { edgeAccessMigration } from './authentication/edge-access/index.js';
import { inviteIdsMigration, invitesMigration } from './registration/invites/index.js';
import { magicLinksMigration } from './authentication/magic-links/index.js';
import { mailMigration, mailSendersMigration, mailSubjectsMigration } from './mail/index.js';
import {
  clientTrustMigration,
  oauthMigration,
  refreshRotationMigration,
  selfRegistrationMigration,
} from './oauth-server/index.js';
import { passkeysMigration } from './authentication/passkeys/index.js';
import { providersMigration } from './authentication/external-providers/index.js';
import {
  sessionAuthenticationMigration,
  sessionExpiryMigration,
  sessionsMigration,
} from './authentication/sessions/index.js';
import { setupLinkMigration, setupMigration } from './registration/setup/index.js';
import { signupsMigration } from './registration/signups/index.js';
import { siteKeyMigration } from './site-key/index.js';
import { usersOrderMigration } from './users/index.js';

/** The auth service's tables: one set a tenant, nothing across tenants yet. */
export const authTables: ServiceTables = {
  shared: [],
  tenant: [
    {
      name: '0001-users-and-tokens',
      up: async (sql) => {
        await sql.query(`
          CREATE TABLE users (
            id text PRIMARY KEY,
            email text NOT NULL,
            name text,
            avatar_url text,
            role integer NOT NULL,
            email_verified boolean NOT NULL DEFAULT false,
            disabled boolean NOT NULL DEFAULT false,
            welcomed boolean NOT NULL DEFAULT false,
            created_at timestamptz(3) NOT NULL DEFAULT now(),
            updated_at timestamptz(3) NOT NULL DEFAULT now(),
            last_login timestamptz(3)
          )`);
        await sql.query('CREATE UNIQUE INDEX users_email ON users (email)');
        await sql.query(`
          CREATE TABLE api_tokens (
            id text PRIMARY KEY,
            user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            name text NOT NULL,
            prefix text NOT NULL,
            token_hash text NOT NULL,
            scopes text[] NOT NULL,
            expires_at timestamptz(3),
            last_used_at timestamptz(3),
            created_at timestamptz(3) NOT NULL DEFAULT now()
          )`);
        await sql.query('CREATE UNIQUE INDEX api_tokens_token_hash ON api_tokens (token_hash)');
        await sql.query('CREATE INDEX api_tokens_user_id ON api_tokens (user_id)');
      },
    },
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
    siteKeyMigration,
    inviteIdsMigration,
    setupLinkMigration,
    mailSendersMigration,
    sessionAuthenticationMigration,
    clientTrustMigration,
    auditChainMigration,
  ],
};
