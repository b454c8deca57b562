/** OpenID providers with one fault each, for the black-box suites. The issuer's path begins with the fault. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const hugeBytes = 3 * 1024 * 1024;

/**
 * They issue tokens to every client; the authorization code is the nonce of the login.
 * @returns the address in front of the faults: `none`, `audience`, `signature`, `issuer`, `slow`, `huge`.
 */
export async function startFaultyOpenIdIssuers({ clientId }) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const { privateKey: otherKey } = await generateKeyPair('RS256');
  const server = createServer((request, response) => {
    const [, fault, ...rest] = request.url.split('?')[0].split('/');
    void handle(request, response, fault, rest.join('/')).catch((error) =>
      response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;

  async function handle(request, response, fault, path) {
    const issuer = `${address}/${fault}`;
    const send = (body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === 'keys')
      return send({ keys: [{ ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256' }] });
    if (path === 'token') {
      // Never responds: the client times out.
      if (fault === 'slow') return;
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const claims = { nonce: form.get('code'), email: 'eve@faulty.example', email_verified: true };
      const idToken = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256' })
        .setSubject('eve')
        .setIssuer(fault === 'issuer' ? `${address}/none` : issuer)
        .setAudience(fault === 'audience' ? 'another-client' : clientId)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(fault === 'signature' ? otherKey : privateKey);
      return send({ access_token: 'a', token_type: 'Bearer', id_token: idToken });
    }
    return send({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(fault === 'huge' ? { padding: 'x'.repeat(hugeBytes) } : {}),
    });
  }

  return address;
}
