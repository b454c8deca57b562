import { AllowedDomain } from './users/allowed-domains/index.js';
import { AuditChainLink, AuditEntry } from './audit/index.js';
import { EdgeSignIn } from './authentication/edge-access/index.js';
import { Invite } from './registration/invites/index.js';
import { MagicLink } from './authentication/magic-links/index.js';
import { PendingMail } from './mail/index.js';
import { DeviceCode, OAuthClient, OAuthCode, OAuthGrant } from './oauth-server/index.js';
import { Passkey, PasskeyChallenge } from './authentication/passkeys/index.js';
import { LoginAccount, LoginAttempt, ProviderRecord } from './authentication/external-providers/index.js';
import { Session, UserBrowser } from './authentication/sessions/index.js';
import { SetupAttempt, SetupState } from './registration/setup/index.js';
import { Signup } from './registration/signups/index.js';
import { SiteKey } from './site-key/index.js';
import { ApiToken } from './authentication/api-tokens/index.js';
import { User } from './users/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const authEntities = [
  User,
  ApiToken,
  Session,
  Passkey,
  PasskeyChallenge,
  SetupState,
  SetupAttempt,
  AllowedDomain,
  AuditEntry,
  AuditChainLink,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  DeviceCode,
  MagicLink,
  Invite,
  Signup,
  PendingMail,
  EdgeSignIn,
  LoginAccount,
  LoginAttempt,
  ProviderRecord,
  SiteKey,
  UserBrowser,
];
