/** A fake of the GitHub endpoints that a login uses, for the black-box suites. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const hugeBytes = 3 * 1024 * 1024;

/**
 * The parameter `account` of the authorization request is the account that signs in: `{ user, emails, fault }`, as
 * base64url of JSON. `fault` makes the API fail: `profile`, `huge`.
 * @returns its address.
 */
export async function startFakeGitHub({ clientId, clientSecret }) {
  const codes = new Map();
  const tokens = new Map();
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://git.example');
    const send = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    void handle(request, response, url, send).catch((error) => send(500, { message: String(error) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;

  async function handle(request, response, { pathname, searchParams: query }, send) {
    if (pathname === '/login/oauth/authorize') {
      if (query.get('client_id') !== clientId) return send(404, {});
      const code = randomBytes(10).toString('hex');
      const account = JSON.parse(Buffer.from(query.get('account'), 'base64url').toString());
      codes.set(code, {
        account,
        challenge: query.get('code_challenge'),
        redirect: query.get('redirect_uri'),
      });
      const location = new URL(query.get('redirect_uri'));
      location.search = new URLSearchParams({
        code,
        state: query.get('state'),
        iss: `${address}/login/oauth`,
      });
      return response.writeHead(302, { location: location.href }).end();
    }
    if (pathname === '/login/oauth/access_token') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const login = codes.get(form.get('code'));
      codes.delete(form.get('code'));
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
      // GitHub returns this error with status 200.
      if (!isClient || login?.challenge !== challenge || login.redirect !== form.get('redirect_uri'))
        return send(200, { error: 'bad_verification_code' });
      const token = randomBytes(10).toString('hex');
      tokens.set(token, login.account);
      return send(200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' });
    }
    const account = tokens.get((request.headers.authorization ?? '').replace(/^bearer /i, ''));
    if (!account || !request.headers['user-agent']) return send(403, { message: 'No' });
    if (account.fault === 'profile') return send(500, { message: 'Oops' });
    if (pathname === '/api/v3/user') return send(200, account.user);
    if (account.fault === 'huge') return send(200, ['x'.repeat(hugeBytes)]);
    if (pathname === '/api/v3/user/emails') return send(200, account.emails);
    return send(404, { message: 'Not Found' });
  }

  return address;
}
