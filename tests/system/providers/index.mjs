/** The login providers that the installation under test is configured for. */
import { fileURLToPath } from 'node:url';
import { openFaultyIssuers } from './faulty-issuer.mjs';
import { openGitHub } from './git-hub.mjs';
import { openOpenIdProvider } from './open-id-provider.mjs';

const client = { clientId: 'quire', clientSecret: 'a-secret-that-is-long-enough-for-oidc' };

/** Starts them. @returns the variables that an installation needs to know them. */
export async function openProviders() {
  return {
    CMS_CONFIG: fileURLToPath(new URL('cms.config.mjs', import.meta.url)),
    TEST_OPENID_ISSUER: await openOpenIdProvider(client),
    TEST_GITHUB_URL: await openGitHub(client),
    TEST_FAULTY_URL: await openFaultyIssuers(client),
    CMS_OAUTH_GOOGLE_CLIENT_ID: client.clientId,
    CMS_OAUTH_GOOGLE_CLIENT_SECRET: client.clientSecret,
    GITHUB_CLIENT_ID: client.clientId,
    GITHUB_CLIENT_SECRET: client.clientSecret,
  };
}
