/** The configuration of the installation under test; system.mjs says where the providers are. */
import { createAtproto, github, google } from '@quire/login-providers';
import { fakeNetwork } from '@quire/testing';
import { jsonFeed } from '../../fixtures/import-source/json-feed.mjs';
import { fakeHandleProvider } from './fake-handle-provider.mjs';
import { fakeImportSources } from './fake-import-source.mjs';

const { TEST_OPENID_ISSUER, TEST_GITHUB_URL, TEST_FAULTY_URL, TEST_ATPROTO_PORT } = process.env;

/** The provider `google` with a faulty issuer and fixed credentials. */
function faulty(fault, issuer = `${TEST_FAULTY_URL}/${fault}`) {
  const { begin, complete, ...rest } = google({ issuer });
  const variables = { CLIENT_ID: 'quire', CLIENT_SECRET: 'secret' };
  return {
    ...rest,
    id: `faulty-${fault}`,
    label: `Faulty (${fault})`,
    environment: [],
    begin: (context, request) => begin({ ...context, variables }, request),
    complete: (context, request) => complete({ ...context, variables }, request),
  };
}

export default {
  authProviders: [
    createAtproto(fakeNetwork(Number(TEST_ATPROTO_PORT)), { allowedHandles: ['*.people.test'] }),
    fakeHandleProvider(),
    google({ issuer: TEST_OPENID_ISSUER }),
    { ...github(), id: 'unset', label: 'Unset' },
    github({ baseUrl: TEST_GITHUB_URL }),
    ...['none', 'audience', 'signature', 'issuer', 'slow', 'huge'].map((fault) => faulty(fault)),
    faulty('down', 'http://127.0.0.1:1'),
  ],
  import: { sources: [jsonFeed, ...fakeImportSources] },
};
