import { AllowedDomain } from './allowed-domains/index.js';
import { AuditChainLink, AuditEntry } from './audit/index.js';
import { EdgeSignIn } from './edge-access/index.js';
import { Invite } from './invites/index.js';
import { MagicLink } from './magic-links/index.js';
import { PendingMail } from './mail/index.js';
import { DeviceCode, OAuthClient, OAuthCode, OAuthGrant } from './oauth-server/index.js';
import { Passkey, PasskeyChallenge } from './passkeys/index.js';
import { LoginAccount, LoginAttempt, ProviderRecord } from './external-providers/index.js';
import { Session, UserBrowser } from './sessions/index.js';
import { SetupAttempt, SetupState } from './setup/index.js';
import { Signup } from './signups/index.js';
import { SiteKey } from './site-key/index.js';
import { ApiToken } from './api-tokens/index.js';
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
