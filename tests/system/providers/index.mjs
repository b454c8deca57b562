/** The login providers of the installation under test. */
import { fileURLToPath } from 'node:url';
import { startFaultyOpenIdIssuers } from './faulty-openid-issuers.mjs';
import { startFakeGitHub } from './fake-github.mjs';
import { startFakeOpenIdProvider } from './fake-openid-provider.mjs';

const client = { clientId: 'quire', clientSecret: 'a-secret-that-is-long-enough-for-oidc' };

/** Starts the providers. @returns the environment variables of an installation that uses them */
export async function startFakeProviders() {
  return {
    CMS_CONFIG: fileURLToPath(new URL('cms.config.mjs', import.meta.url)),
    TEST_OPENID_ISSUER: await startFakeOpenIdProvider(client),
    TEST_GITHUB_URL: await startFakeGitHub(client),
    TEST_FAULTY_URL: await startFaultyOpenIdIssuers(client),
    CMS_OAUTH_GOOGLE_CLIENT_ID: client.clientId,
    CMS_OAUTH_GOOGLE_CLIENT_SECRET: client.clientSecret,
    GITHUB_CLIENT_ID: client.clientId,
    GITHUB_CLIENT_SECRET: client.clientSecret,
  };
}
