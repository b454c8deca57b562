import { beforeAll, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  cookieOf,
  openApplication,
  SoftwareAuthenticator,
  type Client,
  type Site,
} from '@quire/testing';
import { useTestEnvironment, waitUntil } from './support.js';

const testEnvironment = useTestEnvironment({ arrangement: 'single', capturesLog: true });
let site: Site;
let admin: Client;
/** Texts that no log line may contain. */
const secrets: string[] = [];

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.signedIn('admin');
});

function secret(text: unknown): string {
  if (typeof text !== 'string' || text.length < 8) throw new Error(`Not a secret: ${String(text)}`);
  secrets.push(text);
  return text;
}
const email = (name: string) => secret(`${name}.private@${site.tenant}.example`);
const tokenIn = (link: string | undefined) => secret(new URL(link ?? '').searchParams.get('token'));

/** Uses every sign-in method, once with success and once without. */
async function signIn(): Promise<void> {
  const visitor = site.anonymous();
  secret(admin.session);
  const key = new SoftwareAuthenticator();
  await addPasskey(site, admin, key, 'Key');
  for (const origin of [ceremonyOf(site).origin, 'https://elsewhere.example']) {
    const options = ceremonyOptionsOf(await visitor.post('/auth/passkey/options'));
    secret(options.challenge);
    const credential = key.logIn(options, { ...ceremonyOf(site), origin });
    secret(credential.response.signature);
    const response = await visitor.post('/auth/passkey/verify', { credential });
    if (response.status === 200) secret(cookieOf(response, 'cms_session'));
  }
  const person = email('linked');
  await admin.post('/auth/invite', { email: person, role: 30 });
  const invite = tokenIn((await site.mailsTo(person)).at(-1)?.link);
  await visitor.get(`/auth/invite/accept?token=${invite}`);
  await visitor.post('/auth/invite/register-options', { token: invite });
  await visitor.post('/auth/invite/complete', { token: invite });
  const reader = email('mailed');
  await testEnvironment.sql.query(
    `INSERT INTO "site_${site.tenant}".users (id, email, role) VALUES ('mailed', $1, 30) ON CONFLICT DO NOTHING`,
    [reader],
  );
  await visitor.post('/auth/magic-link/send', { email: reader });
  const link = tokenIn((await site.mailsTo(reader)).at(-1)?.link);
  await visitor.get(`/auth/magic-link/verify?token=${link}`);
  for (let use = 0; use < 2; use += 1) await visitor.post('/auth/magic-link/verify', { token: link });
  await visitor.post('/auth/magic-link/send', { email: email('nobody') });
  await visitor.get(
    '/auth/oauth/nobody/callback?code=secret-code-of-somebody&state=secret-state-of-somebody',
  );
  secret('secret-code-of-somebody');
  secret('secret-state-of-somebody');
}

/** Uses every kind of token. */
async function useTokens(): Promise<void> {
  const created = (await admin.post('/admin/api-tokens', { name: 'Deploy', scopes: ['content:read'] })).data;
  secret(created.token);
  await site.withToken(created.token as string).get('/content/nothing');
  const note = secret('text-of-an-argument');
  const params = { name: 'menu_list', arguments: { locale: 5, note } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  await site.withToken(created.token as string).post('/mcp', call);
  await site.anonymous().post(`/mcp?access_token=${created.token}`, call);
  await site.withToken(secret(`ec_pat_${'x'.repeat(43)}`)).get('/content/nothing');
  const application = await openApplication(site);
  const code = secret(await application.code(admin));
  secret(application.verifier);
  const { body } = await application.exchange(code);
  const { access_token: access, refresh_token: refresh } = body as Record<string, string>;
  secret(access);
  await application.refresh(secret(refresh));
  await application.exchange(code);
  await site.anonymous().post('/oauth/token/revoke', { token: refresh });
  const device = (await site.anonymous().post('/oauth/device/code', {})).data;
  secret(device.device_code);
  secret(device.user_code);
  await admin.post('/oauth/device/authorize', { user_code: device.user_code });
}

it('logs contain no token, cookie, link, code or e-mail address at any level, also for failures', async () => {
  await signIn();
  await useTokens();
  await testEnvironment.database.disconnect();
  await Promise.allSettled([signIn(), useTokens()]);
  const failed = await site.anonymous().post('/auth/magic-link/send', { email: email('late') });
  expect(failed.status).toBeGreaterThanOrEqual(500);
  await testEnvironment.database.restore();
  await waitUntil('a failure is logged', () => Promise.resolve(/"status":5\d\d/.test(testEnvironment.log)));
  expect(
    testEnvironment.log.split('\n').filter((line) => line.includes('"msg":"request"')).length,
  ).toBeGreaterThan(20);
  const found = secrets.filter((text) => testEnvironment.log.includes(text));
  expect(found.map((text) => testEnvironment.log.split('\n').find((line) => line.includes(text)))).toEqual(
    [],
  );
});
