import { DeviceCode, OAuthClient, OAuthCode, OAuthGrant } from './oauth/index.js';
import { Session } from './sessions/index.js';
import { ApiToken } from './tokens/index.js';
import { User } from './users/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const authEntities = [User, ApiToken, Session, OAuthClient, OAuthCode, OAuthGrant, DeviceCode];
